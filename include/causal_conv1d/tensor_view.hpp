// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Views of the operands: a pointer, extents, and strides in elements. A view owns nothing.
#pragma once

#include <causal_conv1d/element.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// A tensor of shape (batch, channels, length). Element (b, c, t) is
/// `data[b * batch_stride + c * channel_stride + t * time_stride]`.
///
/// Strides are in elements and may be anything, negative and (for what is only read) zero included. The layout is
/// what the strides say; nothing is guessed from extents.
template <class T>
struct tensor_view {
  T* data = nullptr;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t length = 0;
  std::int64_t batch_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t time_stride = 0;

  constexpr tensor_view() = default;

  constexpr tensor_view(T* data_, std::int64_t batch_, std::int64_t channels_, std::int64_t length_,
                        std::int64_t batch_stride_, std::int64_t channel_stride_, std::int64_t time_stride_)
      : data(data_),
        batch(batch_),
        channels(channels_),
        length(length_),
        batch_stride(batch_stride_),
        channel_stride(channel_stride_),
        time_stride(time_stride_) {}

  /// From a view of the same elements without const.
  template <class U, class = std::enable_if_t<std::is_convertible<U (*)[], T (*)[]>::value>>
  constexpr tensor_view(const tensor_view<U>& other)
      : tensor_view(other.data, other.batch, other.channels, other.length, other.batch_stride, other.channel_stride,
                    other.time_stride) {}

  /// From a rank-3 `std::mdspan` or `cuda::std::mdspan` with the extents (batch, channels, length), through its
  /// members.
  template <class Span, class = decltype(std::declval<const Span&>().data_handle()),
            class = std::enable_if_t<Span::rank() == 3>>
  constexpr tensor_view(const Span& span)
      : tensor_view(span.data_handle(), static_cast<std::int64_t>(span.extent(0)),
                    static_cast<std::int64_t>(span.extent(1)), static_cast<std::int64_t>(span.extent(2)),
                    static_cast<std::int64_t>(span.stride(0)), static_cast<std::int64_t>(span.stride(1)),
                    static_cast<std::int64_t>(span.stride(2))) {}
};

namespace detail {
/// A product that wraps instead of overflowing; check() refuses what does not fit.
constexpr std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
}  // namespace detail

/// Views contiguous memory of the order (batch, channels, length): the tokens of a channel are neighbours.
template <class T>
constexpr tensor_view<T> channel_first(T* data, std::int64_t batch, std::int64_t channels, std::int64_t length) {
  return {data, batch, channels, length, detail::wrapping_product(channels, length), length, 1};
}

/// Views contiguous memory of the order (batch, length, channels): the channels of a token are neighbours.
template <class T>
constexpr tensor_view<T> channel_last(T* data, std::int64_t batch, std::int64_t channels, std::int64_t length) {
  return {data, batch, channels, length, detail::wrapping_product(channels, length), 1, channels};
}

/// The filters: shape (rows, width). Tap (r, j) is `data[r * row_stride + j * tap_stride]`; tap width - 1 multiplies
/// the present token. rows divides channels: channel c uses row c / (channels / rows). Any element type.
struct weight_view {
  const void* data = nullptr;
  data_type type = data_type::float32;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t row_stride = 0;
  std::int64_t tap_stride = 0;

  constexpr weight_view() = default;

  template <class T>
  constexpr weight_view(const T* data_, std::int64_t rows_, std::int64_t width_, std::int64_t row_stride_,
                        std::int64_t tap_stride_)
      : data(data_),
        type(element<T>::type),
        rows(rows_),
        width(width_),
        row_stride(row_stride_),
        tap_stride(tap_stride_) {}

  /// Contiguous memory of the order (rows, width).
  template <class T>
  constexpr weight_view(const T* data_, std::int64_t rows_, std::int64_t width_)
      : weight_view(data_, rows_, width_, width_, 1) {}
};

/// The bias: one value per channel, `data[c * stride]`; null data means no bias. Any element type.
struct bias_view {
  const void* data = nullptr;
  data_type type = data_type::float32;
  std::int64_t channels = 0;
  std::int64_t stride = 1;

  constexpr bias_view() = default;

  template <class T>
  constexpr bias_view(const T* data_, std::int64_t channels_, std::int64_t stride_ = 1)
      : data(data_), type(element<T>::type), channels(channels_), stride(stride_) {}
};

CAUSAL_CONV1D_NAMESPACE_END
