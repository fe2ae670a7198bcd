// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Activations: objects passed by value that map a sum to an output. A user's own is any copyable object with
/// `T operator()(T value) const` or `T operator()(T value, std::int64_t channel) const` for T = float (double where x
/// is double), marked CAUSAL_CONV1D_HOST_DEVICE if it is to run on a GPU. The compiler may contract its arithmetic with
/// itself and with the last tap (a negation, say), so its bits, unlike those of the built-in ones, may depend on it.
#pragma once

#include <causal_conv1d/detail/program/arithmetic.hpp>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// out = pre.
struct identity {
  template <class T>
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE T operator()(T value) const {
    return value;
  }
};

/// out = pre / (1 + exp(-pre)), also known as swish. Error in float, besides 1.1e-36 (below -87.3 it may be 0): on a
/// CPU below 2e-6 of the result, on a GPU below 2e-6 + 7e-8 * |pre| of it. Error in double: below 1e-15 of the result
/// plus 5e-306. +infinity gives itself, -infinity gives NaN.
struct silu {
  template <class T>
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE T operator()(T value) const {
    return detail::silu(value);
  }
};

CAUSAL_CONV1D_NAMESPACE_END
