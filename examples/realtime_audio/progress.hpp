// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace realtime_audio {

/// A line on stderr every two seconds.
class progress {
 public:
  progress(std::string what, std::int64_t total) : what_(std::move(what)), total_(total) {}

  void at(std::int64_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ > std::chrono::seconds(2)) {
      last_ = now;
      std::fprintf(stderr, "  ... %s: %d %%\n", what_.c_str(), static_cast<int>(100 * done / total_));
    }
  }

 private:
  std::string what_;
  std::int64_t total_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace realtime_audio
