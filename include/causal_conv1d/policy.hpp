// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Policies: which shapes a call is compiled for. `forward<policy>(execution, args)`. A call that only writes states
/// runs under every policy.
#pragma once

#include <causal_conv1d/config.hpp>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// The widths that get code of their own; any other width is served by the general program.
template <int... Widths>
struct width_list {};

/// The default: every width, every layout. A policy of the user's own is a type with these members. Of two axes with
/// unit stride (one has an extent of 1) the longer one names the layout.
struct any_shape {
  using unrolled_widths = width_list<1, 2, 3, 4, 5, 6, 7, 8>;
  static constexpr bool general = true;        ///< other widths, and any dilation
  static constexpr bool channel_first = true;  ///< unit time stride
  static constexpr bool channel_last = true;   ///< unit channel stride
  static constexpr bool strided = true;        ///< any other strides; on a GPU also what it has no vectors for:
                                               ///< the general program, unaligned operands, odd channels
};

/// One width without dilation, every layout: compiles a ninth of the code. Anything else is status_code::not_supported.
template <int Width>
struct only_width : any_shape {
  using unrolled_widths = width_list<Width>;
  static constexpr bool general = false;
};

CAUSAL_CONV1D_NAMESPACE_END
