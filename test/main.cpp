// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace causal_conv1d_test {

std::uint64_t seed_of_this_run() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("CAUSAL_CONV1D_TEST_SEED");
    const std::uint64_t drawn = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("random seed %llu (repeat with CAUSAL_CONV1D_TEST_SEED=%llu)\n", static_cast<unsigned long long>(drawn),
                static_cast<unsigned long long>(drawn));
    return drawn;
  }();
  return seed;
}

}  // namespace causal_conv1d_test

int main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  return RUN_ALL_TESTS();
}
