// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// A type that is no element of the library.
// expected: is not an element

#include <causal_conv1d/causal_conv1d.hpp>

#ifdef CORRECT
using element_type = float;
#else
using element_type = int;
#endif

causal_conv1d::status run(const causal_conv1d::forward_args<element_type>& args) {
  return causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, args);
}
