// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The library's number formats against the tests' own.

#include "number.hpp"
#include "random.hpp"

#include <causal_conv1d/element.hpp>
#include <causal_conv1d/state.hpp>
#include <causal_conv1d/tensor_view.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::bfloat16;
using causal_conv1d::half;

template <class T>
class short_element : public ::testing::Test {
 protected:
  static constexpr data_type type = causal_conv1d::element<T>::type;

  static std::uint16_t expected_bits(double value) { return encode_short(value, short_format_of(type)); }

  template <class Value>
  static void expect_rounded(Value value) {
    const std::uint16_t found = causal_conv1d::from_accumulator<T>(value).bits;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(decode_short(found, short_format_of(type))));
    } else {
      EXPECT_EQ(found, expected_bits(value)) << std::hexfloat << value;
    }
  }
};

using short_types = ::testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(short_element, short_types);

TYPED_TEST(short_element, every_pattern_widens_exactly) {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const float wide = causal_conv1d::to_accumulator(TypeParam{static_cast<std::uint16_t>(bits)});
    const double expected = decode_short(static_cast<std::uint16_t>(bits), short_format_of(this->type));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
    } else {
      EXPECT_EQ(static_cast<double>(wide), expected) << bits;
      EXPECT_EQ(std::signbit(wide), std::signbit(expected)) << bits;
    }
  }
}

TYPED_TEST(short_element, every_pattern_survives_the_round_trip) {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const TypeParam stored{static_cast<std::uint16_t>(bits)};
    const float wide = causal_conv1d::to_accumulator(stored);
    if (!std::isnan(wide)) {
      EXPECT_EQ(causal_conv1d::from_accumulator<TypeParam>(wide).bits, bits);
      EXPECT_EQ(causal_conv1d::from_accumulator<TypeParam>(static_cast<double>(wide)).bits, bits);
    } else {
      EXPECT_TRUE(std::isnan(causal_conv1d::to_accumulator(causal_conv1d::from_accumulator<TypeParam>(wide)))) << bits;
    }
  }
}

TYPED_TEST(short_element, floats_beside_every_tie_round_to_even) {
  const short_format format = short_format_of(this->type);
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const double value = decode_short(static_cast<std::uint16_t>(bits), format);
    const double next = decode_short(static_cast<std::uint16_t>(bits + 1), format);
    if (!std::isfinite(value) || std::isnan(next)) {
      continue;
    }
    // Before infinity the tie is where the next value would be.
    const double step = std::isinf(next) ? spacing(this->type, value) * (value < 0 ? -1 : 1) : next - value;
    const auto tie = static_cast<float>(value + step / 2);
    this->expect_rounded(tie);
    this->expect_rounded(std::nextafterf(tie, std::numeric_limits<float>::infinity()));
    this->expect_rounded(std::nextafterf(tie, -std::numeric_limits<float>::infinity()));
  }
}

TYPED_TEST(short_element, doubles_beside_every_tie_are_rounded_once) {
  const short_format format = short_format_of(this->type);
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const double value = decode_short(static_cast<std::uint16_t>(bits), format);
    const double next = decode_short(static_cast<std::uint16_t>(bits + 1), format);
    if (!std::isfinite(value) || std::isnan(next)) {
      continue;
    }
    const double step = std::isinf(next) ? spacing(this->type, value) * (value < 0 ? -1 : 1) : next - value;
    const double tie = value + step / 2;
    // Beside the tie by less than a float can hold: rounding by way of float would land on the tie.
    this->expect_rounded(tie);
    this->expect_rounded(std::nextafter(tie, std::numeric_limits<double>::infinity()));
    this->expect_rounded(std::nextafter(tie, -std::numeric_limits<double>::infinity()));
    this->expect_rounded(tie + step * 0x1p-30);
    this->expect_rounded(tie - step * 0x1p-30);
  }
}

TYPED_TEST(short_element, random_values_of_every_magnitude) {
  random_source random(91);
  for (int i = 0; i < 300000; ++i) {
    const auto float_bits = static_cast<std::uint32_t>(random.bits());
    float value = 0;
    std::memcpy(&value, &float_bits, sizeof value);
    this->expect_rounded(value);
    const std::uint64_t double_bits = random.bits();
    double wide = 0;
    std::memcpy(&wide, &double_bits, sizeof wide);
    this->expect_rounded(wide);
    this->expect_rounded(std::ldexp(random.real(-2, 2), static_cast<int>(random.integer(-160, 130))));
  }
}

