// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward's plan: a value that says which program runs, over which units of work, with which workspace.
#pragma once

#include <causal_conv1d/detail/check/forward.hpp>
#include <causal_conv1d/detail/plan/forward_tile.hpp>

#include <cstddef>
#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

CAUSAL_CONV1D_HOST_DEVICE constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
CAUSAL_CONV1D_HOST_DEVICE constexpr std::int64_t larger(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }
constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) { return divide_up(a, b) * b; }

/// What is copied before the units run, because a unit may overwrite what another one reads. Offsets in bytes.
struct forward_workspace {
  bool saves_halos = false;    ///< in place: the window of tokens before each chunk but a row's first,
                               ///< (batch, chunks - 1, window, channels) of x's type
  bool saves_tails = false;    ///< in place with a final state: the last tokens, (batch, tail, channels) of x's type
  bool saves_windows = false;  ///< one state read by several units: (batch, window, channels) of the state's type
  std::int64_t tail = 0;       ///< tokens of a tail
  std::int64_t halos = 0;
  std::int64_t tails = 0;
  std::int64_t windows = 0;
  std::size_t bytes = 0;

  constexpr bool is_used() const { return saves_halos || saves_tails || saves_windows; }
};

/// A unit of work is (row, group of channels, chunk of tokens). It alone stores its outputs; the unit of a row's first
/// chunk also reads the initial state and writes the final one.
struct forward_plan {
  bool writes_nothing = false;
  executor where = executor::host;
  forward_program program = forward_program::states;
  layout order = layout::strided;
  std::int64_t rows = 0;
  std::int64_t groups = 0;
  std::int64_t chunks = 0;
  std::int64_t group_channels = 1;
  std::int64_t channels_per_filter = 1;  ///< channels that share a row of the weight
  std::int64_t chunk_tokens = 1;
  bool time_is_fast = true;  ///< neighbouring units are neighbouring chunks, otherwise groups of channels
  int block_fast = 1;        ///< GPU: threads of a block along the fast axis
  int block_slow = 1;        ///< GPU: threads of a block along the other one
  forward_workspace workspace;

  CAUSAL_CONV1D_HOST_DEVICE constexpr std::int64_t units() const { return rows * groups * chunks; }
};

/// The layout that x and out share. Where both axes have unit stride (an extent of 1), the longer one is taken.
inline layout layout_of(const forward_problem& problem) {
  const tensor& x = problem.x;
  const tensor& out = problem.out;
  const bool time = x.time_stride == 1 && out.time_stride == 1;
  const bool channels = x.channel_stride == 1 && out.channel_stride == 1;
  return channels && (!time || x.channels > x.length) ? layout::channel_last
         : time                                       ? layout::channel_first
                                                      : layout::strided;
}

/// Whether every row of a tile begins at a multiple of `elements` elements (16 bytes at most), so that the GPU may
/// load and store them together.
inline bool is_aligned_for(const tensor& view, layout order, int elements) {
  const int bytes = size_in_bytes(view.type);
  const int vector_bytes = elements * bytes < 16 ? elements * bytes : 16;
  const std::int64_t other_stride = order == layout::channel_last ? view.time_stride : view.channel_stride;
  return reinterpret_cast<std::uintptr_t>(view.data) % static_cast<std::uintptr_t>(vector_bytes) == 0 &&
         view.batch_stride * bytes % vector_bytes == 0 && other_stride * bytes % vector_bytes == 0;
}

inline layout choose_layout(const forward_problem& problem, executor where, forward_program program) {
  const layout order = layout_of(problem);
  if (where != executor::gpu || order == layout::strided) {
    return order;
  }
  if (program == forward_program::general) {
    return layout::strided;
  }
  const forward_tile tile = tile_of(where, program, order);
  const int elements = order == layout::channel_last ? tile.channels : tile.tokens;
  const bool fits = order == layout::channel_first || problem.x.channels % elements == 0;
  return fits && is_aligned_for(problem.x, order, elements) && is_aligned_for(problem.out, order, elements)
             ? order
             : layout::strided;
}

