// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The rules of the forward's arguments, one function per operand.
#pragma once

#include <causal_conv1d/detail/check/layout.hpp>
#include <causal_conv1d/state.hpp>
#include <causal_conv1d/status.hpp>
#include <causal_conv1d/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

constexpr std::int64_t largest_width = 1024;
constexpr std::int64_t largest_dilation = (std::int64_t{1} << 31) - 1;
constexpr std::size_t workspace_alignment = 256;

/// The forward's arguments without their C++ types: what check, plan and programs share.
struct forward_problem {
  tensor x;
  weight_view weight;
  bias_view bias;
  tensor out;
  std::int64_t dilation = 1;
  tensor initial_state;
  tensor final_state;
  void* workspace = nullptr;
  std::size_t workspace_size = 0;
  argument not_supported = argument::none;  ///< the first argument given that this version does not serve

  CAUSAL_CONV1D_HOST_DEVICE constexpr std::int64_t window() const { return (weight.width - 1) * dilation; }
  CAUSAL_CONV1D_HOST_DEVICE bool is_in_place() const {
    return out.data != nullptr && out.data == x.data && !x.is_empty();
  }
};

/// An axis that is never stepped along has no stride, whatever its value; a 1 stays, since it may name the layout.
constexpr std::int64_t used_stride(std::int64_t extent, std::int64_t stride) {
  return extent > 1 || stride == 1 ? stride : 0;
}

template <class T>
tensor erase(const tensor_view<T>& view) {
  return {view.data,
          element<std::remove_const_t<T>>::type,
          view.batch,
          view.channels,
          view.length,
          used_stride(view.batch, view.batch_stride),
          used_stride(view.channels, view.channel_stride),
          used_stride(view.length, view.time_stride)};
}

template <class Void>
tensor erase(const basic_state_view<Void>& view) {
  return {view.data,
          view.type,
          view.slots,
          view.channels,
          view.entries,
          used_stride(view.slots, view.slot_stride),
          used_stride(view.channels, view.channel_stride),
          used_stride(view.entries, view.entry_stride)};
}

/// Takes the argument struct of the public header by its members; a template so that this room needs no C++ types.
template <class Args>
forward_problem erase(const Args& args) {
  forward_problem problem;
  problem.x = erase(args.x);
  problem.weight = args.weight;
  problem.weight.row_stride = used_stride(args.weight.rows, args.weight.row_stride);
  problem.weight.tap_stride = used_stride(args.weight.width, args.weight.tap_stride);
  problem.bias = args.bias;
  problem.bias.stride = used_stride(args.bias.channels, args.bias.stride);
  problem.out = erase(args.out);
  problem.dilation = args.dilation;
  problem.initial_state = erase(args.initial_state);
  problem.final_state = erase(args.final_state);
  problem.workspace = args.workspace;
  problem.workspace_size = args.workspace_size;
  const auto given = [](const index_view& view) { return view.data != nullptr; };
  const sequence_view& sequences = args.sequences;
  problem.not_supported =
      given(sequences.lengths) || given(sequences.begin) || given(sequences.end) || given(sequences.segment_ids)
          ? argument::sequences
      : given(args.initial_slots.slots) || given(args.initial_slots.column) ? argument::initial_slots
      : given(args.final_slots.slots) || given(args.final_slots.column)     ? argument::final_slots
      : args.has_initial_state != nullptr                                   ? argument::has_initial_state
      : given(args.initial_end) || args.initial_end_bias != 0               ? argument::initial_end
      : given(args.final_end) || args.final_end_bias != 0                   ? argument::final_end
      : args.ring                                                           ? argument::ring
      : args.captures.states.data != nullptr || args.captures.count != 0    ? argument::captures
      : given(args.parents)                                                 ? argument::parents
                                                                            : argument::none;
  return problem;
}

constexpr status invalid(argument which, rule broken, std::int64_t fact = 0, std::int64_t expected = 0) {
  return {status_code::invalid_argument, which, broken, fact, expected, 0};
}

