// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Reading and writing operands whose element type is a value: filters, bias, states, saved tokens.
#pragma once

#include <causal_conv1d/detail/check/layout.hpp>
#include <causal_conv1d/element.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// Calls function(pointer) with `data` as a pointer to its element type.
template <class Function>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void with_elements(const void* data, data_type type,
                                                                        const Function& function) {
  switch (type) {
    case data_type::float32: function(static_cast<const float*>(data)); break;
    case data_type::float64: function(static_cast<const double*>(data)); break;
    case data_type::float16: function(static_cast<const half*>(data)); break;
    case data_type::bfloat16:
    default: function(static_cast<const bfloat16*>(data)); break;
  }
}

/// A function for with_elements: values[i * value_stride] = data[first + i * stride] for i < Count, converted to
/// the accumulator, to nearest even. A named type, since not every compiler inlines a lambda into the host's
/// instruction-set targets.
template <class Accumulator, int Count>
struct strided_loader {
  Accumulator* values;
  int value_stride;
  std::int64_t first;
  std::int64_t stride;

  template <class Storage>
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void operator()(const Storage* data) const {
    CAUSAL_CONV1D_UNROLL
    for (int i = 0; i < Count; ++i) {
      values[i * value_stride] = convert<Accumulator>(to_accumulator(data[first + i * stride]));
    }
  }
};

/// The same for a number of neighbours that is a value. Adjoining elements have a loop of their own, for SIMD code.
template <class Accumulator>
struct run_loader {
  Accumulator* values;
  int count;
  std::int64_t first;
  std::int64_t stride;

  template <class Storage>
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void operator()(const Storage* data) const {
    if (stride == 1) {
      for (int i = 0; i < count; ++i) {
        values[i] = convert<Accumulator>(to_accumulator(data[first + i]));
      }
    } else {
      for (int i = 0; i < count; ++i) {
        values[i] = convert<Accumulator>(to_accumulator(data[first + i * stride]));
      }
    }
  }
};

/// One element of an operand whose element type is a value, converted to nearest even.
template <class Accumulator>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE Accumulator load_value(const void* data, data_type type,
                                                                            std::int64_t index) {
  Accumulator value = 0;
  with_elements(data, type, strided_loader<Accumulator, 1>{&value, 1, index, 0});
  return value;
}

/// Copies an element: bit for bit where the types are equal, otherwise rounding once.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void copy_value(void* to, data_type to_type, std::int64_t to_index,
                                                                     const void* from, data_type from_type,
                                                                     std::int64_t from_index) {
  if (to_type == from_type) {
    switch (size_in_bytes(to_type)) {
      case 2: static_cast<half*>(to)[to_index] = static_cast<const half*>(from)[from_index]; return;
      case 4: static_cast<float*>(to)[to_index] = static_cast<const float*>(from)[from_index]; return;
      default: static_cast<double*>(to)[to_index] = static_cast<const double*>(from)[from_index]; return;
    }
  }
  const double value = load_value<double>(from, from_type, from_index);  // holds every type exactly
  switch (to_type) {
    case data_type::float32: static_cast<float*>(to)[to_index] = from_accumulator<float>(value); break;
    case data_type::float64: static_cast<double*>(to)[to_index] = value; break;
    case data_type::float16: static_cast<half*>(to)[to_index] = from_accumulator<half>(value); break;
    case data_type::bfloat16: static_cast<bfloat16*>(to)[to_index] = from_accumulator<bfloat16>(value); break;
  }
}

/// Stores +0.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void store_zero(void* to, data_type to_type,
                                                                     std::int64_t to_index) {
  const float zero = 0.0f;
  copy_value(to, to_type, to_index, &zero, data_type::float32, 0);
}

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::int64_t offset_of(const tensor& view, std::int64_t row,
                                                                            std::int64_t channel, std::int64_t time) {
  return row * view.batch_stride + channel * view.channel_stride + time * view.time_stride;
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
