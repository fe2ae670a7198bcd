// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Measuring on a GPU: memory, and the time of work replayed from CUDA graphs.
#pragma once

#include "statistics.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

inline void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    cudaGetLastError();
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

/// Device memory that frees itself.
class device_memory {
 public:
  explicit device_memory(std::size_t bytes) {
    if (bytes > 0) {
      require(cudaMalloc(&data_, bytes), "cudaMalloc");
    }
  }
  device_memory(device_memory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { cudaFree(data_); }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

class stream {
 public:
  stream() { require(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { cudaStreamDestroy(handle_); }
  cudaStream_t get() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

class event {
 public:
  event() { require(cudaEventCreate(&handle_), "cudaEventCreate"); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() { cudaEventDestroy(handle_); }
  cudaEvent_t get() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// `sets` calls, one for each set of operands, captured once and replayed. Calls of different sets touch different
/// memory, so that a call finds nothing of its own operands in the cache.
class captured_calls {
 public:
  template <class Call>
  captured_calls(cudaStream_t stream, int sets, const Call& call) : stream_(stream), sets_(sets) {
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    std::string refused;
    try {
      for (int set = 0; set < sets; ++set) {
        call(set);
      }
    } catch (const std::exception& error) {
      refused = error.what();
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (!refused.empty()) {
      cudaGraphDestroy(graph);
      throw std::runtime_error(refused);
    }
    require(ended, "cudaStreamEndCapture");
    const cudaError_t made = cudaGraphInstantiateWithFlags(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    require(made, "cudaGraphInstantiate");
  }
  captured_calls(const captured_calls&) = delete;
  captured_calls& operator=(const captured_calls&) = delete;
  ~captured_calls() { cudaGraphExecDestroy(executable_); }

  /// Chooses how many replays make a batch of about `batch_seconds`. Warms up.
  void calibrate(double batch_seconds) {
    replays_ = 1;
    seconds_per_call();
    const double once = seconds_per_call() * sets_;
    replays_ = std::max(1, static_cast<int>(std::lround(batch_seconds / once)));
  }

  /// Times one batch.
  double seconds_per_call() {
    // The first replay is not timed: while it runs, the others are queued, so the host's part is hidden.
    require(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch");
    require(cudaEventRecord(begin_.get(), stream_), "cudaEventRecord");
    for (int i = 0; i < replays_; ++i) {
      require(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch");
    }
    require(cudaEventRecord(end_.get(), stream_), "cudaEventRecord");
    require(cudaEventSynchronize(end_.get()), "cudaEventSynchronize");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    return milliseconds * 1e-3 / replays_ / sets_;
  }

 private:
  cudaStream_t stream_;
  int sets_;
  int replays_ = 1;
  cudaGraphExec_t executable_ = nullptr;
  event begin_;
  event end_;
};

/// The plain copy: 16 bytes per thread.
__global__ void copy_kernel(const uint4* from, uint4* to, std::int64_t vectors) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < vectors) {
    to[i] = from[i];
  }
}

inline void launch_copy(cudaStream_t stream, const void* from, void* to, std::int64_t bytes, int threads) {
  const std::int64_t vectors = bytes / 16;
  copy_kernel<<<static_cast<unsigned>((vectors + threads - 1) / threads), threads, 0, stream>>>(
      static_cast<const uint4*>(from), static_cast<uint4*>(to), vectors);
  require(cudaGetLastError(), "copy_kernel");
}

}  // namespace bench
