// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The built-in activations over the whole range of their arguments.

#include "executor.hpp"
#include "random.hpp"
#include "reference.hpp"

#include <causal_conv1d/activation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace causal_conv1d_test {
namespace {

long double wide_silu(long double value) { return value / (1.0L + std::exp(-value)); }

/// The bound that activation.hpp states, and an absolute one where exp(-value) is beyond the largest float.
void expect_silu_close(float value) {
  const long double expected = wide_silu(value);
  const float found = causal_conv1d::silu{}(value);
  const long double error = std::fabs(static_cast<long double>(found) - expected);
  const long double allowed = std::fabs(expected) >= 3e-37L ? 2e-6L * std::fabs(expected) : 3e-37L;
  EXPECT_LE(error, allowed) << "silu(" << value << ") = " << found;
}

TEST(silu, float_errors_over_the_whole_range) {
  // Every 4099th float, of both signs and all magnitudes.
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 4099) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const std::uint32_t pattern = bits | sign;
      float value = 0;
      std::memcpy(&value, &pattern, sizeof value);
      expect_silu_close(value);
    }
  }
}

TEST(silu, float_errors_where_values_are_common) {
  for (int i = -1200000; i <= 1200000; ++i) {
    expect_silu_close(static_cast<float>(i) * 1e-5f);
  }
}

TEST(silu, float_errors_around_overflow) {
  for (int i = -20000; i <= 20000; ++i) {
    expect_silu_close(-88.0f + static_cast<float>(i) * 1e-3f);
    expect_silu_close(88.0f + static_cast<float>(i) * 1e-3f);
  }
}

TEST(silu, float_extremes) {
  const causal_conv1d::silu silu;
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(silu(0.0f), 0.0f);
  EXPECT_TRUE(std::signbit(silu(-0.0f)));
  EXPECT_EQ(silu(infinity), infinity);
  EXPECT_TRUE(std::isnan(silu(-infinity)));
  EXPECT_TRUE(std::isnan(silu(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(silu(std::numeric_limits<float>::max()), std::numeric_limits<float>::max());
  EXPECT_LE(std::fabs(silu(-std::numeric_limits<float>::max())), 4e-37f);
  EXPECT_EQ(silu(100.0f), 100.0f);
}

TEST(silu, double_errors_over_the_whole_range) {
  random_source random(101);
  const auto expect_close = [](double value) {
    const long double expected = wide_silu(value);
    const double found = causal_conv1d::silu{}(value);
    const long double error = std::fabs(static_cast<long double>(found) - expected);
    const long double allowed = std::fabs(expected) >= 5e-306L ? 1e-15L * std::fabs(expected) : 5e-306L;
    EXPECT_LE(error, allowed) << "silu(" << value << ") = " << found;
  };
  for (int i = 0; i < 400000; ++i) {
    expect_close(random.real(-30.0, 30.0));
    expect_close(random.real(-720.0, 720.0));
    expect_close(std::ldexp(random.real(-2.0, 2.0), static_cast<int>(random.integer(-1020, 1000))));
  }
}

TEST(silu, double_extremes) {
  const causal_conv1d::silu silu;
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(silu(0.0), 0.0);
  EXPECT_TRUE(std::signbit(silu(-0.0)));
  EXPECT_EQ(silu(infinity), infinity);
  EXPECT_TRUE(std::isnan(silu(-infinity)));
  EXPECT_TRUE(std::isnan(silu(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(silu(1000.0), 1000.0);
}

TEST(identity, hands_values_through) {
  EXPECT_EQ(causal_conv1d::identity{}(0.1f), 0.1f);
  EXPECT_EQ(causal_conv1d::identity{}(0.1), 0.1);
  EXPECT_TRUE(std::signbit(causal_conv1d::identity{}(-0.0f)));
}

/// A user's activation with parameters and without a channel.
struct clipped {
  float lowest;
  float highest;
  float operator()(float value) const { return value < lowest ? lowest : value > highest ? highest : value; }
};

TEST(user_activation, keeps_its_parameters) {
  const float x[] = {-3, -1, 0, 1, 3};
  const float weight[] = {1};
  float out[5] = {};
  causal_conv1d::forward_args<float, float, clipped> args;
  args.activation = clipped{-0.5f, 2.0f};
  args.x = causal_conv1d::channel_first(x, 1, 1, 5);
  args.weight = causal_conv1d::weight_view(weight, 1, 1);
  args.out = causal_conv1d::channel_first(out, 1, 1, 5);
  ASSERT_TRUE(causal_conv1d::forward<causal_conv1d::only_width<1>>(causal_conv1d::host_execution{}, args));
  const float expected[] = {-0.5f, -0.5f, 0, 1, 2};
  for (int t = 0; t < 5; ++t) {
    EXPECT_EQ(out[t], expected[t]);
  }
}

/// A user's activation that takes the channel, and points to the user's own data.
struct offset_by_channel {
  const float* offsets;
  float operator()(float value, std::int64_t channel) const { return value + offsets[channel]; }
};

TEST(user_activation, takes_the_channel) {
  constexpr int channels = 300;
  std::vector<float> offsets(channels);
  for (int c = 0; c < channels; ++c) {
    offsets[static_cast<std::size_t>(c)] = static_cast<float>(c);
  }
  for (const bool channel_last : {false, true}) {
    std::vector<float> x(channels * 5, 1.0f);
    std::vector<float> out(channels * 5, -1.0f);
    const float weight[] = {1};
    causal_conv1d::forward_args<float, float, offset_by_channel> args;
    args.activation = offset_by_channel{offsets.data()};
    const auto view = [&](auto* data) {
      return channel_last ? causal_conv1d::channel_last(data, 1, channels, 5)
                          : causal_conv1d::channel_first(data, 1, channels, 5);
    };
    args.x = view(static_cast<const float*>(x.data()));
    args.weight = causal_conv1d::weight_view(weight, 1, 1);
    args.out = view(out.data());
    ASSERT_TRUE(causal_conv1d::forward<causal_conv1d::only_width<1>>(causal_conv1d::host_execution{}, args));
    for (int c = 0; c < channels; ++c) {
      for (int t = 0; t < 5; ++t) {
        const int at = channel_last ? t * channels + c : c * 5 + t;
        EXPECT_EQ(out[static_cast<std::size_t>(at)], 1.0f + static_cast<float>(c));
      }
    }
  }
}

}  // namespace
}  // namespace causal_conv1d_test
