// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Arithmetic with the same bits in every compilation: explicit fused multiply-adds, and nothing that a compiler could
/// contract into one.
#pragma once

#include <causal_conv1d/config.hpp>
#include <causal_conv1d/element.hpp>  // bit_cast

#include <cmath>
#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float fused_multiply_add(float a, float b, float c) {
#if CAUSAL_CONV1D_DEVICE_CODE
  return __fmaf_ieee_rn(a, b, c);  // __fmaf_rn would flush subnormals under --use_fast_math
#elif defined(__GNUC__)
  return __builtin_fmaf(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE double fused_multiply_add(double a, double b, double c) {
#if CAUSAL_CONV1D_DEVICE_CODE
  return __fma_rn(a, b, c);
#elif defined(__GNUC__)
  return __builtin_fma(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

// exp(x) = 2^n * exp(r) with n = round(x / ln 2) and |r| <= ln(2) / 2; exp(r) by its Taylor polynomial. Written so that
// loops over elements become SIMD code: n is found by adding 1.5 * 2^(mantissa bits), whose last bits then hold it; the
// argument is bounded by an integer minimum (beyond the bound the result is infinite or 0 anyway); 2^n is applied in
// two halves, which overflow and underflow by themselves. A selection at the end would do too, but g++ moves the
// arithmetic into its branch and then refuses the loop. NaN counts as the bound.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float exponential(float x) {
  const std::uint32_t bits = bit_cast<std::uint32_t>(x);
  const std::int32_t magnitude = static_cast<std::int32_t>(bits & 0x7fffffffu);
  const std::int32_t bound = 0x42d00000;  // 104, where exp(-x) is less than half the smallest float
  const std::int32_t bounded_magnitude = magnitude < bound ? magnitude : bound;
  const float bounded = bit_cast<float>(static_cast<std::uint32_t>(bounded_magnitude) | (bits & 0x80000000u));

  const float shift = 12582912.0f;  // 1.5 * 2^23
  const float shifted = fused_multiply_add(bounded, 1.44269504088896341f, shift);
  const float n = shifted - shift;
  const float high = fused_multiply_add(n, -0.693145751953125f, bounded);  // ln 2 in two parts: n * the first is exact
  const float r = fused_multiply_add(n, -1.42860682030941723e-6f, high);

  float p = 1.0f / 720;
  p = fused_multiply_add(p, r, 1.0f / 120);
  p = fused_multiply_add(p, r, 1.0f / 24);
  p = fused_multiply_add(p, r, 1.0f / 6);
  p = fused_multiply_add(p, r, 0.5f);
  p = fused_multiply_add(p, r, 1.0f);
  p = fused_multiply_add(p, r, 1.0f);

  const std::int32_t exponent = bit_cast<std::int32_t>(shifted) - 0x4b400000;  // n: the bits of `shift` taken off
  const std::int32_t half_exponent = exponent >> 1;
  const float first = bit_cast<float>((half_exponent + 127) << 23);
  const float second = bit_cast<float>((exponent - half_exponent + 127) << 23);
  return p * first * second;
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE double exponential(double x) {
  const std::uint64_t bits = bit_cast<std::uint64_t>(x);
  const std::int64_t magnitude = static_cast<std::int64_t>(bits & 0x7fffffffffffffffu);
  const std::int64_t bound = 0x4087500000000000;  // 746, where exp(-x) is less than half the smallest double
  const std::int64_t bounded_magnitude = magnitude < bound ? magnitude : bound;
  const double bounded = bit_cast<double>(static_cast<std::uint64_t>(bounded_magnitude) | (bits & 0x8000000000000000u));

  const double shift = 6755399441055744.0;  // 1.5 * 2^52
  const double shifted = fused_multiply_add(bounded, 1.44269504088896340736, shift);
  const double n = shifted - shift;
  const double high = fused_multiply_add(n, -0.693147180369123816490, bounded);
  const double r = fused_multiply_add(n, -1.90821492927058770002e-10, high);

  double p = 1.0 / 6227020800.0;
  p = fused_multiply_add(p, r, 1.0 / 479001600.0);
  p = fused_multiply_add(p, r, 1.0 / 39916800.0);
  p = fused_multiply_add(p, r, 1.0 / 3628800.0);
  p = fused_multiply_add(p, r, 1.0 / 362880.0);
  p = fused_multiply_add(p, r, 1.0 / 40320.0);
  p = fused_multiply_add(p, r, 1.0 / 5040.0);
  p = fused_multiply_add(p, r, 1.0 / 720.0);
  p = fused_multiply_add(p, r, 1.0 / 120.0);
  p = fused_multiply_add(p, r, 1.0 / 24.0);
  p = fused_multiply_add(p, r, 1.0 / 6.0);
  p = fused_multiply_add(p, r, 0.5);
  p = fused_multiply_add(p, r, 1.0);
  p = fused_multiply_add(p, r, 1.0);

  const std::int64_t exponent = bit_cast<std::int64_t>(shifted) - 0x4338000000000000;
  const std::int64_t half_exponent = exponent >> 1;
  const double first = bit_cast<double>((half_exponent + 1023) << 52);
  const double second = bit_cast<double>((exponent - half_exponent + 1023) << 52);
  return p * first * second;
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE float silu(float x) {
#if CAUSAL_CONV1D_DEVICE_CODE
  // The special-function unit, flushing subnormals: no range fixes, which would cost as much as the convolution.
  float power;
  float sigmoid;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * -1.44269504088896341f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(sigmoid) : "f"(1.0f + power));
  return x * sigmoid;
#else
  return x / (1.0f + exponential(-x));
#endif
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE double silu(double x) { return x / (1.0 + exponential(-x)); }

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
