// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Recordings in memory, and their way from and to files.
#pragma once

#include <causal_conv1d/tensor_view.hpp>

#include <sndfile.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace realtime_audio {

/// Samples of the order (channels, frames), between -1 and 1.
struct recording {
  std::vector<float> samples;
  std::int64_t channels = 0;
  std::int64_t frames = 0;
  int sample_rate = 0;

  double seconds() const { return static_cast<double>(frames) / sample_rate; }

  /// `length` frames from `begin` on, as the library sees them: each audio channel is a row of the batch.
  causal_conv1d::tensor_view<const float> part(std::int64_t begin, std::int64_t length) const {
    return {samples.data() + begin, channels, 1, length, frames, 0, 1};
  }
  causal_conv1d::tensor_view<float> part(std::int64_t begin, std::int64_t length) {
    return {samples.data() + begin, channels, 1, length, frames, 0, 1};
  }
};

/// Silence of the shape of another recording.
inline recording silence_like(const recording& other, std::int64_t frames) {
  return {std::vector<float>(static_cast<std::size_t>(other.channels * frames)), other.channels, frames,
          other.sample_rate};
}

using sound_file = std::unique_ptr<SNDFILE, decltype(&sf_close)>;

/// Joins files and repeats the whole until it has `least` seconds; cuts it at `most`.
inline recording read_recording(const std::vector<std::string>& paths, double least, double most) {
  recording joined;
  std::vector<float> interleaved;
  for (const std::string& path : paths) {
    SF_INFO info = {};
    const sound_file file(sf_open(path.c_str(), SFM_READ, &info), sf_close);
    if (file == nullptr) {
      throw std::runtime_error("cannot read " + path + ": " + sf_strerror(nullptr));
    }
    if (joined.sample_rate == 0) {
      joined.channels = info.channels;
      joined.sample_rate = info.samplerate;
    } else if (joined.channels != info.channels || joined.sample_rate != info.samplerate) {
      throw std::runtime_error("cannot join " + path + ": it has " + std::to_string(info.channels) + " channels at " +
                               std::to_string(info.samplerate) + " Hz, the files before it " +
                               std::to_string(joined.channels) + " at " + std::to_string(joined.sample_rate) + " Hz");
    }
    const std::size_t before = interleaved.size();
    const sf_count_t wanted = static_cast<sf_count_t>(most * info.samplerate) + 1;
    const sf_count_t frames = info.frames < wanted ? info.frames : wanted;
    interleaved.resize(before + static_cast<std::size_t>(frames * info.channels));
    const sf_count_t got = sf_readf_float(file.get(), interleaved.data() + before, frames);
    interleaved.resize(before + static_cast<std::size_t>(got * info.channels));
  }
  const std::int64_t once = joined.channels == 0 ? 0 : static_cast<std::int64_t>(interleaved.size()) / joined.channels;
  if (once == 0) {
    throw std::runtime_error("the recording has no samples");
  }
  while (static_cast<double>(joined.frames) < least * joined.sample_rate) {
    joined.frames += once;
  }
  const std::int64_t limit = static_cast<std::int64_t>(most * joined.sample_rate);
  joined.frames = joined.frames < limit ? joined.frames : limit;
  for (std::int64_t channel = 0; channel < joined.channels; ++channel) {
    for (std::int64_t frame = 0; frame < joined.frames; ++frame) {
      joined.samples.push_back(interleaved[static_cast<std::size_t>(frame % once * joined.channels + channel)]);
    }
  }
  return joined;
}

/// Writes a WAV file of 16 bits per sample. Samples beyond -1 and 1 are clipped.
inline void write_recording(const std::string& path, const recording& audio) {
  SF_INFO info = {};
  info.channels = static_cast<int>(audio.channels);
  info.samplerate = audio.sample_rate;
  info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  const sound_file file(sf_open(path.c_str(), SFM_WRITE, &info), sf_close);
  if (file == nullptr) {
    throw std::runtime_error("cannot write " + path + ": " + sf_strerror(nullptr));
  }
  sf_command(file.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
  std::vector<float> interleaved;
  for (std::int64_t frame = 0; frame < audio.frames; ++frame) {
    for (std::int64_t channel = 0; channel < audio.channels; ++channel) {
      interleaved.push_back(audio.samples[static_cast<std::size_t>(channel * audio.frames + frame)]);
    }
  }
  if (sf_writef_float(file.get(), interleaved.data(), audio.frames) != audio.frames) {
    throw std::runtime_error("cannot write " + path + ": " + sf_strerror(file.get()));
  }
}

}  // namespace realtime_audio
