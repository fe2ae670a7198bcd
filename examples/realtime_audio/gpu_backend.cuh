// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The hearing aid's backend for a GPU.
#pragma once

#include <causal_conv1d/execution.cuh>
#include <causal_conv1d/tensor_view.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace realtime_audio {

inline void require(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
  }
}

/// audio = the sum over bands of band * gain, one sample per thread.
__global__ void mix_kernel(causal_conv1d::tensor_view<const float> band, causal_conv1d::tensor_view<const float> gain,
                           float* audio) {
  const std::int64_t t = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t < band.length) {
    float sum = 0;
    for (std::int64_t c = 0; c < band.channels; ++c) {
      const std::int64_t offset = blockIdx.y * band.batch_stride + c * band.channel_stride + t;
      sum += band.data[offset] * gain.data[offset];
    }
    audio[blockIdx.y * band.length + t] = sum;
  }
}

class gpu_backend {
 public:
  /// For at most `longest` samples of `ears` audio channels per call.
  gpu_backend(const causal_conv1d::device_facts& device, std::int64_t ears, std::int64_t longest) : device_(device) {
    require(cudaStreamCreate(&stream_));
    audio_in_ = zeros(ears * longest);
    audio_out_ = zeros(ears * longest);
  }
  ~gpu_backend() { cudaStreamDestroy(stream_); }
  gpu_backend(const gpu_backend&) = delete;
  gpu_backend& operator=(const gpu_backend&) = delete;

  causal_conv1d::gpu_execution execution() const { return {stream_, device_}; }

  float* copy_of(const std::vector<float>& values) {
    float* const data = zeros(static_cast<std::int64_t>(values.size()));
    require(cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    return data;
  }

  float* zeros(std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
    float* data = nullptr;
    require(cudaMalloc(&data, bytes));
    blocks_.emplace_back(data);
    require(cudaMemset(data, 0, bytes));
    require(cudaDeviceSynchronize());
    return data;
  }

  causal_conv1d::tensor_view<const float> bring(causal_conv1d::tensor_view<const float> audio) {
    copy_rows(audio_in_, audio.length, audio.data, audio.batch_stride, audio, cudaMemcpyHostToDevice);
    return causal_conv1d::channel_first<const float>(audio_in_, audio.batch, 1, audio.length);
  }

  /// Returns when the audio has arrived.
  void mix(causal_conv1d::tensor_view<const float> band, causal_conv1d::tensor_view<const float> gain,
           causal_conv1d::tensor_view<float> audio) {
    const dim3 blocks(static_cast<unsigned>((band.length + 127) / 128), static_cast<unsigned>(band.batch));
    mix_kernel<<<blocks, 128, 0, stream_>>>(band, gain, audio_out_);
    require(cudaGetLastError());
    copy_rows(audio.data, audio.batch_stride, audio_out_, audio.length, audio, cudaMemcpyDeviceToHost);
    require(cudaStreamSynchronize(stream_));
  }

 private:
  struct free_device_memory {
    void operator()(float* data) const { cudaFree(data); }
  };

  void copy_rows(float* to, std::int64_t to_stride, const float* from, std::int64_t from_stride,
                 causal_conv1d::tensor_view<const float> shape, cudaMemcpyKind kind) {
    const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); };
    require(cudaMemcpy2DAsync(to, bytes(to_stride), from, bytes(from_stride), bytes(shape.length),
                              static_cast<std::size_t>(shape.batch), kind, stream_));
  }

  causal_conv1d::device_facts device_;
  cudaStream_t stream_ = nullptr;
  std::vector<std::unique_ptr<float, free_device_memory>> blocks_;
  float* audio_in_ = nullptr;
  float* audio_out_ = nullptr;
};

}  // namespace realtime_audio
