// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <causal_conv1d/forward.hpp>

namespace bench {

/// The widths that the benchmarks run, and nothing else: keeps the build short.
struct benchmarked_shapes : causal_conv1d::any_shape {
  using unrolled_widths = causal_conv1d::width_list<2, 3, 4>;
  static constexpr bool general = false;
};

/// forward() for one element type, compiled in a file of its own.
template <class Element>
causal_conv1d::status call_forward(const causal_conv1d::gpu_execution& execution,
                                   const causal_conv1d::forward_args<Element, Element, causal_conv1d::silu>& args);

}  // namespace bench
