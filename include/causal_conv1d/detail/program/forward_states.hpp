// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// States in the forward's programs: what stands before a unit's first token, what is saved before units run, what is
/// written when a row's first unit ends.
#pragma once

#include <causal_conv1d/detail/plan/forward.hpp>
#include <causal_conv1d/detail/program/operand.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// The coordinates of a unit of work; see forward_plan.
struct forward_unit {
  std::int64_t row = 0;
  std::int64_t group = 0;
  std::int64_t chunk = 0;
};

/// A part of the workspace as a view (batch, channels, length), channels contiguous.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tensor saved(const forward_problem& problem, std::int64_t offset,
                                                                  data_type type, std::int64_t length,
                                                                  std::int64_t rows_between) {
  const std::int64_t channels = problem.x.channels;
  return {static_cast<const char*>(problem.workspace) + offset,
          type,
          problem.x.batch,
          channels,
          length,
          rows_between * length * channels,
          1,
          channels};
}

/// In place: the window of tokens before chunk `chunk` >= 1, as it was before any unit ran.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tensor saved_halo(const forward_problem& problem,
                                                                       const forward_plan& plan, std::int64_t chunk) {
  const std::int64_t window = problem.window();
  const std::int64_t before = (chunk - 1) * window * problem.x.channels * size_in_bytes(problem.x.type);
  return saved(problem, plan.workspace.halos + before, problem.x.type, window, plan.chunks - 1);
}

/// A row's last tokens: the end of x, or in place what was saved of it.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tensor last_tokens(const forward_problem& problem,
                                                                        const forward_plan& plan) {
  return plan.workspace.saves_tails ? saved(problem, plan.workspace.tails, problem.x.type, plan.workspace.tail, 1)
                                    : problem.x;
}

/// The initial state, or what was saved of it because its owner overwrites it while others read.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tensor initial_entries(const forward_problem& problem,
                                                                            const forward_plan& plan) {
  return plan.workspace.saves_windows
             ? saved(problem, plan.workspace.windows, problem.initial_state.type, problem.window(), 1)
             : problem.initial_state;
}

/// The view that holds the window before a unit's first token, and how far from its end that window ends. Null data:
/// the history is +0.
struct history_source {
  tensor view;
  std::int64_t end;
};

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE history_source history_before(const forward_problem& problem,
                                                                                   const forward_plan& plan,
                                                                                   std::int64_t chunk) {
  if (chunk == 0) {
    const tensor entries = initial_entries(problem, plan);
    return {entries, entries.length};
  }
  if (plan.workspace.saves_halos) {
    return {saved_halo(problem, plan, chunk), problem.window()};
  }
  return {problem.x, chunk * plan.chunk_tokens};
}

/// Reads `count` values of the history, neighbours in time or (along_channels) in channel. `time` counts from the end
/// of the history and is negative.
template <class Accumulator>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_history_run(const history_source& source,
                                                                           std::int64_t row, std::int64_t channel,
                                                                           std::int64_t time, int count,
                                                                           bool along_channels, Accumulator* values) {
  if (source.view.data == nullptr) {
    for (int i = 0; i < count; ++i) {
      values[i] = 0;
    }
    return;
  }
  with_elements(source.view.data, source.view.type,
                run_loader<Accumulator>{values, count, offset_of(source.view, row, channel, source.end + time),
                                        along_channels ? source.view.channel_stride : source.view.time_stride});
}

/// The channels of a unit.
struct channel_range {
  std::int64_t first;
  std::int64_t last;
};

CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE channel_range channels_of(const forward_problem& problem,
                                                                               const forward_plan& plan,
                                                                               const forward_unit& unit) {
  const std::int64_t first = unit.group * plan.group_channels;
  return {first, smaller(first + plan.group_channels, problem.x.channels)};
}

/// Copies `to.length` tokens that begin at `first` in `from`.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void copy_tokens(const tensor& to, const tensor& from,
                                                                      std::int64_t row, channel_range channels,
                                                                      std::int64_t first) {
  for (std::int64_t time = 0; time < to.length; ++time) {
    for (std::int64_t channel = channels.first; channel < channels.last; ++channel) {
      copy_value(const_cast<void*>(to.data), to.type, offset_of(to, row, channel, time), from.data, from.type,
                 offset_of(from, row, channel, first + time));
    }
  }
}

/// Copies what units may overwrite before others read it into the workspace: the unit's halo, and for a row's first
/// unit the row's last tokens and the window of its state.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_NO_INLINE inline void save_before_forward(const forward_problem& problem,
                                                                                  const forward_plan& plan,
                                                                                  forward_unit unit) {
  const forward_workspace& workspace = plan.workspace;
  const channel_range channels = channels_of(problem, plan, unit);
  if (unit.chunk > 0) {
    if (workspace.saves_halos) {  // chunks in place exceed the window, so the halo begins inside the row
      copy_tokens(saved_halo(problem, plan, unit.chunk), problem.x, unit.row, channels,
                  unit.chunk * plan.chunk_tokens - problem.window());
    }
    return;
  }
  if (workspace.saves_tails) {
    copy_tokens(last_tokens(problem, plan), problem.x, unit.row, channels, problem.x.length - workspace.tail);
  }
  if (workspace.saves_windows) {
    copy_tokens(initial_entries(problem, plan), problem.initial_state, unit.row, channels,
                problem.initial_state.length - problem.window());
  }
}

/// Writes the final state of a unit's channels: entry S - k is the k-th last value of (initial state, tokens), +0 where
/// there is none. Called when the unit needs the initial state no more. Entries ascend, so that a state carried over
/// fewer tokens than entries moves down inside one buffer.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_NO_INLINE inline void write_final_state(const forward_problem& problem,
                                                                                const forward_plan& plan,
                                                                                forward_unit unit) {
  const channel_range channels = channels_of(problem, plan, unit);
  const tensor tokens = last_tokens(problem, plan);
  const tensor& from = problem.initial_state;
  const tensor& state = problem.final_state;
  const std::int64_t carried = from.data == nullptr ? 0 : from.length;
  void* const to = const_cast<void*>(state.data);
  for (std::int64_t entry = 0; entry < state.length; ++entry) {
    const std::int64_t last = state.length - entry;  // the last-th last value
    for (std::int64_t channel = channels.first; channel < channels.last; ++channel) {
      const std::int64_t index = offset_of(state, unit.row, channel, entry);
      if (last <= problem.x.length) {
        copy_value(to, state.type, index, tokens.data, tokens.type,
                   offset_of(tokens, unit.row, channel, tokens.length - last));
      } else if (last - problem.x.length <= carried) {
        copy_value(to, state.type, index, from.data, from.type,
                   offset_of(from, unit.row, channel, carried - (last - problem.x.length)));
      } else {
        store_zero(to, state.type, index);
      }
    }
  }
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
