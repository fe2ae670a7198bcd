// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Random numbers whose seed is printed, and can be given again.
#pragma once

#include <cstdint>
#include <random>

namespace causal_conv1d_test {

/// CAUSAL_CONV1D_TEST_SEED if it is set, otherwise drawn once per run of the program and printed.
std::uint64_t seed_of_this_run();

class random_source {
 public:
  /// A stream of its own for each purpose: the run's seed and the number that the caller gives.
  explicit random_source(std::uint64_t purpose) : engine_(seed_of_this_run() * 0x9e3779b97f4a7c15u + purpose) {}

  /// An integer in first .. last.
  std::int64_t integer(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(engine_);
  }

  bool flip() { return integer(0, 1) == 1; }

  /// A real number in first .. last.
  double real(double first, double last) { return std::uniform_real_distribution<double>(first, last)(engine_); }

  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace causal_conv1d_test
