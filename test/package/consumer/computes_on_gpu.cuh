// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// What both CUDA translation units call: the same instantiation, and so the same kernel.
#pragma once

#include <causal_conv1d/causal_conv1d.cuh>

#include <cstdio>

// True if the GPU gives the right values, or if there is none and the library says so.
inline bool computes_on_gpu() {
  namespace conv = causal_conv1d;
  conv::gpu_execution execution;
  if (const conv::status no_gpu = conv::query_device(execution.device); !no_gpu) {
    std::printf("%s\n", conv::message(no_gpu).c_str());
    return no_gpu.code == conv::status_code::no_device || no_gpu.code == conv::status_code::driver_too_old;
  }

  float* memory = nullptr;
  if (cudaMallocManaged(&memory, 20 * sizeof(float)) != cudaSuccess) {
    return false;
  }
  float* const x = memory;
  float* const out = memory + 8;
  float* const weight = memory + 16;
  for (int t = 0; t < 8; ++t) {
    x[t] = static_cast<float>(t + 1);
  }
  const float taps[4] = {1, 10, 100, 1000};
  for (int j = 0; j < 4; ++j) {
    weight[j] = taps[j];
  }

  conv::forward_args<float> args;
  args.x = conv::channel_first(x, 1, 1, 8);
  args.weight = conv::weight_view(weight, 1, 4);
  args.out = conv::channel_first(out, 1, 1, 8);
  const conv::status launched = conv::forward<conv::only_width<4>>(execution, args);
  bool is_right = static_cast<bool>(launched) && cudaDeviceSynchronize() == cudaSuccess;
  const float expected[8] = {1000, 2100, 3210, 4321, 5432, 6543, 7654, 8765};
  for (int t = 0; t < 8 && is_right; ++t) {
    is_right = out[t] == expected[t];
  }
  if (!is_right) {
    std::printf("wrong values, or: %s\n", conv::message(launched).c_str());
  }
  cudaFree(memory);
  return is_right;
}
