// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A tensor of the tests: extents, strides, and the bytes that the strides reach, gaps included.
#pragma once

#include "number.hpp"
#include "random.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

namespace causal_conv1d_test {

/// How a tensor of shape (batch, channels, length) lies in memory. The value of each enumerator but `same` and
/// `broadcast` serves inputs and outputs alike.
enum class arrangement : int {
  channel_first,
  channel_last,
  channel_first_sliced,  ///< rows are slices of longer ones
  channel_last_sliced,
  interleaved,             ///< no axis has unit stride
  batch_fastest,           ///< the batch axis has unit stride
  channel_first_reversed,  ///< negative time stride
  channel_last_reversed,   ///< negative channel or time stride
  broadcast,               ///< a zero stride: inputs only
};
constexpr int arrangements = 9;
constexpr int output_arrangements = 8;

inline const char* name_of(arrangement which) {
  constexpr const char* names[] = {"channel_first",          "channel_last",          "channel_first_sliced",
                                   "channel_last_sliced",    "interleaved",           "batch_fastest",
                                   "channel_first_reversed", "channel_last_reversed", "broadcast"};
  return names[static_cast<int>(which)];
}

struct strided_tensor {
  data_type type = data_type::float32;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t length = 0;
  std::int64_t batch_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t time_stride = 0;
  std::int64_t origin = 0;             ///< where element (0, 0, 0) lies in the storage, in elements
  std::vector<unsigned char> storage;  ///< every byte between the first and the last element
  bool given = false;                  ///< false: the operand is absent

  std::int64_t size() const { return batch * channels * length; }

  std::size_t byte_of(std::int64_t row, std::int64_t channel, std::int64_t time) const {
    return static_cast<std::size_t>(origin + row * batch_stride + channel * channel_stride + time * time_stride) *
           static_cast<std::size_t>(bytes_of(type));
  }
  double get(std::int64_t row, std::int64_t channel, std::int64_t time) const {
    return decode(type, storage.data() + byte_of(row, channel, time));
  }
  void set(std::int64_t row, std::int64_t channel, std::int64_t time, double value) {
    encode(type, value, storage.data() + byte_of(row, channel, time));
  }

  /// All elements in the order (batch, channels, length).
  std::vector<double> values() const {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(size()));
    for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) { all.push_back(get(b, c, t)); });
    return all;
  }

  template <class Function>
  void for_each(const Function& function) const {
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t t = 0; t < length; ++t) {
          function(b, c, t);
        }
      }
    }
  }

  /// Sets every element; gaps keep their bytes.
  template <class Function>
  void fill(const Function& value_at) {
    for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) { set(b, c, t, value_at(b, c, t)); });
  }
};

/// The bytes of a NaN in every type: what stands in outputs before a call, and in the gaps of all operands.
constexpr unsigned char poison = 0xff;

/// A tensor with the given strides, all of it poison.
inline strided_tensor make_tensor(data_type type, std::int64_t batch, std::int64_t channels, std::int64_t length,
                                  std::int64_t batch_stride, std::int64_t channel_stride, std::int64_t time_stride) {
  strided_tensor tensor;
  tensor.type = type;
  tensor.batch = batch;
  tensor.channels = channels;
  tensor.length = length;
  tensor.batch_stride = batch_stride;
  tensor.channel_stride = channel_stride;
  tensor.time_stride = time_stride;
  tensor.given = true;
  std::int64_t elements = tensor.size() == 0 ? 0 : 1;
  if (elements != 0) {
    const std::int64_t extents[] = {batch, channels, length};
    const std::int64_t strides[] = {batch_stride, channel_stride, time_stride};
    for (int axis = 0; axis < 3; ++axis) {
      elements += (extents[axis] - 1) * std::abs(strides[axis]);
      tensor.origin += strides[axis] < 0 ? (extents[axis] - 1) * -strides[axis] : 0;
    }
  }
  tensor.storage.assign(static_cast<std::size_t>(elements * bytes_of(type)), poison);
  return tensor;
}

inline strided_tensor make_channel_first(data_type type, std::int64_t batch, std::int64_t channels,
                                         std::int64_t length) {
  return make_tensor(type, batch, channels, length, channels * length, length, 1);
}

inline strided_tensor make_channel_last(data_type type, std::int64_t batch, std::int64_t channels,
                                        std::int64_t length) {
  return make_tensor(type, batch, channels, length, channels * length, 1, channels);
}

/// A tensor arranged in one of the ways, with random gaps where the way has gaps.
inline strided_tensor make_arranged(arrangement how, data_type type, std::int64_t batch, std::int64_t channels,
                                    std::int64_t length, random_source& random) {
  const std::int64_t gap = random.integer(1, 9);
  const std::int64_t row_gap = random.integer(0, 5);
  const std::int64_t cf_pitch = length + gap;
  const std::int64_t cl_pitch = channels + gap;
  switch (how) {
    case arrangement::channel_first: return make_channel_first(type, batch, channels, length);
    case arrangement::channel_last: return make_channel_last(type, batch, channels, length);
    case arrangement::channel_first_sliced:
      return make_tensor(type, batch, channels, length, channels * cf_pitch + row_gap, cf_pitch, 1);
    case arrangement::channel_last_sliced:
      return make_tensor(type, batch, channels, length, length * cl_pitch + row_gap, 1, cl_pitch);
    case arrangement::interleaved:
      return random.flip() ? make_tensor(type, batch, channels, length, 2 * channels * cf_pitch, 2 * cf_pitch, 2)
                           : make_tensor(type, batch, channels, length, 3 * length * cl_pitch, 3, 3 * cl_pitch);
    case arrangement::batch_fastest:
      return random.flip() ? make_tensor(type, batch, channels, length, 1, batch * length, batch)
                           : make_tensor(type, batch, channels, length, 1, batch, batch * channels);
    case arrangement::channel_first_reversed:
      return make_tensor(type, batch, channels, length, channels * length, random.flip() ? length : -length, -1);
    case arrangement::channel_last_reversed:
      return random.flip() ? make_tensor(type, batch, channels, length, channels * length, -1, channels)
                           : make_tensor(type, batch, channels, length, -channels * length, 1, -channels);
    case arrangement::broadcast: break;
  }
  switch (random.integer(0, 3)) {
    case 0: return make_tensor(type, batch, channels, length, 0, length, 1);
    case 1: return make_tensor(type, batch, channels, length, length, 0, 1);
    case 2: return make_tensor(type, batch, channels, length, channels, 1, 0);
    default: return make_tensor(type, batch, channels, length, 0, 0, 0);
  }
}

/// Random values: mostly between -2 and 2, and with `wild` also zeros of both signs, subnormals and large numbers.
inline void fill_random(strided_tensor& tensor, random_source& random, bool wild = false) {
  tensor.fill([&](std::int64_t, std::int64_t, std::int64_t) {
    const double value = random.real(-2.0, 2.0);
    if (!wild) {
      return value;
    }
    switch (random.integer(0, 11)) {
      case 0: return 0.0;
      case 1: return -0.0;
      case 2: return value * 0x1p-20;   // subnormal in float16
      case 3: return value * 0x1p-130;  // subnormal in float32 and bfloat16
      case 4: return value * 60.0;
      default: return value;
    }
  });
}

}  // namespace causal_conv1d_test