inline forward_workspace plan_workspace(const forward_problem& problem, std::int64_t chunk, std::int64_t chunks) {
  const tensor& x = problem.x;
  const std::int64_t window = problem.window();
  forward_workspace workspace;
  std::int64_t used = 0;
  const auto take = [&](std::int64_t elements, data_type type) {
    const std::int64_t offset = used;
    used += round_up(elements * size_in_bytes(type), static_cast<std::int64_t>(workspace_alignment));
    return offset;
  };
  if (problem.is_in_place()) {
    workspace.saves_halos = chunks > 1 && window > 0;
    if (workspace.saves_halos) {
      workspace.halos = take(x.batch * (chunks - 1) * window * x.channels, x.type);
    }
    workspace.tail = smaller(problem.final_state.length, x.length);
    workspace.saves_tails = problem.final_state.data != nullptr && workspace.tail > 0;
    if (workspace.saves_tails) {
      workspace.tails = take(x.batch * workspace.tail * x.channels, x.type);
    }
  }
  workspace.saves_windows = is_one_state(problem) && chunks > 1 && window > chunk;
  if (workspace.saves_windows) {
    workspace.windows = take(x.batch * window * x.channels, problem.initial_state.type);
  }
  workspace.bytes = static_cast<std::size_t>(used);
  return workspace;
}

/// Threads of a block along an axis of `extent` threads: a power of two below a warp; above, whole warps that share the
/// extent evenly among as few blocks as `most` allows.
constexpr int block_extent(std::int64_t extent, int most) {
  if (extent > most) {
    return static_cast<int>(round_up(divide_up(extent, divide_up(extent, most)), 32));
  }
  int threads = 1;
  while (threads < extent && threads < 32) {
    threads *= 2;
  }
  return extent > 32 ? static_cast<int>(round_up(extent, 32)) : threads;
}

/// Plans a checked problem.
inline forward_plan plan_forward(const forward_problem& problem, executor where) {
  const tensor& x = problem.x;
  const bool computes = problem.out.data != nullptr && !x.is_empty();
  forward_plan plan;
  plan.where = where;
  plan.writes_nothing = x.batch == 0 || x.channels == 0 ||
                        (!computes && (problem.final_state.data == nullptr || problem.final_state.length == 0));
  if (plan.writes_nothing) {
    return plan;
  }
  plan.program = !computes                                                                 ? forward_program::states
                 : problem.dilation == 1 && problem.weight.width <= largest_unrolled_width ? forward_program::window
                 : problem.weight.width == 1                                               ? forward_program::window
                                                                                           : forward_program::general;
  plan.order = computes ? choose_layout(problem, where, plan.program) : layout::strided;
  const forward_tile tile = tile_of(where, plan.program, plan.order);
  std::int64_t chunk = tile.chunk;
  if (computes && problem.is_in_place()) {
    // Longer chunks, so that the saved halos are at most a sixteenth of x.
    chunk = round_up(larger(larger(chunk, 512), 16 * problem.window()), tile.tokens);
  }
  plan.rows = x.batch;
  plan.group_channels = tile.channels;
  plan.channels_per_filter = x.channels / problem.weight.rows;
  plan.groups = divide_up(x.channels, tile.channels);
  plan.chunk_tokens = chunk;
  plan.chunks = computes ? divide_up(x.length, chunk) : 1;
  plan.workspace = computes ? plan_workspace(problem, chunk, plan.chunks) : forward_workspace{};

  const tensor& walked = computes ? x : problem.final_state;
  plan.time_is_fast =
      plan.order == layout::channel_first ||
      (plan.order == layout::strided && magnitude(walked.time_stride) <= magnitude(walked.channel_stride));
  const std::int64_t fast = plan.time_is_fast ? plan.chunks : plan.groups;
  plan.block_fast = block_extent(divide_up(fast, tile.units), plan.time_is_fast ? tile.threads : 32);
  plan.block_slow = tile.threads / plan.block_fast;
  return plan;
}

/// What the plan of these arguments needs, a missing workspace aside.
inline std::size_t forward_workspace_bytes(const forward_problem& problem, executor where) {
  return check(problem) ? plan_forward(problem, where).workspace.bytes : 0;
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
