// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// A status that nobody looks at.
// expected: nodiscard

#include <causal_conv1d/causal_conv1d.hpp>

void run(const causal_conv1d::forward_args<float>& args) {
#ifdef CORRECT
  const causal_conv1d::status answer =
#endif
      causal_conv1d::can_forward(args);
#ifdef CORRECT
  static_cast<void>(answer);
#endif
}
