// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Where sequences begin and end inside the rows of a batch.
#pragma once

#include <causal_conv1d/config.hpp>

#include <cstdint>
#include <type_traits>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// An array of 32-bit or 64-bit integers that lives where the data lives and is never copied to the host. Entry i is
/// `data[i * stride]`; null data means that the array is not given.
struct index_view {
  const void* data = nullptr;
  bool is_64_bit = false;
  std::int64_t size = 0;
  std::int64_t stride = 1;

  constexpr index_view() = default;

  template <class Integer, class = std::enable_if_t<std::is_same<Integer, std::int32_t>::value ||
                                                    std::is_same<Integer, std::int64_t>::value>>
  constexpr index_view(const Integer* data_, std::int64_t size_, std::int64_t stride_ = 1)
      : data(data_), is_64_bit(sizeof(Integer) == 8), size(size_), stride(stride_) {}
};

/// How the rows of a batch divide into sequences. With nothing given each row is one sequence (dense). At most one
/// of the three ways may be given.
///
/// This version computes dense batches; the others are answered with status_code::not_supported.
struct sequence_view {
  index_view lengths;      ///< padded: (batch), row b's first lengths[b] tokens; the tail is padding
  index_view begin;        ///< packed, batch 1: (n), the first token of each sequence, ascending
  index_view end;          ///< packed: (n), one past the last token of each sequence
  index_view segment_ids;  ///< (batch * length), a sequence starts where the id changes; a negative id is padding
};

/// Rows that hold one sequence each, of the given lengths.
constexpr sequence_view padded(index_view lengths) {
  sequence_view sequences;
  sequences.lengths = lengths;
  return sequences;
}

/// One row of n sequences, the i-th from token begin[i] up to, without, end[i].
constexpr sequence_view packed(index_view begin, index_view end) {
  sequence_view sequences;
  sequences.begin = begin;
  sequences.end = end;
  return sequences;
}

/// One row of n adjoining sequences given by n + 1 ascending offsets.
template <class Integer>
constexpr sequence_view packed(const Integer* offsets, std::int64_t sequences) {
  return packed(index_view(offsets, sequences), index_view(offsets + 1, sequences));
}

/// Rows divided by contiguous ids of shape (batch, length).
constexpr sequence_view segmented(index_view segment_ids) {
  sequence_view sequences;
  sequences.segment_ids = segment_ids;
  return sequences;
}

CAUSAL_CONV1D_NAMESPACE_END
