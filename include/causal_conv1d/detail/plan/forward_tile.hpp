// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward's tuning table: how much one unit of work computes at a time, per executor, program and layout.
#pragma once

#include <causal_conv1d/config.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

enum class executor : std::uint8_t {
  host,           ///< hardware fused multiply-add and SIMD
  host_portable,  ///< a processor without them: every shape by the general program, the same bits, slowly
  gpu,
};

enum class forward_program : std::uint8_t {
  states,   ///< writes final states only
  window,   ///< width 1 .. 8 without dilation: the window in registers
  general,  ///< any width, any dilation: every tap read from memory
};

enum class layout : std::uint8_t {
  channel_last,   ///< channels are neighbours in x and out
  channel_first,  ///< tokens are neighbours in x and out
  strided,        ///< anything else
};

/// A tile is what a unit of work keeps in registers (GPU) or in its first-level cache (host).
struct forward_tile {
  int channels;        ///< channels of a tile
  int tokens;          ///< tokens of a tile
  int threads;         ///< GPU: threads of a block
  int blocks_per_sm;   ///< GPU: resident blocks that the register cap must allow
  int units;           ///< GPU: units of a thread, a block's width apart, which share their filters
  std::int64_t chunk;  ///< tokens of a unit of work, a multiple of `tokens`
};

constexpr int largest_unrolled_width = 8;

/// GPU: ranked by tuning runs on one H200 (bf16, width 4, silu, (8, 2048, 4096)), blocks of 128 threads, ratio to a
/// copy. Channels x tokens at resident blocks, channel-last: 2 x 16 at 10 0.93, at 11 0.72; 2 x 8 at 12 0.91. Units of
/// 8 tokens at blocks, channel-first: 2 at 12 0.81, 3 at 12 0.77, 1 at 16 0.77, 1 at 12 0.65, 2 at 14 0.56. The program
/// changed after them: docs/performance.md has what is reached. No other type was tuned. Host: a tile of 256 x 8 floats
/// with its filters fits a 32 KiB cache.
CAUSAL_CONV1D_HOST_DEVICE constexpr forward_tile tile_of(executor where, forward_program program, layout order) {
  if (where == executor::gpu) {
    return program == forward_program::general  ? forward_tile{1, 1, 128, 8, 1, 1}
           : program == forward_program::states ? forward_tile{1, 8, 128, 8, 1, 8}
           : order == layout::channel_last      ? forward_tile{2, 16, 128, 10, 1, 16}
           : order == layout::channel_first     ? forward_tile{1, 8, 128, 12, 2, 8}
                                                : forward_tile{1, 8, 128, 8, 1, 8};
  }
  return program == forward_program::general || where == executor::host_portable
             ? (order == layout::channel_last ? forward_tile{16, 4, 1, 1, 1, 64} : forward_tile{1, 64, 1, 1, 1, 4096})
         : order == layout::channel_last ? forward_tile{256, 8, 1, 1, 1, 64}
                                         : forward_tile{1, 512, 1, 1, 1, 4096};
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
