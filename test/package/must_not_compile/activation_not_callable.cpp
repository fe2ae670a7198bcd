// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// An activation that can not be called with the sum.
// expected: the activation is not callable

#include <causal_conv1d/causal_conv1d.hpp>

struct activation {
#ifdef CORRECT
  float operator()(float value) const { return value; }
#endif
};

causal_conv1d::status run(const causal_conv1d::forward_args<float, float, activation>& args) {
  return causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, args);
}
