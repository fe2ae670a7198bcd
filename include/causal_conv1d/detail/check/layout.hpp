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

/// The axes of a view that are stepped along, by ascending stride, all strides positive.
struct sorted_axes {
  int count = 0;
  std::int64_t extents[3] = {};
  std::int64_t strides[3] = {};
  std::int64_t spans[4] = {};  ///< spans[n]: the reach of the first n axes, in elements
};

inline sorted_axes sort_axes(const tensor& view) {
  const std::int64_t extents[3] = {view.batch, view.channels, view.length};
  const std::int64_t strides[3] = {view.batch_stride, view.channel_stride, view.time_stride};
  sorted_axes axes;
  for (int i = 0; i < 3; ++i) {
    if (extents[i] > 1) {
      int place = axes.count++;
      for (; place > 0 && axes.strides[place - 1] > magnitude(strides[i]); --place) {
        axes.extents[place] = axes.extents[place - 1];
        axes.strides[place] = axes.strides[place - 1];
      }
      axes.extents[place] = extents[i];
      axes.strides[place] = magnitude(strides[i]);
    }
  }
  for (int i = 0; i < axes.count; ++i) {
    axes.spans[i + 1] = axes.spans[i] + (axes.extents[i] - 1) * axes.strides[i];
  }
  return axes;
}

constexpr std::int64_t divide_down(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// How many steps along one axis a search tries. Axes of which each spans less than the next one's stride need two; a
/// search that gives up has found nothing certain.
constexpr std::int64_t most_steps = 64;

/// Whether some sum of steps along the first `count` axes, |steps| < extent, is `distance`.
inline bool is_distance(const sorted_axes& axes, int count, std::int64_t distance) {
  if (count == 0) {
    return distance == 0;
  }
  const std::int64_t stride = axes.strides[count - 1];
  const std::int64_t extent = axes.extents[count - 1];
  const std::int64_t inner = axes.spans[count - 1];
  if (stride == 0) {
    return is_distance(axes, count - 1, distance);
  }
  const std::int64_t from = divide_down(distance - inner - 1, stride) + 1;
  const std::int64_t to = divide_down(distance + inner, stride);
  std::int64_t steps = from > 1 - extent ? from : 1 - extent;
  for (std::int64_t tries = 0; steps <= to && steps < extent && tries < most_steps; ++steps, ++tries) {
    if (is_distance(axes, count - 1, distance - steps * stride)) {
      return true;
    }
  }
  return false;
}

/// Whether some element, counted from the view's lowest address along the first `count` axes, lies in [from, to).
inline bool has_element_in(const sorted_axes& axes, int count, std::int64_t from, std::int64_t to) {
  if (to <= 0 || from > axes.spans[count]) {
    return false;
  }
  if (count == 0 || from <= 0) {
    return from <= 0 && to > 0;
  }
  const std::int64_t stride = axes.strides[count - 1];
  const std::int64_t extent = axes.extents[count - 1];
  if (stride == 0) {
    return has_element_in(axes, count - 1, from, to);
  }
  const std::int64_t last = divide_down(from, stride) < extent ? divide_down(from, stride) : extent - 1;
  if (last + 1 < extent && (last + 1) * stride < to) {
    return true;
  }
  std::int64_t steps = last;
  for (std::int64_t tries = 0; steps >= 0 && tries < most_steps; --steps, ++tries) {
    if (has_element_in(axes, count - 1, from - steps * stride, to - steps * stride)) {
      return true;
    }
  }
  return false;
}

/// Whether two different elements of a view certainly lie in one place: some step along an axis, one at least, is
/// undone by steps along axes of smaller stride.
inline bool repeats_elements(const tensor& view) {
  if (view.is_empty()) {
    return false;
  }
  const sorted_axes axes = sort_axes(view);
  for (int i = 0; i < axes.count; ++i) {
    if (axes.strides[i] == 0) {
      return true;
    }
    const std::int64_t last = axes.spans[i] / axes.strides[i];
    for (std::int64_t steps = 1; steps <= last && steps < axes.extents[i] && steps <= most_steps; ++steps) {
      if (is_distance(axes, i, steps * axes.strides[i])) {
        return true;
      }
    }
  }
  return false;
}

/// The number of elements, or largest_reach where it is more than that.
constexpr std::int64_t count_elements(const tensor& view) {
  if (view.is_empty()) {
    return 0;
  }
  const std::int64_t plane = view.channels > largest_reach / view.length ? largest_reach : view.channels * view.length;
  return view.batch > largest_reach / plane ? largest_reach : view.batch * plane;
}

/// Whether two views certainly share memory: one of them fills its span without holes and an element of the other lies
/// there, or both have equal extents and strides (slices of one tensor) and are a distance apart that steps along their
/// axes make up. Views that interleave in other ways count as separate.
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
    return !repeats_elements(view) &&
           count_elements(view) == static_cast<std::int64_t>(span.last - span.first) / size_in_bytes(view.type);
  };
  // In elements of `view`, from its lowest address: where the other span lies.
  const auto reaches_into = [](const tensor& view, const byte_span& span, const byte_span& other) {
    const std::int64_t bytes = size_in_bytes(view.type);
    const std::int64_t from = static_cast<std::int64_t>(other.first - span.first);
    const std::int64_t to = static_cast<std::int64_t>(other.last - span.first);
    const sorted_axes axes = sort_axes(view);
    return has_element_in(axes, axes.count, divide_down(from, bytes), divide_down(to - 1, bytes) + 1);
  };
  if ((fills_span(a, span_a) && reaches_into(b, span_b, span_a)) ||
      (fills_span(b, span_b) && reaches_into(a, span_a, span_b))) {
    return true;
  }
  const int bytes = size_in_bytes(a.type);
  if (bytes != size_in_bytes(b.type) || a.batch != b.batch || a.channels != b.channels || a.length != b.length ||
      a.batch_stride != b.batch_stride || a.channel_stride != b.channel_stride || a.time_stride != b.time_stride) {
    return false;
  }
  const std::int64_t offset = static_cast<std::int64_t>(span_b.first - span_a.first);
  const sorted_axes axes = sort_axes(a);
  return is_distance(axes, axes.count, divide_down(offset, bytes)) ||
         (offset % bytes != 0 && is_distance(axes, axes.count, divide_down(offset, bytes) + 1));
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
