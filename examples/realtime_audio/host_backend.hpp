// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The hearing aid's backend for the CPU.
#pragma once

#include <causal_conv1d/execution.hpp>
#include <causal_conv1d/host_thread_pool.hpp>
#include <causal_conv1d/tensor_view.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace realtime_audio {

class host_backend {
 public:
  explicit host_backend(causal_conv1d::host_thread_pool& pool) : pool_(pool) {}

  auto execution() const { return causal_conv1d::host_execution{std::ref(pool_)}; }

  float* copy_of(const std::vector<float>& values) { return blocks_.emplace_back(values).data(); }
  float* zeros(std::int64_t count) { return blocks_.emplace_back(static_cast<std::size_t>(count)).data(); }

  /// The library reads the recording where it lies.
  causal_conv1d::tensor_view<const float> bring(causal_conv1d::tensor_view<const float> audio) { return audio; }

  /// audio = the sum over bands of band * gain.
  void mix(causal_conv1d::tensor_view<const float> band, causal_conv1d::tensor_view<const float> gain,
           causal_conv1d::tensor_view<float> audio) {
    for (std::int64_t ear = 0; ear < band.batch; ++ear) {
      float* const sum = audio.data + ear * audio.batch_stride;
      for (std::int64_t c = 0; c < band.channels; ++c) {
        const std::int64_t row = ear * band.batch_stride + c * band.channel_stride;
        const float* const b = band.data + row;
        const float* const g = gain.data + row;
        for (std::int64_t t = 0; t < band.length; ++t) {
          sum[t] = (c == 0 ? 0.0f : sum[t]) + b[t] * g[t];
        }
      }
    }
  }

 private:
  causal_conv1d::host_thread_pool& pool_;
  std::vector<std::vector<float>> blocks_;  // moving a vector leaves its elements where they are
};

}  // namespace realtime_audio
