// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include <causal_conv1d/causal_conv1d.cuh>

#include <cuda_runtime.h>

#include <cstdio>

int main() {
  causal_conv1d::gpu_execution gpu;  // on the default stream
  if (const auto status = causal_conv1d::query_device(gpu.device); !status) {
    std::fprintf(stderr, "%s\n", causal_conv1d::message(status).c_str());
    return 1;
  }

  // Memory that both sides can reach: 1 sequence, 2 channels, 5 tokens; 2 taps for each channel.
  float *x, *weight, *out;
  if (cudaMallocManaged(&x, 10 * sizeof(float)) != cudaSuccess ||
      cudaMallocManaged(&weight, 4 * sizeof(float)) != cudaSuccess ||
      cudaMallocManaged(&out, 10 * sizeof(float)) != cudaSuccess) {
    std::fprintf(stderr, "no memory\n");
    return 1;
  }
  for (int i = 0; i < 10; ++i) {
    x[i] = i < 5 ? i + 1.0f : 10.0f * (i - 4);
  }
  weight[0] = weight[1] = 0.5f;
  weight[2] = 0;
  weight[3] = 1;

  causal_conv1d::forward_args<float, float, causal_conv1d::silu> args;
  args.x = causal_conv1d::channel_first<const float>(x, 1, 2, 5);
  args.weight = {weight, 2, 2};
  args.out = causal_conv1d::channel_first(out, 1, 2, 5);
  if (const auto status = forward(gpu, args); !status) {
    std::fprintf(stderr, "%s\n", causal_conv1d::message(status).c_str());
    return 1;
  }
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < 10; ++i) {
    std::printf("%7.3f%s", out[i], i % 5 == 4 ? "\n" : " ");
  }
}
