// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Element types: what can stand in a tensor, and how it is converted. The only place that knows a number format.
#pragma once

#include <causal_conv1d/config.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

struct __half;  // the toolkit's types, named without their headers
struct __nv_bfloat16;

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// IEEE binary16 as stored: the same 16 bits as the toolkit's `__half`, for builds with or without a toolkit.
struct CAUSAL_CONV1D_MAY_ALIAS half {
  std::uint16_t bits;
};

/// bfloat16 as stored: the same 16 bits as the toolkit's `__nv_bfloat16`, for builds with or without a toolkit.
struct CAUSAL_CONV1D_MAY_ALIAS bfloat16 {
  std::uint16_t bits;
};

/// An element type as a value.
enum class data_type : std::uint8_t { float32, float64, float16, bfloat16 };

/// Size of one element in bytes.
CAUSAL_CONV1D_HOST_DEVICE constexpr int size_in_bytes(data_type type) {
  return type == data_type::float64 ? 8 : type == data_type::float32 ? 4 : 2;
}

namespace detail {

template <class To, class From>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
#if CAUSAL_CONV1D_DEVICE_CODE || !defined(__GNUC__) || defined(__clang__) || __GNUC__ >= 11
  if constexpr (sizeof(To) <= 8) {
    return __builtin_bit_cast(To, from);
  }
#endif
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// float to double and back, to nearest even. On the device by the instruction itself: `--use_fast_math` would make the
/// compiler's own conversion flush subnormals.
template <class To, class From>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE To convert(From value) {
#if CAUSAL_CONV1D_DEVICE_CODE
  if constexpr (std::is_same<To, double>::value && std::is_same<From, float>::value) {
    double wide;
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(value));
    return wide;
  } else if constexpr (std::is_same<To, float>::value && std::is_same<From, double>::value) {
    float narrow;
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(narrow) : "d"(value));
    return narrow;
  } else {
    return value;
  }
#else
  return static_cast<To>(value);
#endif
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float widen(bfloat16 value) {
  return bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// All ones where a < b, for 0 <= a, b < 2^31. A mask rather than a condition: g++ moves arithmetic into a condition's
/// branches and then does not make SIMD code of the loop.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::uint32_t mask_if_less(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a - b) >> 31);
}

// No intermediate value is a subnormal float, so a thread that flushes subnormals still converts exactly.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float widen(half value) {
#if CAUSAL_CONV1D_DEVICE_CODE
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
#else
  const std::uint32_t magnitude = value.bits & 0x7fffu;
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t rebias = 112u << 23;  // binary32 has 127 where binary16 has 15
  const std::uint32_t normal = (magnitude << 13) + rebias;
  const float subnormal = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f;
  const std::uint32_t is_subnormal = mask_if_less(magnitude, 0x0400u);
  const std::uint32_t is_special = mask_if_less(0x7bffu, magnitude);  // infinity, NaN: the largest exponent again
  const std::uint32_t finite = (bit_cast<std::uint32_t>(subnormal) & is_subnormal) | (normal & ~is_subnormal);
  return bit_cast<float>((finite + (rebias & is_special)) | sign);
#endif
}

template <class To>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE To narrow(float value);

template <>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE bfloat16 narrow<bfloat16>(float value) {
#if CAUSAL_CONV1D_DEVICE_ARCHITECTURE >= 800
  bfloat16 narrowed;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrowed.bits) : "f"(value));
  return narrowed;
#else
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return bfloat16{
      static_cast<std::uint16_t>(is_nan ? 0x7fffu : rounded)};  // the NaN that the device's conversion gives
#endif
}

template <>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE half narrow<half>(float value) {
#if CAUSAL_CONV1D_DEVICE_CODE
  half narrowed;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrowed.bits) : "f"(value));
  return narrowed;
#else
  const std::uint32_t bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  // Below 2^-14 the spacing is 2^-24, which is the spacing of binary32 just above 0.5: the addition rounds.
  const float half_unit = 0.5f;
  const std::uint32_t subnormal =
      bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + half_unit) - bit_cast<std::uint32_t>(half_unit);
  const std::uint32_t is_subnormal = mask_if_less(magnitude, 0x38800000u);
  const std::uint32_t finite = (subnormal & is_subnormal) | (normal & ~is_subnormal);
  const std::uint32_t bounded = finite < 0x7c00u ? finite : 0x7c00u;  // 65520 and above round to infinity
  const std::uint32_t is_nan = mask_if_less(0x7f800000u, magnitude);
  const std::uint32_t nan = 0x7fffu;  // the one that the device's conversion gives
  return half{static_cast<std::uint16_t>(((bounded | sign) & ~is_nan) | (nan & is_nan))};
#endif
}

template <>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float narrow<float>(float value) {
  return value;
}

template <>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE double narrow<double>(float value) {
  return convert<double>(value);
}

// binary64 to binary32, to odd: what a second rounding to a 16-bit format needs so that the result is rounded once.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float round_to_odd(double value) {
  const float nearest = convert<float>(value);
  const std::uint32_t bits = bit_cast<std::uint32_t>(nearest);
  const double back = convert<double>(nearest);
  const double back_magnitude = back < 0 ? -back : back;
  const double magnitude = value < 0 ? -value : value;
  const bool keep = (bits & 1u) != 0 || !(back < value || back > value);
  return keep ? nearest : bit_cast<float>(back_magnitude > magnitude ? bits - 1u : bits + 1u);
}

template <class To>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE To narrow(double value) {
  if constexpr (std::is_same<To, double>::value) {
    return value;
  } else if constexpr (std::is_same<To, float>::value) {
    return convert<float>(value);
  } else {
    return narrow<To>(round_to_odd(value));
  }
}

template <class Storage, data_type Type, class Accumulator>
struct element_base {
  using storage = Storage;          ///< what the programs read and write: same size, alignment and bits
  using accumulator = Accumulator;  ///< what sums over this element as input are kept in
  static constexpr data_type type = Type;
};

}  // namespace detail

/// Describes an element type. A type of the user's own that has the bits of a known format joins by one line:
/// `template <> struct causal_conv1d::element<my_bf16> : causal_conv1d::element<causal_conv1d::bfloat16> {};`
template <class T>
struct element;
template <>
struct element<float> : detail::element_base<float, data_type::float32, float> {};
template <>
struct element<double> : detail::element_base<double, data_type::float64, double> {};
template <>
struct element<half> : detail::element_base<half, data_type::float16, float> {};
template <>
struct element<bfloat16> : detail::element_base<bfloat16, data_type::bfloat16, float> {};
template <>
struct element<::__half> : element<half> {};
template <>
struct element<::__nv_bfloat16> : element<bfloat16> {};

/// Whether element<T> is known.
template <class T, class = void>
struct is_element : std::false_type {};
template <class T>
struct is_element<T, std::void_t<typename element<T>::storage>> : std::true_type {};

/// Converts an element exactly to the type in which sums over it are kept: float, or double for double.
template <class Storage>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE auto to_accumulator(Storage value) {
  if constexpr (std::is_same<Storage, float>::value || std::is_same<Storage, double>::value) {
    return value;
  } else {
    return detail::widen(value);
  }
}

/// Converts float or double to an element, rounding once, to nearest even. A NaN stays a NaN.
template <class Storage, class Value>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE Storage from_accumulator(Value value) {
  return detail::narrow<Storage>(value);
}

CAUSAL_CONV1D_NAMESPACE_END