/// What holds for every view: extents, pointer, alignment, span.
inline status check_view(const tensor& view, argument which) {
  for (const std::int64_t extent : {view.batch, view.channels, view.length}) {
    if (extent < 0) {
      return invalid(which, rule::not_negative, extent);
    }
  }
  if (view.is_empty()) {
    return {};
  }
  if (view.data == nullptr) {
    return invalid(which, rule::not_null);
  }
  const int bytes = size_in_bytes(view.type);
  const std::int64_t off =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data) % static_cast<std::uintptr_t>(bytes));
  if (off != 0) {
    return invalid(which, rule::aligned_to_element, off, bytes);
  }
  if (!span_of(view).fits) {
    return invalid(which, rule::fits_address_space);
  }
  return {};
}

/// The filters as a view, for the rules that hold for every view.
inline tensor as_tensor(const weight_view& weight) {
  return {weight.data, weight.type, 1, weight.rows, weight.width, 0, weight.row_stride, weight.tap_stride};
}

inline tensor as_tensor(const bias_view& bias) {
  return {bias.data, bias.type, 1, bias.channels, 1, 0, bias.stride, 0};
}

inline status check_weight(const forward_problem& problem) {
  const weight_view& weight = problem.weight;
  if (weight.width < 1 || weight.width > largest_width) {
    return invalid(argument::weight, rule::width_in_range, weight.width, largest_width);
  }
  const std::int64_t channels = problem.x.channels;
  if (weight.rows < 0) {
    return invalid(argument::weight, rule::not_negative, weight.rows);
  }
  if (weight.rows == 0 ? channels != 0 : channels % weight.rows != 0) {
    return invalid(argument::weight, rule::rows_divide_channels, weight.rows, channels);
  }
  if (problem.dilation < 1 || problem.dilation > largest_dilation) {
    return invalid(argument::dilation, rule::dilation_in_range, problem.dilation, largest_dilation);
  }
  if (channels == 0) {
    return {};  // no filter is read
  }
  return check_view(as_tensor(weight), argument::weight);
}

inline status check_bias(const forward_problem& problem) {
  const bias_view& bias = problem.bias;
  if (bias.data == nullptr) {
    return {};
  }
  if (bias.channels != problem.x.channels) {
    return invalid(argument::bias, rule::channels_match, bias.channels, problem.x.channels);
  }
  return check_view(as_tensor(bias), argument::bias);
}

/// The slots of a state that a dense batch uses: slot b for row b.
inline tensor used_slots(const forward_problem& problem, tensor state) {
  state.batch = problem.x.batch;
  return state;
}

/// Whether two views of one shape are the same memory in the same order.
inline bool has_equal_strides(const tensor& a, const tensor& b) {
  return (a.batch <= 1 || a.batch_stride == b.batch_stride) &&
         (a.channels <= 1 || a.channel_stride == b.channel_stride) && (a.length <= 1 || a.time_stride == b.time_stride);
}

/// Initial and final state as one view: the unit of work that reads a slot is the one that writes it.
inline bool is_one_state(const forward_problem& problem) {
  const tensor& a = problem.initial_state;
  const tensor& b = problem.final_state;
  return a.data != nullptr && a.data == b.data && a.type == b.type && a.length == b.length &&
         has_equal_strides(used_slots(problem, a), b);
}

/// `out` may not lie on itself, nor on what is read; `x` itself aside.
inline status check_out_memory(const forward_problem& problem) {
  const tensor& out = problem.out;
  if (count_elements(out) == largest_reach) {
    return invalid(argument::out, rule::fits_address_space);
  }
  if (repeats_elements(out)) {
    return invalid(argument::out, rule::no_repeated_output);
  }
  if ((!problem.is_in_place() && certainly_overlap(out, problem.x)) ||
      certainly_overlap(out, as_tensor(problem.weight)) || certainly_overlap(out, as_tensor(problem.bias)) ||
      certainly_overlap(out, used_slots(problem, problem.initial_state))) {
    return invalid(argument::out, rule::no_overlap);
  }
  return {};
}

/// `final_state` may not lie on itself, nor on anything else; an equal `initial_state` aside.
inline status check_final_state_memory(const forward_problem& problem) {
  const tensor state = used_slots(problem, problem.final_state);
  if (state.data == nullptr) {
    return {};
  }
  if (count_elements(state) == largest_reach) {
    return invalid(argument::final_state, rule::fits_address_space);
  }
  if (repeats_elements(state)) {
    return invalid(argument::final_state, rule::no_repeated_output);
  }
  if (certainly_overlap(state, problem.x) || certainly_overlap(state, problem.out) ||
      certainly_overlap(state, as_tensor(problem.weight)) || certainly_overlap(state, as_tensor(problem.bias)) ||
      (!is_one_state(problem) && certainly_overlap(state, used_slots(problem, problem.initial_state)))) {
    return invalid(argument::final_state, rule::no_overlap);
  }
  return {};
}

