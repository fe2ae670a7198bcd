// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Feeds recordings to a hearing aid as live streams, and compares.
#pragma once

#include "hearing_aid.hpp"
#include "progress.hpp"
#include "recording.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace realtime_audio {

/// What one executor made of a recording.
struct executor_report {
  recording whole;           ///< the audio that came out of one call
  std::vector<float> gains;  ///< the first ear's gains at the end of each 10 ms, (chunks, bands); the CPU's report only
  bool same_bits = true;     ///< whether every chunking gave the bits of the whole
};

executor_report run_on_host(const filter_design& design, const recording& audio);

/// False where there is no GPU; says why.
bool run_on_gpu(const filter_design& design, const recording& audio, executor_report& report);

/// The value below which the given share of the values lies.
inline double percentile(std::vector<double> values, double share) {
  const auto position = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), position, values.end());
  return *position;
}

/// Streams the first `frames` of a recording through a new hearing aid, next_length() samples at a time. Calls
/// after_chunk(gains) after each chunk. Returns the seconds that each chunk took, from samples to samples.
template <class MakeBackend, class NextLength, class AfterChunk>
std::vector<double> stream(const MakeBackend& make_backend, const filter_design& design, const std::string& name,
                           const recording& in, std::int64_t frames, recording& out, std::int64_t longest,
                           NextLength next_length, AfterChunk after_chunk) {
  auto backend = make_backend(in.channels, longest);
  hearing_aid<decltype(backend)> aid(backend, design, in.channels, longest);
  progress progress(name, frames);
  std::vector<double> seconds;
  for (std::int64_t begin = 0; begin < frames;) {
    const std::int64_t length = std::min(next_length(), frames - begin);
    const auto start = std::chrono::steady_clock::now();
    const auto gains = aid(in.part(begin, length), out.part(begin, length));
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    after_chunk(gains);
    begin += length;
    progress.at(begin);
  }
  return seconds;
}

/// Whether the first `frames` of two recordings have the same bits.
inline bool same_bits(const recording& a, const recording& b, std::int64_t frames) {
  for (std::int64_t channel = 0; channel < a.channels; ++channel) {
    if (std::memcmp(a.samples.data() + channel * a.frames, b.samples.data() + channel * b.frames,
                    static_cast<std::size_t>(frames) * sizeof(float)) != 0) {
      return false;
    }
  }
  return true;
}

/// The whole recording in one call, then in chunks of every kind. Prints a line for each.
template <class MakeBackend, class AfterChunk>
executor_report run(const MakeBackend& make_backend, const filter_design& design, const recording& in,
                    AfterChunk after_live_chunk) {
  const auto nothing = [](const auto&) {};
  const std::int64_t frames = in.frames;
  const auto print = [&](const std::string& name, const std::vector<double>& seconds, std::int64_t streamed,
                         const char* verdict) {
    double total = 0;
    for (const double s : seconds) {
      total += s;
    }
    const double audio = static_cast<double>(streamed) / in.sample_rate;
    std::printf("  %-24s %7zu calls, %5.1f s of audio in %6.3f s (%5.1f x real time)%s\n", name.c_str(), seconds.size(),
                audio, total, audio / total, verdict);
    std::fflush(stdout);
  };

  executor_report report;
  report.whole = silence_like(in, frames);
  print("whole recording",
        stream(
            make_backend, design, "whole recording", in, frames, report.whole, frames, [&] { return frames; }, nothing),
        frames, "");

  recording chunked = silence_like(in, frames);
  const auto compare = [&](const std::string& name, std::int64_t part, std::int64_t longest, auto next_length,
                           auto after_chunk) {
    std::fill(chunked.samples.begin(), chunked.samples.end(), 2.0f);
    const auto seconds = stream(make_backend, design, name, in, part, chunked, longest, next_length, after_chunk);
    const bool same = same_bits(chunked, report.whole, part);
    report.same_bits = report.same_bits && same;
    print(name, seconds, part, same ? ", same bits" : ", DIFFERENT BITS");
    return seconds;
  };
  const auto always = [](std::int64_t length) { return [length] { return length; }; };

  const std::int64_t live = std::max(in.sample_rate / 100, 1);
  const std::vector<double> latency = compare("live, chunks of 10 ms", frames, live, always(live), after_live_chunk);
  std::printf("  %-24s median %.3f ms, 99 %% below %.3f ms (%zu chunks of %d samples x %d channels)\n", "  latency",
              1e3 * percentile(latency, 0.5), 1e3 * percentile(latency, 0.99), latency.size(), static_cast<int>(live),
              static_cast<int>(in.channels));
  if (live != 480) {
    compare("chunks of 480 samples", frames, 480, always(480), nothing);
  }
  std::mt19937 random(2026);
  const std::int64_t longest = 2 * live;
  compare(
      "chunks of random length", frames, longest,
      [&] { return std::uniform_int_distribution<std::int64_t>(1, longest)(random); }, nothing);
  // Calls for so few samples cost more than the samples: an excerpt is enough.
  compare("chunks of 3 samples", std::min<std::int64_t>(frames, in.sample_rate / 2), 3, always(3), nothing);
  compare("chunks of 1 sample", std::min<std::int64_t>(frames, in.sample_rate / 5), 1, always(1), nothing);
  return report;
}

}  // namespace realtime_audio
