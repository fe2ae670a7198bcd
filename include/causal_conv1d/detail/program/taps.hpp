// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The one place where taps are summed.
#pragma once

#include <causal_conv1d/detail/program/arithmetic.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// One tap of several outputs: a filter value and an input value for each lane, or one filter value for all.
template <class Accumulator>
struct tap_lanes {
  const Accumulator* weight;
  const Accumulator* value;
};

/// A count known to the compiler, where an int may stand too.
template <int Count>
struct static_count {
  CAUSAL_CONV1D_HOST_DEVICE constexpr operator int() const { return Count; }
};

/// sum[i] += weight(j, i) * value(j, i) for i < lanes and j = 0 .. width - 1 in this order, each step one fused
/// multiply-add on unrounded values. The caller sets the sums to the bias; absent history is a value of +0 that is
/// multiplied like any other. `width` and `lanes` are an int or a static_count; `tap(j)` gives the j-th tap's lanes.
template <bool WeightPerLane, class Width, class Lanes, class Accumulator, class Tap>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void sum_taps(Width width, Lanes lanes, Accumulator* sum,
                                                                   const Tap& tap) {
  CAUSAL_CONV1D_UNROLL
  for (int j = 0; j < width; ++j) {
    const tap_lanes<Accumulator> operands = tap(j);
    CAUSAL_CONV1D_UNROLL
    for (int i = 0; i < lanes; ++i) {
      sum[i] = fused_multiply_add(operands.weight[WeightPerLane ? i : 0], operands.value[i], sum[i]);
    }
  }
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
