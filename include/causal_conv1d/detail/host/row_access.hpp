// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// How the host moves rows of elements: plain loops, which the compiler turns into SIMD code.
#pragma once

#include <causal_conv1d/element.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {
namespace host {

struct row_access {
  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void load_channels(const Storage* data, bool present, int active,
                                                       Accumulator* values) {
    load_strided<Count>(data, 1, present ? active : 0, values);
  }

  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void load_tokens(const Storage* data, int active, Accumulator* values) {
    load_strided<Count>(data, 1, active, values);
  }

  /// values[i] = data[i * stride] for i < active; what lies beyond is not read.
  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void load_strided(const Storage* data, std::int64_t stride, int active,
                                                      Accumulator* values) {
    for (int i = 0; i < active; ++i) {
      values[i] = to_accumulator(data[i * stride]);
    }
  }

  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void load_before(const Storage* data, Accumulator* values) {
    load_before_strided<Count>(data, 1, values);
  }

  /// values[i] = data[(i - Count) * stride]: the Count elements before `data`.
  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void load_before_strided(const Storage* data, std::int64_t stride,
                                                             Accumulator* values) {
    for (int i = 0; i < Count; ++i) {
      values[i] = to_accumulator(data[(i - Count) * stride]);
    }
  }

  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void store_channels(Storage* data, int active, const Accumulator* values) {
    store_strided<Count>(data, 1, active, values);
  }

  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void store_tokens(Storage* data, int active, const Accumulator* values) {
    store_strided<Count>(data, 1, active, values);
  }

  /// data[i * stride] = values[i] for i < active, rounded.
  template <int Count, class Storage, class Accumulator>
  static CAUSAL_CONV1D_FORCE_INLINE void store_strided(Storage* data, std::int64_t stride, int active,
                                                       const Accumulator* values) {
    for (int i = 0; i < active; ++i) {
      data[i * stride] = from_accumulator<Storage>(values[i]);
    }
  }
};

}  // namespace host
}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
