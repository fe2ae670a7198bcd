// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A hearing aid made of four causal convolutions: one source for the CPU and the GPU, for whole recordings and for
/// live chunks.
#pragma once

#include "filters.hpp"

#include <causal_conv1d/forward.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace realtime_audio {

using causal_conv1d::channel_first;
using causal_conv1d::forward_args;
using causal_conv1d::tensor_view;

/// What the calls are compiled for: two widths of their own, all others by the general program. Spares the compiler
/// two thirds of the default's work.
struct shapes : causal_conv1d::any_shape {
  using unrolled_widths = causal_conv1d::width_list<1, filter_design::gain_width>;
};

/// Ends the example with the library's own words.
inline void require(const causal_conv1d::status& result) {
  if (!result) {
    throw std::runtime_error(std::string("causal_conv1d: ") + causal_conv1d::message(result).c_str());
  }
}

/// A Backend gives the execution, memory that it can reach, and the way of audio there and back.
template <class Backend>
class hearing_aid {
 public:
  /// For `ears` audio channels, and for at most `longest` samples per call.
  hearing_aid(Backend& backend, const filter_design& design, std::int64_t ears, std::int64_t longest)
      : backend_(backend),
        ears_(ears),
        bank_weight_(backend.copy_of(design.bank), bands, filter_design::bank_width),
        detector_weight_(backend.copy_of(design.detector), 1, 1),
        smoother_weight_(backend.copy_of(design.smoother), 1, filter_design::smoother_width),
        smoother_bias_(backend.copy_of(design.gate), bands),
        gain_weight_(backend.copy_of(design.gain), 1, filter_design::gain_width),
        compress_(design.compress),
        bank_state_(silence(filter_design::bank_width - 1)),
        smoother_state_(silence(smoother_window)),
        gain_state_(silence(filter_design::gain_width - 1)),
        band_memory_(backend.zeros(ears * bands * longest)),
        memory_1_(backend.zeros(ears * bands * longest)),
        memory_2_(backend.zeros(ears * bands * longest)),
        workspace_(backend.zeros(ears * bands * smoother_window)) {}

  /// Turns the next samples of the stream, (ears, 1, length), into as many of `audio_out`. Returns their gains,
  /// (ears, bands, length), which stand until the next call.
  tensor_view<const float> operator()(tensor_view<const float> audio_in, tensor_view<float> audio_out) {
    const std::int64_t length = audio_in.length;
    const tensor_view<float> band = channel_first(band_memory_, ears_, bands, length);
    const tensor_view<float> level = channel_first(memory_1_, ears_, bands, length);
    const tensor_view<float> envelope = channel_first(memory_2_, ears_, bands, length);
    const tensor_view<float> gain =
        channel_first(memory_1_, ears_, bands, length);  // the levels have been used by then

    // One filter per band. All bands read the same samples: a stride of 0 instead of a copy for each.
    forward_args<float> bank;
    bank.x = backend_.bring(audio_in);
    bank.x.channels = bands;
    bank.x.channel_stride = 0;
    bank.weight = bank_weight_;
    bank.out = band;
    bank.initial_state = bank_state_;
    bank.final_state = bank_state_;  // the same memory: the next call continues where this one ends
    run(bank);

    // One row of weights serves all bands. A filter of width 1 sees the present alone and needs no state.
    forward_args<float, float, magnitude> detector;
    detector.x = band;
    detector.weight = detector_weight_;
    detector.out = level;
    run(detector);

    // A fading mean of every fourth sample, less the gate's threshold.
    forward_args<float, float, causal_conv1d::silu> smoother;
    smoother.x = level;
    smoother.weight = smoother_weight_;
    smoother.bias = smoother_bias_;
    smoother.dilation = filter_design::smoother_dilation;
    smoother.out = envelope;
    smoother.initial_state = smoother_state_;
    smoother.final_state = smoother_state_;
    run(smoother);

    // An activation of our own, with parameters.
    forward_args<float, float, compressor> compress;
    compress.x = envelope;
    compress.weight = gain_weight_;
    compress.activation = compress_;
    compress.out = gain;
    compress.initial_state = gain_state_;
    compress.final_state = gain_state_;
    run(compress);

    backend_.mix(band, gain, audio_out);
    return gain;
  }

 private:
  static constexpr std::int64_t bands = filter_design::bands;
  static constexpr std::int64_t smoother_window =
      std::int64_t{filter_design::smoother_width - 1} * filter_design::smoother_dilation;

  /// Runs a layer. Where many units of work read a state that is also written (on a GPU), its window is kept aside in a
  /// workspace; workspace_bytes() gives the size, and the smoother's, the longest, is enough for all.
  template <class Args>
  void run(Args& args) {
    args.workspace = workspace_;
    args.workspace_size = static_cast<std::size_t>(ears_ * bands * smoother_window) * sizeof(float);
    require(causal_conv1d::forward<shapes>(backend_.execution(), args));
  }

  /// The state of a stream that has not begun: zeros, as many as the layer's window.
  causal_conv1d::state_view silence(std::int64_t window) {
    return channel_first(backend_.zeros(ears_ * bands * window), ears_, bands, window);
  }

  Backend& backend_;
  std::int64_t ears_;
  causal_conv1d::weight_view bank_weight_;
  causal_conv1d::weight_view detector_weight_;
  causal_conv1d::weight_view smoother_weight_;
  causal_conv1d::bias_view smoother_bias_;
  causal_conv1d::weight_view gain_weight_;
  compressor compress_;
  causal_conv1d::state_view bank_state_;
  causal_conv1d::state_view smoother_state_;
  causal_conv1d::state_view gain_state_;
  float* band_memory_;
  float* memory_1_;
  float* memory_2_;
  float* workspace_;
};

}  // namespace realtime_audio
