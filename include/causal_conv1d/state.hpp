// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// States: the last tokens of a sequence, kept so that it can be continued, and where they are kept.
#pragma once

#include <causal_conv1d/sequence.hpp>
#include <causal_conv1d/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// States of shape (slots, channels, entries), any strides, any element type. The last entry is the most recent
/// token. Built from a tensor view whose batch is the slots and whose length is the entries:
/// `channel_first(pointer, slots, channels, entries)` or `channel_last(...)`. Null data means no state.
template <class Void>
struct basic_state_view {
  Void* data = nullptr;
  data_type type = data_type::float32;
  std::int64_t slots = 0;
  std::int64_t channels = 0;
  std::int64_t entries = 0;
  std::int64_t slot_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t entry_stride = 0;

  constexpr basic_state_view() = default;

  template <class T, class = std::enable_if_t<std::is_convertible<T*, Void*>::value>>
  constexpr basic_state_view(const tensor_view<T>& view)
      : data(view.data),
        type(element<std::remove_const_t<T>>::type),
        slots(view.batch),
        channels(view.channels),
        entries(view.length),
        slot_stride(view.batch_stride),
        channel_stride(view.channel_stride),
        entry_stride(view.time_stride) {}

  /// From a view of the same states without const.
  template <class OtherVoid, class = std::enable_if_t<std::is_convertible<OtherVoid*, Void*>::value>>
  constexpr basic_state_view(const basic_state_view<OtherVoid>& other)
      : data(other.data),
        type(other.type),
        slots(other.slots),
        channels(other.channels),
        entries(other.entries),
        slot_stride(other.slot_stride),
        channel_stride(other.channel_stride),
        entry_stride(other.entry_stride) {}
};

using state_view = basic_state_view<void>;              ///< states that are written
using const_state_view = basic_state_view<const void>;  ///< states that are only read

/// Maps sequence i to a slot: `slots[i]`, or `table[i * row_stride + column[i]]` where a column array is given.
/// Not given: slot i. This version answers a given map with status_code::not_supported.
struct slot_view {
  index_view slots;             ///< (n), or the table of n rows where column is given
  index_view column;            ///< (n), the table's column of each sequence
  std::int64_t row_stride = 0;  ///< between rows of the table, in entries
  std::int64_t columns = 0;     ///< columns of the table
  std::int64_t pad_value = -1;  ///< the slot that means "no slot"
};

/// Snapshots of states inside a sequence: capture k of sequence i is the state after its token
/// `first[i] + k * period`. This version answers given captures with status_code::not_supported.
struct capture_view {
  state_view states;        ///< (slots, channels, entries)
  index_view first;         ///< (n)
  std::int64_t period = 1;  ///< tokens between captures
  std::int64_t count = 0;   ///< captures per sequence
  index_view slots;         ///< (n * count), default: in order
};

CAUSAL_CONV1D_NAMESPACE_END
