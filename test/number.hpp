// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The tests' own number formats: decoding and encoding through double arithmetic, written from the definition of the
/// formats and sharing nothing with the library.
#pragma once

#include <causal_conv1d/element.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace causal_conv1d_test {

using causal_conv1d::data_type;

constexpr data_type all_types[] = {data_type::float32, data_type::float64, data_type::float16, data_type::bfloat16};

inline const char* name_of(data_type type) {
  switch (type) {
    case data_type::float32: return "float32";
    case data_type::float64: return "float64";
    case data_type::float16: return "float16";
    case data_type::bfloat16: return "bfloat16";
  }
  return "unknown";
}

inline int bytes_of(data_type type) { return type == data_type::float64 ? 8 : type == data_type::float32 ? 4 : 2; }

/// A binary interchange format of 16 bits.
struct short_format {
  int exponent_bits;
  int mantissa_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int largest_exponent_field() const { return (1 << exponent_bits) - 1; }
};

inline short_format short_format_of(data_type type) {
  return type == data_type::float16 ? short_format{5, 10} : short_format{8, 7};
}

inline double decode_short(std::uint16_t bits, short_format format) {
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const int exponent = (bits >> format.mantissa_bits) & format.largest_exponent_field();
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == format.largest_exponent_field()) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  const int significand = exponent == 0 ? mantissa : mantissa + (1 << format.mantissa_bits);
  const int power = (exponent == 0 ? 1 : exponent) - format.bias() - format.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(significand), power);
}

/// To nearest, ties to even, from the exact value of `value`.
inline std::uint16_t encode_short(double value, short_format format) {
  const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
  const unsigned infinity = static_cast<unsigned>(format.largest_exponent_field()) << format.mantissa_bits;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | infinity | (1u << (format.mantissa_bits - 1)));
  }
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) {
    return static_cast<std::uint16_t>(sign | infinity);
  }
  if (magnitude == 0.0) {
    return static_cast<std::uint16_t>(sign);
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent with f in [0.5, 1)
  const int smallest = 1 - format.bias();
  const int unit = (exponent - 1 > smallest ? exponent - 1 : smallest) - format.mantissa_bits;
  const double scaled = std::ldexp(magnitude, -unit);  // exact
  double units = std::floor(scaled);
  const double rest = scaled - units;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(units, 2.0) != 0.0)) {
    units += 1.0;
  }
  const double one = std::ldexp(1.0, format.mantissa_bits);
  if (units < one) {
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(units));
  }
  const unsigned field = static_cast<unsigned>(unit + format.mantissa_bits + format.bias());
  const unsigned bits = (field << format.mantissa_bits) + static_cast<unsigned>(units - one);
  return static_cast<std::uint16_t>(sign | (bits < infinity ? bits : infinity));
}

/// The value of a stored element.
inline double decode(data_type type, const void* from) {
  if (type == data_type::float64) {
    double value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  if (type == data_type::float32) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, from, sizeof bits);
  return decode_short(bits, short_format_of(type));
}

/// Stores a value, rounded once to nearest even.
inline void encode(data_type type, double value, void* to) {
  if (type == data_type::float64) {
    std::memcpy(to, &value, sizeof value);
  } else if (type == data_type::float32) {
    const float narrowed = static_cast<float>(value);
    std::memcpy(to, &narrowed, sizeof narrowed);
  } else {
    const std::uint16_t bits = encode_short(value, short_format_of(type));
    std::memcpy(to, &bits, sizeof bits);
  }
}

/// A value rounded to a type.
inline double rounded_to(data_type type, double value) {
  unsigned char bytes[8] = {};
  encode(type, value, bytes);
  return decode(type, bytes);
}

/// The distance between neighbours of a type near a value: its rounding error is at most half of it.
inline double spacing(data_type type, double value) {
  const int mantissa_bits = type == data_type::float64   ? 52
                            : type == data_type::float32 ? 23
                                                         : short_format_of(type).mantissa_bits;
  const int smallest = type == data_type::float64 ? -1022 : type == data_type::float16 ? -14 : -126;
  int exponent = smallest + 1;
  if (value != 0.0 && std::isfinite(value)) {
    std::frexp(value, &exponent);
  }
  return std::ldexp(1.0, (exponent - 1 > smallest ? exponent - 1 : smallest) - mantissa_bits);
}

/// Whether two stored elements are the same number to the bit; every NaN equals every other.
inline bool same_bits(data_type type, const void* a, const void* b) {
  return std::memcmp(a, b, static_cast<std::size_t>(bytes_of(type))) == 0 ||
         (std::isnan(decode(type, a)) && std::isnan(decode(type, b)));
}

/// Whether every value of `narrow` is a value of `wide`.
inline bool holds(data_type wide, data_type narrow) {
  return wide == narrow || wide == data_type::float64 ||
         (wide == data_type::float32 && (narrow == data_type::float16 || narrow == data_type::bfloat16));
}

}  // namespace causal_conv1d_test
