// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Where a strided view lies in memory: its span, whether two of its elements coincide, whether two views share one.
#pragma once

#include <causal_conv1d/element.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// A tensor or a state without its element type in the C++ type: shape (batch, channels, length).
struct tensor {
  const void* data = nullptr;
  data_type type = data_type::float32;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t length = 0;
  std::int64_t batch_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t time_stride = 0;

  CAUSAL_CONV1D_HOST_DEVICE constexpr bool is_empty() const { return batch == 0 || channels == 0 || length == 0; }
};

/// No operand reaches further from its pointer than this many bytes, so sums of three offsets never overflow.
constexpr std::int64_t largest_reach = std::int64_t{1} << 62;

constexpr std::int64_t magnitude(std::int64_t value) { return value < 0 ? -value : value; }

/// (extent - 1) * |stride| elements in bytes, or -1 where that, or the stride of an axis that is never stepped along,
/// is beyond largest_reach.
constexpr std::int64_t reach(std::int64_t extent, std::int64_t stride, int element_bytes) {
  if (stride == INT64_MIN || magnitude(stride) > largest_reach / element_bytes) {
    return -1;
  }
  if (extent <= 1 || stride == 0) {
    return 0;
  }
  const std::int64_t step = magnitude(stride) * element_bytes;
  return extent - 1 > largest_reach / step ? -1 : (extent - 1) * step;
}

/// The bytes that a view touches, as addresses: first <= address < last.
struct byte_span {
  bool fits = false;  ///< false: beyond largest_reach, and the addresses mean nothing
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;

  constexpr bool intersects(const byte_span& other) const { return first < other.last && other.first < last; }
};

inline byte_span span_of(const tensor& view) {
  const int bytes = size_in_bytes(view.type);
  const std::int64_t extents[3] = {view.batch, view.channels, view.length};
  const std::int64_t strides[3] = {view.batch_stride, view.channel_stride, view.time_stride};
  byte_span span;
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t distance = reach(extents[axis], strides[axis], bytes);
    std::int64_t& side = strides[axis] < 0 ? below : above;
    if (distance < 0 || distance > largest_reach - side) {
      return span;
    }
    side += distance;
  }
  const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(view.data);
  span.fits = true;
  span.first = base - static_cast<std::uintptr_t>(below);
  span.last = view.is_empty() ? span.first : base + static_cast<std::uintptr_t>(above + bytes);
  return span;
}

constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    const std::int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Whether two different elements of a view certainly lie in one place, looking at one or two axes at a time.
inline bool repeats_elements(const tensor& view) {
  if (view.is_empty()) {
    return false;
  }
  const std::int64_t extents[3] = {view.batch, view.channels, view.length};
  const std::int64_t strides[3] = {magnitude(view.batch_stride), magnitude(view.channel_stride),
                                   magnitude(view.time_stride)};
  for (int a = 0; a < 3; ++a) {
    if (extents[a] > 1 && strides[a] == 0) {
      return true;
    }
    for (int b = 0; b < a; ++b) {
      if (extents[a] > 1 && extents[b] > 1) {
        const std::int64_t common = greatest_common_divisor(strides[a], strides[b]);
        if (strides[b] / common < extents[a] && strides[a] / common < extents[b]) {
          return true;
        }
      }
    }
  }
  return false;
}

/// Whether `distance` elements can be written as a sum of steps along the axes (each |steps| < extent), where the axes
/// are nested: sorted by stride, each spans less than the next stride. Then at every axis only the two nearest
/// multiples can lead to the distance.
inline bool is_distance_between_elements(const std::int64_t* extents, const std::int64_t* strides, int axes,
                                         std::int64_t distance) {
  if (axes == 0) {
    return distance == 0;
  }
  const std::int64_t stride = strides[axes - 1];
  const std::int64_t extent = extents[axes - 1];
  if (extent <= 1 || stride == 0) {
    return is_distance_between_elements(extents, strides, axes - 1, distance);
  }
  const std::int64_t below = distance / stride - (distance % stride < 0 ? 1 : 0);
  for (std::int64_t steps = below; steps <= below + 1; ++steps) {
    if (magnitude(steps) < extent &&
        is_distance_between_elements(extents, strides, axes - 1, distance - steps * stride)) {
      return true;
    }
  }
  return false;
}

/// Whether two views certainly share memory. Exact where one of them fills its span without holes, and for two views
/// with equal extents and strides (slices of one tensor); views that interleave in other ways count as separate.
inline bool certainly_overlap(const tensor& a, const tensor& b) {
  if (a.data == nullptr || b.data == nullptr || a.is_empty() || b.is_empty()) {
    return false;
  }
  const byte_span span_a = span_of(a);
  const byte_span span_b = span_of(b);
  if (!span_a.intersects(span_b)) {
    return false;
  }
  const auto fills_span = [](const tensor& view, const byte_span& span) {
    const std::int64_t bytes = static_cast<std::int64_t>(span.last - span.first);
    const std::int64_t elements = bytes / size_in_bytes(view.type);
    return !repeats_elements(view) && view.batch <= elements / view.channels / view.length &&
           view.batch * view.channels * view.length == elements;
  };
  const bool a_fills = fills_span(a, span_a);
  const bool b_fills = fills_span(b, span_b);
  if (a_fills && b_fills) {
    return true;
  }
  // One element inside a span without holes is enough.
  const std::uintptr_t address_a = reinterpret_cast<std::uintptr_t>(a.data);
  const std::uintptr_t address_b = reinterpret_cast<std::uintptr_t>(b.data);
  if ((a_fills && address_b >= span_a.first && address_b < span_a.last) ||
      (b_fills && address_a >= span_b.first && address_a < span_b.last)) {
    return true;
  }
  const int bytes = size_in_bytes(a.type);
  if (bytes != size_in_bytes(b.type) || a.batch != b.batch || a.channels != b.channels || a.length != b.length ||
      a.batch_stride != b.batch_stride || a.channel_stride != b.channel_stride || a.time_stride != b.time_stride) {
    return false;
  }
  const std::int64_t offset = static_cast<std::int64_t>(address_b - address_a);
  if (offset % bytes != 0) {
    return true;  // elements of equal size, off by a part of one, inside each other's span
  }
  std::int64_t extents[3] = {a.batch, a.channels, a.length};
  std::int64_t strides[3] = {magnitude(a.batch_stride), magnitude(a.channel_stride), magnitude(a.time_stride)};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2 - i; ++k) {
      if (strides[k] > strides[k + 1]) {
        const std::int64_t stride = strides[k];
        const std::int64_t extent = extents[k];
        strides[k] = strides[k + 1];
        extents[k] = extents[k + 1];
        strides[k + 1] = stride;
        extents[k + 1] = extent;
      }
    }
  }
  return is_distance_between_elements(extents, strides, 3, offset / bytes);
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
