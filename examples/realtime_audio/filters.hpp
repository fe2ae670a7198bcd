// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The filters of the example's hearing aid, and its two activations. Samples are floats between -1 and 1.
#pragma once

#include <causal_conv1d/config.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace realtime_audio {

/// The size of a rectified band. A user's activation is any copyable object with such a call operator.
struct magnitude {
  template <class T>
  CAUSAL_CONV1D_HOST_DEVICE T operator()(T value) const {
    return value < 0 ? -value : value;
  }
};

/// The gain for a level: none where the gate is closed, more for soft sounds than for loud ones, and the more so the
/// higher the band, where hearing is usually lost first. An activation may have parameters and may take the channel.
struct compressor {
  float knee = 64;            ///< the level up to which sounds count as soft
  float bands_to_double = 6;  ///< soft sounds gain a factor of 2 in band 6, of 3 in band 12

  template <class T>
  CAUSAL_CONV1D_HOST_DEVICE T operator()(T level, std::int64_t band) const {
    const T open = level > 0 ? level : 0;  // silu dips below 0 just under the gate
    const T boost = (static_cast<T>(band) + bands_to_double) / bands_to_double;
    return open / (open + 1) * ((open + boost * knee) / (open + knee));
  }
};

/// Everything that the four layers need to know, for one sample rate.
struct filter_design {
  static constexpr std::int64_t bands = 32;
  static constexpr std::int64_t bank_width = 257;
  static constexpr std::int64_t smoother_width = 128;
  static constexpr std::int64_t smoother_dilation = 4;
  static constexpr std::int64_t gain_width = 4;

  std::vector<double> edges;    ///< (bands + 1) in Hz
  std::vector<float> bank;      ///< (bands, bank_width): band-pass filters that add up to a pure delay
  std::vector<float> detector;  ///< (1, 1): converts samples to levels; 1 is the quietest sound of interest
  std::vector<float> smoother;  ///< (1, smoother_width): forgets with a time constant of 192 samples
  std::vector<float> gate;      ///< (bands): the smoother's bias, which shuts the gate for faint noise
  std::vector<float> gain;      ///< (1, gain_width): a mean of 4, which removes just the frequencies that a
                                ///< filter dilated by 4 cannot tell from 0
  compressor compress;

  explicit filter_design(double sample_rate)
      : detector(1, 16000.0f), gate(bands, -2.0f), gain(gain_width, 1.0f / gain_width) {
    // Edges lie closer together at low frequencies, as they do in the ear.
    const double top = 0.5 * sample_rate < 16000 ? 0.5 * sample_rate : 16000;
    for (std::int64_t band = 0; band <= bands; ++band) {
      edges.push_back(top / 4 * (std::pow(5.0, static_cast<double>(band) / bands) - 1));
    }
    std::vector<double> below(bank_width, 0.0);  // the low-pass at a band's lower edge
    for (std::int64_t band = 0; band < bands; ++band) {
      const bool last = band + 1 == bands;
      const std::vector<double> above = low_pass(last ? 0.5 : edges[static_cast<std::size_t>(band + 1)] / sample_rate);
      for (std::size_t j = 0; j < above.size(); ++j) {
        bank.push_back(static_cast<float>(above[j] - below[j]));
      }
      below = above;
    }
    double sum = 0;
    for (std::int64_t j = 0; j < smoother_width; ++j) {
      sum += std::exp(static_cast<double>(j) / 48);
    }
    for (std::int64_t j = 0; j < smoother_width; ++j) {
      smoother.push_back(static_cast<float>(std::exp(static_cast<double>(j) / 48) / sum));
    }
  }

 private:
  /// A sinc under a Hann window; at half the sample rate it is a pure delay of bank_width / 2 samples.
  static std::vector<double> low_pass(double cutoff) {
    const double pi = std::acos(-1.0);
    std::vector<double> taps;
    for (std::int64_t j = 0; j < bank_width; ++j) {
      const double time = static_cast<double>(j - bank_width / 2);
      const double window = 0.5 + 0.5 * std::cos(2 * pi * time / (bank_width + 1));
      taps.push_back(window * (time == 0 ? 2 * cutoff : std::sin(2 * pi * cutoff * time) / (pi * time)));
    }
    return taps;
  }
};

}  // namespace realtime_audio
