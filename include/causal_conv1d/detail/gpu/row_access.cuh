// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// How a GPU thread moves rows of elements: vectors of up to 16 bytes where the plan has found them aligned.
#pragma once

#include <causal_conv1d/element.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {
namespace gpu {

/// Count elements that one instruction moves.
template <class Storage, int Count>
struct alignas(Count * sizeof(Storage)) packed_elements {
  Storage elements[Count];
};

/// How many of Count elements one access moves: a power of two that divides Count, 16 bytes at most.
template <class Storage, int Count>
struct vector_width {
  static constexpr int divisor = Count & -Count;
  static constexpr int most = 16 / static_cast<int>(sizeof(Storage));
  static constexpr int value = divisor < most ? divisor : most;
};

/// Two neighbours of a 16-bit type as one word: converted together, they cost half the instructions.
__device__ __forceinline__ void widen_pair(std::uint32_t word, const bfloat16*, float& first, float& second) {
  first = bit_cast<float>(word << 16);
  second = bit_cast<float>(word & 0xffff0000u);
}

__device__ __forceinline__ void widen_pair(std::uint32_t word, const half*, float& first, float& second) {
  first = widen(half{static_cast<std::uint16_t>(word)});
  second = widen(half{static_cast<std::uint16_t>(word >> 16)});
}

__device__ __forceinline__ std::uint32_t narrow_pair(float first, float second, const bfloat16*) {
#if CAUSAL_CONV1D_DEVICE_ARCHITECTURE >= 800
  std::uint32_t word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
#else
  return narrow<bfloat16>(first).bits | (static_cast<std::uint32_t>(narrow<bfloat16>(second).bits) << 16);
#endif
}

__device__ __forceinline__ std::uint32_t narrow_pair(float first, float second, const half*) {
#if CAUSAL_CONV1D_DEVICE_ARCHITECTURE >= 800
  std::uint32_t word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
#else
  return narrow<half>(first).bits | (static_cast<std::uint32_t>(narrow<half>(second).bits) << 16);
#endif
}

template <class Storage, int Count, class Accumulator>
struct moves_as_words {
  static constexpr bool value = sizeof(Storage) == 2 && Count % 2 == 0 && sizeof(Accumulator) == 4;
};

/// Converts one access; `data` is aligned to it.
template <int Count, class Storage, class Accumulator>
__device__ __forceinline__ void load_vector(const Storage* data, Accumulator* values) {
  if constexpr (moves_as_words<Storage, Count, Accumulator>::value) {
    const auto words = *reinterpret_cast<const packed_elements<std::uint32_t, Count / 2>*>(data);
#pragma unroll
    for (int i = 0; i < Count; i += 2) {
      widen_pair(words.elements[i / 2], data, values[i], values[i + 1]);
    }
  } else {
    const auto vector = *reinterpret_cast<const packed_elements<Storage, Count>*>(data);
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      values[i] = to_accumulator(vector.elements[i]);
    }
  }
}

template <int Count, class Storage, class Accumulator>
__device__ __forceinline__ void store_vector(Storage* data, const Accumulator* values) {
  if constexpr (moves_as_words<Storage, Count, Accumulator>::value) {
    packed_elements<std::uint32_t, Count / 2> words;
#pragma unroll
    for (int i = 0; i < Count; i += 2) {
      words.elements[i / 2] = narrow_pair(values[i], values[i + 1], data);
    }
    *reinterpret_cast<packed_elements<std::uint32_t, Count / 2>*>(data) = words;
  } else {
    packed_elements<Storage, Count> vector;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      vector.elements[i] = from_accumulator<Storage>(values[i]);
    }
    *reinterpret_cast<packed_elements<Storage, Count>*>(data) = vector;
  }
}

struct row_access {
  /// The plan gives a thread whole groups of channels only.
  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void load_channels(const Storage* data, bool present, int /*active*/,
                                                       Accumulator* values) {
    if (present) {
      load_vector<Count>(data, values);
    } else {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        values[i] = 0;
      }
    }
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void load_tokens(const Storage* data, int active, Accumulator* values) {
    if (active < Count) {
      load_strided<Count>(data, 1, active, values);
      return;
    }
    constexpr int step = vector_width<Storage, Count>::value;
#pragma unroll
    for (int first = 0; first < Count; first += step) {
      load_vector<step>(data + first, values + first);
    }
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void load_strided(const Storage* data, std::int64_t stride, int active,
                                                      Accumulator* values) {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      values[i] = i < active ? to_accumulator(data[i * stride]) : Accumulator(0);
    }
  }

  /// The Count elements before `data`, which begins a tile that is not a row's first: as vectors that end there.
  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void load_before(const Storage* data, Accumulator* values) {
    constexpr int most = Count <= 2 ? 2 : Count <= 4 ? 4 : 8;
    constexpr int step = vector_width<Storage, most>::value;
    Accumulator vector[most];
#pragma unroll
    for (int first = 0; first < most; first += step) {
      if (first + step > most - Count) {
        load_vector<step>(data - most + first, vector + first);
      }
    }
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      values[i] = vector[most - Count + i];
    }
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void load_before_strided(const Storage* data, std::int64_t stride,
                                                             Accumulator* values) {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      values[i] = to_accumulator(data[(i - Count) * stride]);
    }
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void store_channels(Storage* data, int /*active*/, const Accumulator* values) {
    store_vector<Count>(data, values);
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void store_tokens(Storage* data, int active, const Accumulator* values) {
    if (active < Count) {
      store_strided<Count>(data, 1, active, values);
      return;
    }
    constexpr int step = vector_width<Storage, Count>::value;
#pragma unroll
    for (int first = 0; first < Count; first += step) {
      store_vector<step>(data + first, values + first);
    }
  }

  template <int Count, class Storage, class Accumulator>
  static __device__ __forceinline__ void store_strided(Storage* data, std::int64_t stride, int active,
                                                       const Accumulator* values) {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      if (i < active) {
        data[i * stride] = from_accumulator<Storage>(values[i]);
      }
    }
  }
};

}  // namespace gpu
}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