inline status check_out(const forward_problem& problem) {
  const tensor& x = problem.x;
  const tensor& out = problem.out;
  if (out.data == nullptr && (problem.final_state.data != nullptr || x.is_empty())) {
    return {};  // states only, or nothing to write
  }
  if (out.batch != x.batch) {
    return invalid(argument::out, rule::batch_matches, out.batch, x.batch);
  }
  if (out.channels != x.channels) {
    return invalid(argument::out, rule::channels_match, out.channels, x.channels);
  }
  if (out.length != x.length) {
    return invalid(argument::out, rule::length_matches, out.length, x.length);
  }
  if (const status broken = check_view(out, argument::out); !broken) {
    return broken;
  }
  if (problem.is_in_place()) {
    if (out.type != x.type) {
      return invalid(argument::out, rule::in_place_type_matches);
    }
    if (!has_equal_strides(out, x)) {
      return invalid(argument::out, rule::in_place_strides_match);
    }
  }
  return check_out_memory(problem);
}

inline status check_state(const forward_problem& problem, const tensor& state, argument which) {
  if (state.data == nullptr) {
    return {};
  }
  if (const status broken = check_view(state, which); !broken) {
    return broken;
  }
  if (state.batch < problem.x.batch) {
    return invalid(which, rule::slots_suffice, state.batch, problem.x.batch);
  }
  if (state.channels != problem.x.channels) {
    return invalid(which, rule::channels_match, state.channels, problem.x.channels);
  }
  if (state.length < problem.window()) {
    return invalid(which, rule::entries_cover_window, state.length, problem.window());
  }
  return {};
}

/// Everything that can be said without a plan, before anything is launched or written.
inline status check(const forward_problem& problem) {
  if (problem.not_supported != argument::none) {
    return {status_code::not_supported, problem.not_supported, rule::not_supported_yet, 0, 0, 0};
  }
  if (const status broken = check_view(problem.x, argument::x); !broken) {
    return broken;
  }
  if (const status broken = check_weight(problem); !broken) {
    return broken;
  }
  if (const status broken = check_bias(problem); !broken) {
    return broken;
  }
  if (const status broken = check_state(problem, problem.initial_state, argument::initial_state); !broken) {
    return broken;
  }
  if (const status broken = check_state(problem, problem.final_state, argument::final_state); !broken) {
    return broken;
  }
  if (const status broken = check_out(problem); !broken) {
    return broken;
  }
  return check_final_state_memory(problem);
}

inline status check_workspace(const forward_problem& problem, std::size_t needed) {
  if (needed == 0) {
    return {};
  }
  if (problem.workspace == nullptr) {
    return {status_code::workspace_too_small,  argument::workspace,
            rule::workspace_suffices,          0,
            static_cast<std::int64_t>(needed), 0};
  }
  const std::uintptr_t off = reinterpret_cast<std::uintptr_t>(problem.workspace) % workspace_alignment;
  if (off != 0) {
    return invalid(argument::workspace, rule::workspace_aligned, static_cast<std::int64_t>(off));
  }
  if (problem.workspace_size < needed) {
    return {status_code::workspace_too_small,  argument::workspace,
            rule::workspace_suffices,          static_cast<std::int64_t>(problem.workspace_size),
            static_cast<std::int64_t>(needed), 0};
  }
  const tensor memory = {problem.workspace, data_type::bfloat16, 1, 1, static_cast<std::int64_t>(needed / 2), 0, 0, 1};
  for (const tensor& operand : {problem.x, problem.out, as_tensor(problem.weight), as_tensor(problem.bias),
                                used_slots(problem, problem.initial_state), used_slots(problem, problem.final_state)}) {
    if (certainly_overlap(memory, operand)) {
      return invalid(argument::workspace, rule::no_overlap);
    }
  }
  return {};
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
