// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// What is only read can not receive states.
// expected: (no match for|no viable).*=

#include <causal_conv1d/causal_conv1d.hpp>

#ifdef CORRECT
using element_type = float;
#else
using element_type = const float;
#endif

void assign(causal_conv1d::forward_args<float>& args, element_type* memory) {
  args.final_state = causal_conv1d::channel_first(memory, 1, 2, 3);
}
