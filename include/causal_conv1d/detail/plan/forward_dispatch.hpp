// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Turns the plan's run-time values into template arguments, among those that the policy lists.
#pragma once

#include <causal_conv1d/detail/plan/forward.hpp>
#include <causal_conv1d/policy.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// Calls run.template operator()<Program, Order, Width>() for the plan's program and width; Width is 0 in the general
/// program. A value outside the policy is a status.
template <class Policy, layout Order, class Run, int... Widths>
status dispatch_width(const forward_plan& plan, std::int64_t width, const Run& run, width_list<Widths...>) {
  status result = {status_code::not_supported, argument::weight, rule::width_in_policy, width, 0, 0};
  if (plan.program == forward_program::general) {
    if constexpr (Policy::general) {
      result = run.template operator()<forward_program::general, Order, 0>();
    }
    return result;
  }
  static_cast<void>(
      ((width == Widths && ((result = run.template operator()<forward_program::window, Order, Widths>()), true)) ||
       ...));
  return result;
}

template <class Policy, class Run>
status dispatch_forward(const forward_plan& plan, std::int64_t width, const Run& run) {
  using widths = typename Policy::unrolled_widths;
  if constexpr (Policy::channel_last) {
    if (plan.order == layout::channel_last) {
      return dispatch_width<Policy, layout::channel_last>(plan, width, run, widths{});
    }
  }
  if constexpr (Policy::channel_first) {
    if (plan.order == layout::channel_first) {
      return dispatch_width<Policy, layout::channel_first>(plan, width, run, widths{});
    }
  }
  if constexpr (Policy::strided) {
    if (plan.order == layout::strided) {
      return dispatch_width<Policy, layout::strided>(plan, width, run, widths{});
    }
  }
  return {status_code::not_supported, argument::x, rule::layout_in_policy, 0, 0, 0};
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
