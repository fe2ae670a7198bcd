// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// What both translation units of the host program call: the same instantiation, which the linker must merge.
#pragma once

#include <causal_conv1d/causal_conv1d.hpp>

inline bool computes_on_host() {
  const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float weight[4] = {1, 10, 100, 1000};
  const float expected[8] = {1000, 2100, 3210, 4321, 5432, 6543, 7654, 8765};
  float out[8] = {};

  causal_conv1d::forward_args<float> args;
  args.x = causal_conv1d::channel_first(x, 1, 1, 8);
  args.weight = causal_conv1d::weight_view(weight, 1, 4);
  args.out = causal_conv1d::channel_first(out, 1, 1, 8);
  if (!causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, args)) {
    return false;
  }
  for (int t = 0; t < 8; ++t) {
    if (out[t] < expected[t] || out[t] > expected[t]) {
      return false;
    }
  }
  return true;
}
