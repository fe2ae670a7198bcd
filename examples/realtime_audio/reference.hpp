// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The hearing aid once more in double precision, by the definition of the convolution and without the library.
#pragma once

#include "filters.hpp"
#include "progress.hpp"
#include "recording.hpp"

#include <causal_conv1d/host_thread_pool.hpp>

#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

namespace realtime_audio {

/// sum_j weight[j] * x[t - (width - 1 - j) * dilation], and 0 before the first sample, for one channel.
inline std::vector<double> reference_convolution(const std::vector<double>& x, const float* weight, std::int64_t width,
                                                 std::int64_t dilation) {
  std::vector<double> sum(x.size(), 0.0);
  const auto length = static_cast<std::int64_t>(x.size());
  const std::int64_t block = 4096;  // sums that stay in the first-level cache
  for (std::int64_t begin = 0; begin < length; begin += block) {
    const std::int64_t end = begin + block < length ? begin + block : length;
    for (std::int64_t j = 0; j < width; ++j) {
      const std::int64_t back = (width - 1 - j) * dilation;
      for (std::int64_t t = begin > back ? begin : back; t < end; ++t) {
        sum[static_cast<std::size_t>(t)] += static_cast<double>(weight[j]) * x[static_cast<std::size_t>(t - back)];
      }
    }
  }
  return sum;
}

/// What one band of one audio channel adds to the output.
inline std::vector<double> reference_band(const filter_design& design, const std::vector<double>& samples,
                                          std::int64_t band) {
  using d = filter_design;
  const std::vector<double> heard =
      reference_convolution(samples, design.bank.data() + band * d::bank_width, d::bank_width, 1);
  std::vector<double> level = reference_convolution(heard, design.detector.data(), 1, 1);
  for (double& value : level) {
    value = magnitude{}(value);
  }
  std::vector<double> envelope =
      reference_convolution(level, design.smoother.data(), d::smoother_width, d::smoother_dilation);
  for (double& value : envelope) {
    const double gated = value + static_cast<double>(design.gate[static_cast<std::size_t>(band)]);
    value = gated / (1 + std::exp(-gated));
  }
  std::vector<double> output = reference_convolution(envelope, design.gain.data(), d::gain_width, 1);
  for (std::size_t t = 0; t < output.size(); ++t) {
    output[t] = heard[t] * design.compress(output[t], band);
  }
  return output;
}

/// The output for a whole recording, (channels, frames). Prints its progress on stderr.
inline std::vector<double> reference_output(const filter_design& design, const recording& in) {
  std::vector<double> out(in.samples.size(), 0.0);
  causal_conv1d::host_thread_pool pool;
  std::mutex one_at_a_time;
  std::int64_t done = 0;
  progress progress("reference in double precision", in.channels * filter_design::bands);
  pool(in.channels * filter_design::bands, [&](std::int64_t i) {
    const std::int64_t first = i / filter_design::bands * in.frames;
    const auto samples = in.samples.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<double> band =
        reference_band(design, {samples, samples + static_cast<std::ptrdiff_t>(in.frames)}, i % filter_design::bands);
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    for (std::size_t t = 0; t < band.size(); ++t) {
      out[static_cast<std::size_t>(first) + t] += band[t];
    }
    progress.at(++done);
  });
  return out;
}

}  // namespace realtime_audio