TYPED_TEST(short_element, extremes) {
  for (const double value : {0.0,
                             -0.0,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::max(),
                             -std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min(),
                             -std::numeric_limits<double>::denorm_min(),
                             static_cast<double>(std::numeric_limits<float>::max()),
                             65504.0,
                             65519.0,
                             65519.999,
                             65520.0,
                             65536.0,
                             0x1p-24,
                             0x1p-25,
                             0x1.000002p-25,
                             0x1p-14,
                             0x1.ffcp-15,
                             0x1p-126,
                             0x1p-133,
                             0x1p-134,
                             0x1.0001p-134,
                             0x1p-149,
                             0x1p-150,
                             0x1.0000001p-150,
                             0x1p-200}) {
    this->expect_rounded(value);
    this->expect_rounded(-value);
    this->expect_rounded(static_cast<float>(value));
  }
  this->expect_rounded(std::numeric_limits<double>::quiet_NaN());
  this->expect_rounded(std::numeric_limits<float>::quiet_NaN());
  this->expect_rounded(std::numeric_limits<float>::signaling_NaN());
}

TEST(element, doubles_become_floats_to_nearest) {
  EXPECT_EQ(causal_conv1d::from_accumulator<float>(1.0 + 0x1p-25), 1.0f);
  EXPECT_EQ(causal_conv1d::from_accumulator<float>(1.0 + 0x1p-24), 1.0f);
  EXPECT_EQ(causal_conv1d::from_accumulator<float>(1.0 + 0x1.0000001p-24), std::nextafterf(1.0f, 2.0f));
  EXPECT_EQ(causal_conv1d::from_accumulator<double>(0.1), 0.1);
  EXPECT_EQ(causal_conv1d::from_accumulator<double>(0.1f), static_cast<double>(0.1f));
  EXPECT_EQ(causal_conv1d::from_accumulator<float>(0.1f), 0.1f);
}

TEST(element, types_describe_themselves) {
  using causal_conv1d::element;
  EXPECT_EQ(element<float>::type, data_type::float32);
  EXPECT_EQ(element<double>::type, data_type::float64);
  EXPECT_EQ(element<half>::type, data_type::float16);
  EXPECT_EQ(element<bfloat16>::type, data_type::bfloat16);
  EXPECT_EQ(element<__half>::type, data_type::float16);
  EXPECT_EQ(element<__nv_bfloat16>::type, data_type::bfloat16);
  static_assert(std::is_same<element<bfloat16>::accumulator, float>::value, "16-bit inputs are summed in float");
  static_assert(std::is_same<element<double>::accumulator, double>::value, "double is summed in double");
  for (const data_type type : all_types) {
    EXPECT_EQ(causal_conv1d::size_in_bytes(type), bytes_of(type));
  }
}

TEST(tensor_view, common_layouts) {
  float* const data = nullptr;
  const auto first = causal_conv1d::channel_first(data, 2, 3, 5);
  EXPECT_EQ(first.batch_stride, 15);
  EXPECT_EQ(first.channel_stride, 5);
  EXPECT_EQ(first.time_stride, 1);
  const auto last = causal_conv1d::channel_last(data, 2, 3, 5);
  EXPECT_EQ(last.batch_stride, 15);
  EXPECT_EQ(last.channel_stride, 1);
  EXPECT_EQ(last.time_stride, 3);
  const causal_conv1d::tensor_view<const float> read_only = last;
  EXPECT_EQ(read_only.length, 5);
  const causal_conv1d::state_view state = causal_conv1d::channel_first(data, 4, 3, 6);
  EXPECT_EQ(state.slots, 4);
  EXPECT_EQ(state.entries, 6);
  EXPECT_EQ(state.type, data_type::float32);
  const causal_conv1d::const_state_view read_only_state = state;
  EXPECT_EQ(read_only_state.channel_stride, 6);
}

}  // namespace
}  // namespace causal_conv1d_test
