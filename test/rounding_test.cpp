// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Rounding of outputs and states: every pattern of the 16-bit formats, and the values where rounding decides.

#include "run_problem.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace causal_conv1d_test {
namespace {

/// A value where rounding to a 16-bit format decides: half-way between neighbours, or the least bit beside that.
double near_a_tie(data_type type, random_source& random) {
  const data_type narrow = random.flip() ? data_type::float16 : data_type::bfloat16;
  const short_format format = short_format_of(narrow);
  const auto bits = static_cast<std::uint16_t>(random.integer(0, 0xffff));
  const double value = decode_short(bits, format);
  const double next = decode_short(static_cast<std::uint16_t>(bits + 1), format);
  if (!std::isfinite(value) || !std::isfinite(next) || std::signbit(value) != std::signbit(next)) {
    return value;
  }
  const double middle = value + (next - value) / 2;
  const int which = static_cast<int>(random.integer(-1, 1));
  if (which == 0) {
    return middle;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return type == data_type::float64 ? std::nextafter(middle, which * infinity)
                                    : std::nextafterf(static_cast<float>(middle), static_cast<float>(which * infinity));
}

using parameters = std::tuple<data_type, data_type>;

class rounding : public executor_test_with<parameters> {};

/// Width 1 with the weight 1 hands x through.
TEST_P(rounding, of_outputs_and_states) {
  const auto input = std::get<0>(GetParam());
  const auto output = std::get<1>(GetParam());
  random_source random(21);
  const std::int64_t length = 65536;
  for (const bool channel_last : {false, true}) {
    forward_problem problem;
    problem.x = channel_last ? make_channel_last(input, 1, length / 256, 256) : make_channel_first(input, 1, 1, length);
    problem.out =
        channel_last ? make_channel_last(output, 1, length / 256, 256) : make_channel_first(output, 1, 1, length);
    std::int64_t index = 0;
    problem.x.fill([&](std::int64_t, std::int64_t, std::int64_t) {
      const auto bits = static_cast<std::uint16_t>(index++);
      return bytes_of(input) == 2 ? decode_short(bits, short_format_of(input)) : near_a_tie(input, random);
    });
    problem.weight = make_channel_first(data_type::float16, 1, 1, 1);
    problem.weight.set(0, 0, 0, 1.0);
    for (const data_type state_type : all_types) {
      // A NaN's bits are free, and a copy between equal types keeps them; so only its being one is compared.
      problem.final_state = make_channel_first(state_type, 1, problem.x.channels, problem.x.length);
      const forward_outcome outcome = run_forward(where(), problem);
      ASSERT_TRUE(outcome.status);
      expect_exact(problem, outcome);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(forward, rounding,
                         ::testing::Combine(::testing::ValuesIn(all_types), ::testing::ValuesIn(all_types)),
                         [](const ::testing::TestParamInfo<parameters>& parameter) {
                           return std::string(name_of(std::get<0>(parameter.param))) + "_to_" +
                                  name_of(std::get<1>(parameter.param));
                         });

class special_values : public executor_test_with<data_type> {};

TEST_P(special_values, a_nan_spreads_over_its_window_and_no_further) {
  random_source random(22);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t width : {1, 4, 8, 20}) {
      plain_shape shape;
      shape.type = GetParam();
      shape.channels = 24;
      shape.length = 200;
      shape.width = width;
      shape.channel_last = channel_last;
      forward_problem problem = make_problem(shape, random);
      problem.x.set(0, 7, 100, std::numeric_limits<double>::quiet_NaN());
      const forward_outcome outcome = run_forward(where(), problem);
      ASSERT_TRUE(outcome.status);
      outcome.out.for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) {
        const bool expected = c == 7 && t >= 100 && t < 100 + width;
        EXPECT_EQ(std::isnan(outcome.out.get(b, c, t)), expected) << c << " " << t << " width " << width;
      });
    }
  }
}

TEST_P(special_values, infinite_history_meets_absent_history) {
  // Absent history is +0 and is multiplied: an infinite weight makes it NaN.
  random_source random(23);
  for (const bool channel_last : {false, true}) {
    plain_shape shape;
    shape.type = GetParam();
    shape.channels = 3;
    shape.length = 12;
    shape.channel_last = channel_last;
    forward_problem problem = make_problem(shape, random);
    problem.weight.set(0, 1, 0, std::numeric_limits<double>::infinity());
    const forward_outcome outcome = run_forward(where(), problem);
    ASSERT_TRUE(outcome.status);
    for (std::int64_t t = 0; t < 12; ++t) {
      EXPECT_EQ(std::isnan(outcome.out.get(0, 1, t)), t < 3) << t;
      EXPECT_TRUE(t < 3 || std::isinf(outcome.out.get(0, 1, t))) << t;
      EXPECT_TRUE(std::isfinite(outcome.out.get(0, 0, t))) << t;
    }
  }
}

TEST_P(special_values, zeros_keep_the_sign_that_the_sum_gives) {
  random_source random(24);
  for (const double zero : {0.0, -0.0}) {
    plain_shape shape;
    shape.type = GetParam();
    shape.channels = 3;
    shape.length = 12;
    forward_problem problem = make_problem(shape, random);
    problem.x.fill([&](std::int64_t, std::int64_t, std::int64_t) { return zero; });
    problem.bias.fill([&](std::int64_t, std::int64_t c, std::int64_t) { return c == 0 ? -0.0 : 0.0; });
    expect_exact(problem, run_forward(where(), problem));
  }
}

INSTANTIATE_TEST_SUITE_P(forward, special_values, ::testing::ValuesIn(all_types),
                         [](const ::testing::TestParamInfo<data_type>& parameter) {
                           return std::string(name_of(parameter.param));
                         });

}  // namespace
}  // namespace causal_conv1d_test
