// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A hearing aid for recordings, run as a live stream: soft sounds and high ones become louder, faint noise goes.
/// Compares every way of cutting the stream with the whole recording in one call, and with a reference in double
/// precision. Ends with 0 only if all bits agreed.

#include "reference.hpp"
#include "stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>

namespace {

using namespace realtime_audio;
namespace fs = std::filesystem;

constexpr const char* usage =
    "usage: realtime_audio [--seconds N] [--output FOLDER] [RECORDING ...]\n"
    "  RECORDING  WAV, FLAC or OGG files of one sample rate and number of channels, joined in this order;\n"
    "             default: the spoken test voices of alsa-utils\n"
    "  --seconds  how much to use: shorter recordings are repeated; default: 30 at least and 40 at most;\n"
    "             each second of a channel at 48 kHz takes 20 MB of memory\n"
    "  --output   where to write; default: the folder `output` beside this program\n";

constexpr const char* voices = "/usr/share/sounds/alsa";

struct options {
  std::vector<std::string> paths;
  double least_seconds = 30;
  double most_seconds = 40;  // the whole recording in one call needs 3 floats per sample and band
  fs::path output;
};

options parse(int count, char** arguments) {
  options result;
  result.output = fs::path(arguments[0]).parent_path() / "output";
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--help") {
      std::printf("%s", usage);
      std::exit(EXIT_SUCCESS);
    }
    if (word.rfind("--", 0) != 0) {
      result.paths.push_back(word);
    } else if (word == "--seconds" && i + 1 < count && std::atof(arguments[i + 1]) >= 0.1) {
      result.least_seconds = result.most_seconds = std::atof(arguments[++i]);
    } else if (word == "--output" && i + 1 < count) {
      result.output = arguments[++i];
    } else {
      throw std::runtime_error("cannot understand " + word + "\n" + usage);
    }
  }
  if (result.paths.empty()) {
    if (!fs::is_directory(voices)) {
      throw std::runtime_error(std::string("no recording given, and the default ones are not in ") + voices +
                               ": install alsa-utils, or name a recording");
    }
    for (const fs::directory_entry& file : fs::directory_iterator(voices)) {
      if (file.path().extension() == ".wav" && file.path().filename() != "Noise.wav") {  // the one without a voice
        result.paths.push_back(file.path().string());
      }
    }
    std::sort(result.paths.begin(), result.paths.end());
  }
  return result;
}

double largest_difference(const recording& out, const std::vector<double>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(out.samples[i]) - expected[i]));
  }
  return largest;
}

/// One line per 10 ms: the time in seconds, then the gain of each band in dB. The first line holds the bands' edges.
void write_gains(const fs::path& path, const filter_design& design, const std::vector<float>& gains) {
  std::ofstream file(path);
  file << "edges in Hz";
  for (const double edge : design.edges) {
    file << ',' << edge;
  }
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (i % filter_design::bands == 0) {
      file << '\n' << 0.01 * static_cast<double>(i / filter_design::bands + 1);
    }
    file << ',' << 20 * std::log10(std::max(std::abs(gains[i]), 1e-3f));
  }
  file << '\n';
  if (!file) {
    throw std::runtime_error("cannot write " + path.string());
  }
}

int run_example(const options& options) {
  const recording in = read_recording(options.paths, options.least_seconds, options.most_seconds);
  std::printf("Recording: %.1f s, %d channel(s) at %d Hz, from", in.seconds(), static_cast<int>(in.channels),
              in.sample_rate);
  for (const std::string& path : options.paths) {
    std::printf(" %s", fs::path(path).filename().c_str());
  }
  using d = filter_design;
  std::printf("\nFilters:   %d bands per channel: %d taps; 1 tap; %d taps with dilation %d; %d taps\n\n",
              static_cast<int>(d::bands), static_cast<int>(d::bank_width), static_cast<int>(d::smoother_width),
              static_cast<int>(d::smoother_dilation), static_cast<int>(d::gain_width));

  fs::create_directories(options.output);  // before the work, so that a folder that cannot be made costs no time
  const filter_design design(in.sample_rate);
  const executor_report host = run_on_host(design, in);
  const std::vector<double> expected = reference_output(design, in);
  std::printf("  largest error against double precision: %.1e of full scale\n\n",
              largest_difference(host.whole, expected));
  bool same_bits = host.same_bits;
#if REALTIME_AUDIO_HAS_GPU
  executor_report gpu;
  if (run_on_gpu(design, in, gpu)) {
    std::printf("  largest error against double precision: %.1e of full scale\n",
                largest_difference(gpu.whole, expected));
    same_bits = same_bits && gpu.same_bits;
  }
#else
  std::printf("GPU: not used (built without a CUDA compiler)\n");
#endif

  write_recording((options.output / "realtime_audio_input.wav").string(), in);
  write_recording((options.output / "realtime_audio.wav").string(), host.whole);
  write_gains(options.output / "realtime_audio_gains.csv", design, host.gains);
  std::printf("\nWritten: %s and the same with _input.wav, _gains.csv\n",
              (options.output / "realtime_audio.wav").c_str());
  std::printf(same_bits ? "Every chunking gave the same bits.\n" : "FAILED: the bits depend on the chunking.\n");
  return same_bits ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run_example(parse(count, arguments));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "realtime_audio: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
