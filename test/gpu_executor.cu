// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "forward_on_gpu.hpp"
#include "forward_types.hpp"

#include <causal_conv1d/execution.cuh>

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace causal_conv1d_test {
namespace {

void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::abort();
  }
}

class gpu_memory_type : public memory {
 public:
  void* allocate(std::size_t bytes) override {
    void* data = nullptr;
    require(cudaMalloc(&data, bytes), "cudaMalloc");
    return data;
  }
  void release(void* data) override { require(cudaFree(data), "cudaFree"); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the GPU");
  }
};

class gpu_executor_type : public executor {
 public:
  gpu_executor_type() { usable_ = static_cast<bool>(causal_conv1d::query_device(execution_.device)); }

  const char* name() const override { return "gpu"; }
  bool is_host() const override { return false; }
  bool is_usable() const override { return usable_; }
  memory& operand_memory() override { return memory_; }

  causal_conv1d::status forward(const forward_call& call) override {
    const causal_conv1d::status result = with_input_and_activation(call, [&](auto* input, auto activation) {
      return forward_on_gpu<std::remove_pointer_t<decltype(input)>, decltype(activation)>(execution_, call);
    });
    if (usable_) {
      require(cudaDeviceSynchronize(), "forward on the GPU");
    }
    return result;
  }

  std::size_t workspace_bytes(const forward_call& call) override {
    return with_input_and_activation(call, [&](auto* input, auto activation) {
      return workspace_on_gpu<std::remove_pointer_t<decltype(input)>, decltype(activation)>(execution_, call);
    });
  }

 private:
  gpu_memory_type memory_;
  causal_conv1d::gpu_execution execution_;
  bool usable_ = false;
};

}  // namespace

executor& gpu_executor() {
  static gpu_executor_type the_executor;
  return the_executor;
}

}  // namespace causal_conv1d_test
