// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include <causal_conv1d/causal_conv1d.hpp>

#include <cstdio>

int main() {
  const float x[] = {1, 2, 3, 4, 5, 10, 20, 30, 40, 50};  // 1 sequence, 2 channels, 5 tokens
  const float weight[] = {0.5f, 0.5f, 0, 1};              // 2 channels, 2 taps: a mean of two, and the present alone
  float out[10];

  causal_conv1d::forward_args<float, float, causal_conv1d::silu> args;
  args.x = causal_conv1d::channel_first(x, 1, 2, 5);
  args.weight = {weight, 2, 2};
  args.out = causal_conv1d::channel_first(out, 1, 2, 5);
  if (const auto status = forward(causal_conv1d::host_execution{}, args); !status) {
    std::fprintf(stderr, "%s\n", causal_conv1d::message(status).c_str());
    return 1;
  }
  for (int i = 0; i < 10; ++i) {
    std::printf("%7.3f%s", out[i], i % 5 == 4 ? "\n" : " ");
  }
}
