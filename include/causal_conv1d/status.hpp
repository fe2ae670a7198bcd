// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The answer of every call: what went wrong, with which argument, by which rule. Nothing in the library throws.
#pragma once

#include <causal_conv1d/config.hpp>

#include <cstdint>
#include <cstdio>

CAUSAL_CONV1D_NAMESPACE_BEGIN

enum class status_code : std::uint8_t {
  success,
  invalid_argument,     ///< an argument breaks a rule; nothing was launched, nothing written
  not_supported,        ///< a legal request that this version, or the policy in force, does not serve
  workspace_too_small,  ///< facts: bytes given, bytes needed
  no_device,            ///< no GPU, or no driver
  driver_too_old,       ///< the driver is older than the CUDA runtime in the program needs
  wrong_device,         ///< the current device is not the one in gpu_execution; facts: current, expected
  launch_failed,        ///< the runtime refused the launch, or reported an earlier failure; see native_error
};

/// The argument that a status speaks of.
enum class argument : std::uint8_t {
  none,
  x,
  weight,
  bias,
  out,
  initial_state,
  final_state,
  dilation,
  sequences,
  initial_slots,
  final_slots,
  has_initial_state,
  initial_end,
  final_end,
  ring,
  captures,
  parents,
  workspace,
  execution,
};

/// The rule that an argument breaks. message() words it, with the two facts filled in.
enum class rule : std::uint8_t {
  none,
  not_null,
  not_negative,
  aligned_to_element,
  fits_address_space,
  batch_matches,
  channels_match,
  length_matches,
  slots_suffice,
  entries_cover_window,
  width_in_range,
  rows_divide_channels,
  dilation_in_range,
  no_repeated_output,
  no_overlap,
  in_place_strides_match,
  in_place_type_matches,
  workspace_aligned,
  workspace_suffices,
  width_in_policy,
  layout_in_policy,
  not_supported_yet,
  pointer_on_device,
  device_current,
  device_available,
  driver_recent,
  launch_accepted,
};

/// What a call did. Trivially copyable; true in a condition when the call succeeded.
struct [[nodiscard]] status {
  status_code code = status_code::success;
  causal_conv1d::argument argument = causal_conv1d::argument::none;
  causal_conv1d::rule rule = causal_conv1d::rule::none;
  std::int64_t fact = 0;      ///< what was found
  std::int64_t expected = 0;  ///< what the rule asks for
  int native_error = 0;       ///< the runtime's cudaError_t, 0 if it was not asked

  constexpr explicit operator bool() const { return code == status_code::success; }
};

/// A status in words.
struct status_text {
  char text[256] = {};
  const char* c_str() const { return text; }
};

constexpr const char* name_of(argument which) {
  switch (which) {
    case argument::none: return "the call";
    case argument::x: return "x";
    case argument::weight: return "weight";
    case argument::bias: return "bias";
    case argument::out: return "out";
    case argument::initial_state: return "initial_state";
    case argument::final_state: return "final_state";
    case argument::dilation: return "dilation";
    case argument::sequences: return "sequences";
    case argument::initial_slots: return "initial_slots";
    case argument::final_slots: return "final_slots";
    case argument::has_initial_state: return "has_initial_state";
    case argument::initial_end: return "initial_end";
    case argument::final_end: return "final_end";
    case argument::ring: return "ring";
    case argument::captures: return "captures";
    case argument::parents: return "parents";
    case argument::workspace: return "workspace";
    case argument::execution: return "execution";
  }
  return "an unknown argument";
}

namespace detail {

// The wording of a rule, a format for (found, expected).
constexpr const char* wording(rule which) {
  switch (which) {
    case rule::none: return "no rule broken";
    case rule::not_null: return "must not be null";
    case rule::not_negative: return "extents must not be negative (found %lld)";
    case rule::aligned_to_element:
      return "the pointer must be a multiple of the element size (off by %lld of %lld bytes)";
    case rule::fits_address_space: return "extents and strides must stay within 2^62 bytes";
    case rule::batch_matches: return "its batch is %lld, but x has %lld";
    case rule::channels_match: return "its channels are %lld, but x has %lld";
    case rule::length_matches: return "its length is %lld, but x has %lld";
    case rule::slots_suffice: return "it has %lld slots, but the batch needs %lld";
    case rule::entries_cover_window: return "it has %lld entries, but the window (width - 1) * dilation is %lld";
    case rule::width_in_range: return "its width is %lld, but must be between 1 and %lld";
    case rule::rows_divide_channels: return "its rows are %lld, but must divide the %lld channels of x";
    case rule::dilation_in_range: return "is %lld, but must be between 1 and %lld";
    case rule::no_repeated_output: return "its strides put two elements in one place";
    case rule::no_overlap: return "its memory overlaps that of another operand";
    case rule::in_place_strides_match: return "is x in place, but its strides differ from those of x";
    case rule::in_place_type_matches: return "is x in place, but its element type differs from that of x";
    case rule::workspace_aligned: return "must be a multiple of 256 bytes (off by %lld)";
    case rule::workspace_suffices: return "has %lld bytes, but the call needs %lld";
    case rule::width_in_policy: return "its width %lld is not among the widths of the policy";
    case rule::layout_in_policy: return "its layout is not among the layouts of the policy";
    case rule::not_supported_yet: return "is not supported yet";
    case rule::pointer_on_device:
      return "a pointer (of argument x, weight, bias, out or a state) is not memory of device %lld";
    case rule::device_current: return "the current device is %lld, but the execution is for device %lld";
    case rule::device_available: return "no GPU can be used: there is no device, or no driver";
    case rule::driver_recent: return "no GPU can be used: the driver is older than this program's CUDA runtime";
    case rule::launch_accepted: return "the CUDA runtime reported an error";
  }
  return "an unknown rule";
}

}  // namespace detail

/// Puts a status into words: the argument, the rule, the two facts, the runtime's error number. Does not allocate.
inline status_text message(const status& what) {
  status_text words;
  if (what) {
    std::snprintf(words.text, sizeof words.text, "success");
    return words;
  }
  int used = std::snprintf(words.text, sizeof words.text, "%s: ", name_of(what.argument));
  used += std::snprintf(words.text + used, sizeof words.text - static_cast<unsigned>(used), detail::wording(what.rule),
                        static_cast<long long>(what.fact), static_cast<long long>(what.expected));
  if (what.native_error != 0) {
    std::snprintf(words.text + used, sizeof words.text - static_cast<unsigned>(used), " (cudaError_t %d)",
                  what.native_error);
  }
  return words;
}

CAUSAL_CONV1D_NAMESPACE_END
