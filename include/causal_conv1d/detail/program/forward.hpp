// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward's thread programs: what one unit of work loads, computes and stores. Host and GPU run the same code;
/// they differ in the tile, which is an array of registers there and of cached memory here, and in how a row of
/// neighbouring elements is moved (Access).
///
/// A unit walks its chunk tile by tile from right to left: outputs depend on earlier tokens only, so in place (out ==
/// x) the only foreign tokens a unit needs are those before its chunk. Where it is not in place, the host walks from
/// left to right, as a processor's prefetching expects.
#pragma once

#include <causal_conv1d/detail/program/forward_states.hpp>
#include <causal_conv1d/detail/program/taps.hpp>

#include <cstdint>
#include <type_traits>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {

/// Everything that a unit's code is compiled for. Input and Output are storage types, Width 0 is the general program.
template <executor Where, forward_program Program, layout Order, class InputStorage, class OutputStorage, int Width,
          class ActivationObject, class RowAccess>
struct forward_traits {
  using Input = InputStorage;
  using Output = OutputStorage;
  using Accumulator = typename element<InputStorage>::accumulator;
  using Activation = ActivationObject;
  using Access = RowAccess;
  static constexpr layout order = Order;
  static constexpr int width = Width;
  static constexpr forward_tile tile = tile_of(Where, Program, Order);
  static constexpr bool along_channels = Order == layout::channel_last;
  static constexpr bool in_registers = Where == executor::gpu;  ///< tiles are, so loops over them have constant counts
};

/// How many of `Most` lanes a loop runs over: all where they are registers, else the active ones.
template <class Traits, int Most>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE auto lane_count(int active) {
  if constexpr (Traits::in_registers) {
    return static_count<Most>{};
  } else {
    return active;
  }
}

/// activation(value), or activation(value, channel) where the object takes the channel.
template <class Activation, class Accumulator>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE Accumulator activate(const Activation& activation,
                                                                          Accumulator value, std::int64_t channel) {
  if constexpr (std::is_invocable<const Activation&, Accumulator, std::int64_t>::value) {
    return activation(value, channel);
  } else {
    static_assert(std::is_invocable<const Activation&, Accumulator>::value,
                  "the activation is not callable with (value) nor with (value, channel) for the type of the sums");
    return activation(value);
  }
}

/// Where a tile begins in x or out. The layout's unit stride is not multiplied.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::int64_t tile_offset(const tensor& view,
                                                                              const forward_unit& unit,
                                                                              std::int64_t start) {
  const std::int64_t channel = unit.group * Traits::tile.channels;
  return unit.row * view.batch_stride + (Traits::along_channels ? channel : channel * view.channel_stride) +
         (Traits::order == layout::channel_first ? start : start * view.time_stride);
}

/// Reads the first `active` of the tile's channels of one token; nothing (+0 on the GPU) where the token is absent.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_channels(const tensor& view, std::int64_t offset,
                                                                        bool present, int active,
                                                                        typename Traits::Accumulator* values) {
  const typename Traits::Input* data = static_cast<const typename Traits::Input*>(view.data) + offset;
  Traits::Access::template load_channels<Traits::tile.channels>(data, present, active, values);
}

/// Reads the first `active` of the tile's tokens of one channel, +0 beyond them on the GPU.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_tokens(const tensor& view, std::int64_t offset,
                                                                      int active,
                                                                      typename Traits::Accumulator* values) {
  const typename Traits::Input* data = static_cast<const typename Traits::Input*>(view.data) + offset;
  if constexpr (Traits::order == layout::strided) {
    Traits::Access::template load_strided<Traits::tile.tokens>(data, view.time_stride, active, values);
  } else {
    Traits::Access::template load_tokens<Traits::tile.tokens>(data, active, values);
  }
}

/// Rounds and writes the first `active` channels of one token.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void store_channels(const tensor& view, std::int64_t offset,
                                                                         int active,
                                                                         const typename Traits::Accumulator* values) {
  typename Traits::Output* data = static_cast<typename Traits::Output*>(const_cast<void*>(view.data)) + offset;
  Traits::Access::template store_channels<Traits::tile.channels>(data, active, values);
}

/// Rounds and writes the first `active` tokens of one channel.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void store_tokens(const tensor& view, std::int64_t offset,
                                                                       int active,
                                                                       const typename Traits::Accumulator* values) {
  typename Traits::Output* data = static_cast<typename Traits::Output*>(const_cast<void*>(view.data)) + offset;
  if constexpr (Traits::order == layout::strided) {
    Traits::Access::template store_strided<Traits::tile.tokens>(data, view.time_stride, active, values);
  } else {
    Traits::Access::template store_tokens<Traits::tile.tokens>(data, active, values);
  }
}

/// The row of the weight that a channel uses. The division is what nobody should pay who has a filter per channel.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::int64_t filter_row(const forward_plan& plan,
                                                                             std::int64_t channel) {
  return plan.channels_per_filter == 1 ? channel : channel / plan.channels_per_filter;
}

/// The filters and biases of a tile's channels.
template <class Traits>
struct tile_filters {
  typename Traits::Accumulator weight[Traits::width * Traits::tile.channels];  ///< [tap][channel]
  typename Traits::Accumulator bias[Traits::tile.channels];
};

/// Reads the filters of a unit's channels, 0 for channels that do not exist.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_filters(const forward_problem& problem,
                                                                       const forward_plan& plan,
                                                                       const forward_unit& unit,
                                                                       tile_filters<Traits>& filters) {
  using Accumulator = typename Traits::Accumulator;
  constexpr int channels = Traits::tile.channels;
  const std::int64_t first_channel = unit.group * channels;
  CAUSAL_CONV1D_UNROLL
  for (int c = 0; c < channels; ++c) {
    const std::int64_t channel = first_channel + c;
    if (Traits::in_registers || channel < problem.x.channels) {  // the GPU's groups are whole
      const std::int64_t row = filter_row(plan, channel);
      with_elements(problem.weight.data, problem.weight.type,
                    strided_loader<Accumulator, Traits::width>{
                        filters.weight + c, channels, row * problem.weight.row_stride, problem.weight.tap_stride});
      filters.bias[c] = problem.bias.data == nullptr ? Accumulator(0)
                                                     : load_value<Accumulator>(problem.bias.data, problem.bias.type,
                                                                               channel * problem.bias.stride);
    } else {
      CAUSAL_CONV1D_UNROLL
      for (int j = 0; j < Traits::width; ++j) {
        filters.weight[j * channels + c] = 0;
      }
      filters.bias[c] = 0;
    }
  }
}

/// The window before a unit's first token, [time][channel].
template <class Traits, class Accumulator>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_history(const forward_problem& problem,
                                                                       const forward_plan& plan,
                                                                       const forward_unit& unit, int active,
                                                                       Accumulator* values) {
  constexpr int channels = Traits::tile.channels;
  constexpr int window = Traits::width - 1;
  const history_source source = history_before(problem, plan, unit.chunk);
  const std::int64_t first_channel = unit.group * channels;
  CAUSAL_CONV1D_UNROLL
  for (int c = 0; c < channels; ++c) {
    if (c < active && source.view.data != nullptr) {
      const std::int64_t first = offset_of(source.view, unit.row, first_channel + c, source.end - window);
      with_elements(source.view.data, source.view.type,
                    strided_loader<Accumulator, window>{values + c, channels, first, source.view.time_stride});
    } else {
      CAUSAL_CONV1D_UNROLL
      for (int k = 0; k < window; ++k) {
        values[k * channels + c] = 0;
      }
    }
  }
}

/// Taps of one output of the window program: `weight` and `values` are [tap][channel] and [time][channel] of the tile.
template <class Traits>
struct window_taps {
  using Accumulator = typename Traits::Accumulator;
  const Accumulator* weight;
  const Accumulator* values;

  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tap_lanes<Accumulator> operator()(int j) const {
    return {weight + j * Traits::tile.channels, values + j * Traits::tile.channels};
  }
};

/// One output. The host's loops over outputs become SIMD code because this is one straight line.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE typename Traits::Accumulator window_output(
    const typename Traits::Accumulator* weight, typename Traits::Accumulator bias,
    const typename Traits::Accumulator* values, const typename Traits::Activation& activation, std::int64_t channel) {
  typename Traits::Accumulator sum = bias;
  sum_taps<false>(static_count<Traits::width>{}, static_count<1>{}, &sum, window_taps<Traits>{weight, values});
  return activate(activation, sum, channel);
}

/// The inputs of a tile: the window before it, then its tokens, [time][channel].
template <class Traits>
struct tile_values {
  static constexpr int window = Traits::width - 1;
  typename Traits::Accumulator values[(window + Traits::tile.tokens) * Traits::tile.channels];
};

constexpr CAUSAL_CONV1D_HOST_DEVICE int active_count(std::int64_t left, int most) {
  return left < most ? static_cast<int>(left) : most;
}

/// Where the tiles of a chunk begin, in the order in which a unit takes them. There is at least one.
template <class Traits>
class tile_walk {
 public:
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tile_walk(const forward_problem& problem,
                                                                 const forward_plan& plan, const forward_unit& unit)
      : first_(unit.chunk * plan.chunk_tokens),
        end_(smaller(first_ + plan.chunk_tokens, problem.x.length)),
        ascends_(!Traits::in_registers && !problem.is_in_place()),
        start_(ascends_ ? first_ : first_ + (end_ - 1 - first_) / tokens * tokens) {}

  /// Goes to the next tile; false after the last one.
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE bool next() {
    start_ += ascends_ ? tokens : -tokens;
    return ascends_ ? start_ < end_ : start_ >= first_;
  }
  /// The tile's first token.
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::int64_t start() const { return start_; }
  /// The tokens from start() to the end of the chunk.
  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE std::int64_t left() const { return end_ - start_; }

 private:
  static constexpr int tokens = Traits::tile.tokens;
  std::int64_t first_;
  std::int64_t end_;
  bool ascends_;
  std::int64_t start_;
};

/// Whether x holds the window before a tile: not before a row's first, and in place not before a chunk's first.
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE bool window_is_in_x(const forward_plan& plan,
                                                                         const forward_unit& unit, std::int64_t start) {
  const std::int64_t begin = unit.chunk * plan.chunk_tokens;
  return start > begin || (begin > 0 && !plan.workspace.saves_halos);  // a chunk exceeds the window
}

/// Reads the inputs of the tile that begins at `start`. Interior: all tokens of the tile exist, and the window before
/// them lies in x.
template <class Traits, bool Interior>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void load_tile(const forward_problem& problem,
                                                                    const forward_plan& plan, const forward_unit& unit,
                                                                    std::int64_t start, int active_tokens,
                                                                    tile_values<Traits>& inputs) {
  constexpr forward_tile tile = Traits::tile;
  constexpr int channels = tile.channels;
  constexpr int window = Traits::width - 1;
  const tensor& x = problem.x;
  const int active_channels = active_count(x.channels - unit.group * channels, channels);
  const std::int64_t offset = tile_offset<Traits>(x, unit, start);
  typename Traits::Accumulator* const values = inputs.values;
  typename Traits::Accumulator* const tokens = values + window * channels;
  if constexpr (Traits::along_channels) {
    CAUSAL_CONV1D_UNROLL
    for (int t = 0; t < tile.tokens; ++t) {
      load_channels<Traits>(x, offset + t * x.time_stride, Interior || t < active_tokens, active_channels,
                            tokens + t * channels);
    }
  } else {
    load_tokens<Traits>(x, offset, Interior ? tile.tokens : active_tokens, tokens);
  }

  if (Interior || window_is_in_x(plan, unit, start)) {
    if constexpr (Traits::along_channels) {
      CAUSAL_CONV1D_UNROLL
      for (int k = 0; k < window; ++k) {
        load_channels<Traits>(x, offset + (k - window) * x.time_stride, true, active_channels, values + k * channels);
      }
    } else {
      const typename Traits::Input* const data = static_cast<const typename Traits::Input*>(x.data) + offset;
      if constexpr (Traits::order == layout::channel_first) {
        Traits::Access::template load_before<window>(data, values);
      } else {
        Traits::Access::template load_before_strided<window>(data, x.time_stride, values);
      }
    }
  } else {
    load_history<Traits>(problem, plan, unit, active_channels, values);
  }
}

/// Computes and stores the outputs of the tile that begins at `start`.
template <class Traits, bool Interior>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void compute_tile(const forward_problem& problem,
                                                                       const forward_unit& unit,
                                                                       const typename Traits::Activation& activation,
                                                                       const tile_filters<Traits>& filters,
                                                                       const typename Traits::Accumulator* values,
                                                                       std::int64_t start, int active_tokens) {
  using Accumulator = typename Traits::Accumulator;
  constexpr forward_tile tile = Traits::tile;
  constexpr int channels = tile.channels;
  const tensor& out = problem.out;
  const std::int64_t first_channel = unit.group * channels;
  const std::int64_t offset = tile_offset<Traits>(out, unit, start);
  if constexpr (Traits::along_channels) {
    const int active_channels = active_count(out.channels - first_channel, channels);
    CAUSAL_CONV1D_UNROLL
    for (int t = 0; t < tile.tokens; ++t) {
      if (Interior || t < active_tokens) {
        Accumulator result[channels];
        CAUSAL_CONV1D_UNROLL
        for (int c = 0; c < lane_count<Traits, channels>(active_channels); ++c) {
          result[c] = window_output<Traits>(filters.weight + c, filters.bias[c], values + t * channels + c, activation,
                                            first_channel + c);
        }
        store_channels<Traits>(out, offset + t * out.time_stride, active_channels, result);
      }
    }
  } else {
    Accumulator result[tile.tokens];
    CAUSAL_CONV1D_UNROLL
    for (int t = 0; t < lane_count<Traits, tile.tokens>(active_tokens); ++t) {
      result[t] = window_output<Traits>(filters.weight, filters.bias[0], values + t, activation, first_channel);
    }
    store_tokens<Traits>(out, offset, Interior ? tile.tokens : active_tokens, result);
  }
}

/// Walks over a unit's chunk, with all that can happen at the ends of a row.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void walk_chunk(const forward_problem& problem,
                                                                     const forward_plan& plan, const forward_unit& unit,
                                                                     const typename Traits::Activation& activation) {
  using Accumulator = typename Traits::Accumulator;
  constexpr forward_tile tile = Traits::tile;
  // The host need not copy what lies in memory as the sums want it.
  constexpr bool reads_x = !Traits::in_registers && Traits::order == layout::channel_first &&
                           std::is_same<typename Traits::Input, Accumulator>::value;
  tile_filters<Traits> filters;
  load_filters(problem, plan, unit, filters);
  tile_walk<Traits> walk(problem, plan, unit);
  do {
    const std::int64_t start = walk.start();
    const int active_tokens = active_count(walk.left(), tile.tokens);
    if (reads_x && window_is_in_x(plan, unit, start)) {
      const Accumulator* const values =
          static_cast<const Accumulator*>(problem.x.data) + tile_offset<Traits>(problem.x, unit, start);
      compute_tile<Traits, false>(problem, unit, activation, filters, values - (Traits::width - 1), start,
                                  active_tokens);
    } else {
      tile_values<Traits> inputs;
      load_tile<Traits, false>(problem, plan, unit, start, active_tokens, inputs);
      compute_tile<Traits, false>(problem, unit, activation, filters, inputs.values, start, active_tokens);
    }
  } while (walk.next());

  if (unit.chunk == 0 && problem.final_state.data != nullptr) {
    write_final_state(problem, plan, unit);
  }
}

/// Width 1 .. 8 without dilation, for `unit` and those that follow it `chunk_step` chunks apart, tile.units in all, as
/// far as the row reaches.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void forward_window(
    const forward_problem& problem, const forward_plan& plan, const forward_unit& unit, std::int64_t chunk_step,
    const typename Traits::Activation& activation) {
  constexpr forward_tile tile = Traits::tile;
  static_assert(Traits::along_channels || tile.channels == 1, "a tile along time is one channel");
  if constexpr (tile.chunk == tile.tokens) {
    // Nearly all units are one tile inside a row. All its loads are asked for before the first is waited for.
    const std::int64_t start = unit.chunk * tile.tokens;
    const std::int64_t tile_step = chunk_step * tile.tokens;
    if (start > 0 && problem.x.length - start >= (tile.units - 1) * tile_step + tile.tokens &&
        plan.chunk_tokens == tile.tokens) {
      tile_values<Traits> inputs[tile.units];
      tile_filters<Traits> filters;
      CAUSAL_CONV1D_UNROLL
      for (int i = 0; i < tile.units; ++i) {
        load_tile<Traits, true>(problem, plan, unit, start + i * tile_step, tile.tokens, inputs[i]);
      }
      load_filters(problem, plan, unit, filters);
      CAUSAL_CONV1D_UNROLL
      for (int i = 0; i < tile.units; ++i) {
        compute_tile<Traits, true>(problem, unit, activation, filters, inputs[i].values, start + i * tile_step,
                                   tile.tokens);
      }
      return;
    }
  }
  for (int i = 0; i < tile.units; ++i) {
    const std::int64_t chunk = unit.chunk + i * chunk_step;
    if (chunk < plan.chunks) {
      walk_chunk<Traits>(problem, plan, {unit.row, unit.group, chunk}, activation);
    }
  }
}

/// Taps of the general program: each tap's filter values and tokens are fetched when its turn comes.
template <class Traits>
struct fetched_taps {
  using Accumulator = typename Traits::Accumulator;
  const forward_problem& problem;
  const forward_plan& plan;
  const forward_unit& unit;
  std::int64_t first_channel;
  int active_channels;
  std::int64_t start;
  int active_tokens;
  Accumulator* weight;  ///< [token][channel] of the tile, or one value along time
  Accumulator* values;  ///< [token][channel] of the tile

  CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE tap_lanes<Accumulator> operator()(int j) const {
    constexpr forward_tile tile = Traits::tile;
    CAUSAL_CONV1D_UNROLL
    for (int c = 0; c < tile.channels; ++c) {
      const std::int64_t row = c < active_channels ? filter_row(plan, first_channel + c) : 0;
      weight[c] = load_value<Accumulator>(problem.weight.data, problem.weight.type,
                                          row * problem.weight.row_stride + j * problem.weight.tap_stride);
    }
    if constexpr (Traits::along_channels) {
      for (int i = tile.channels; i < tile.channels * tile.tokens; ++i) {
        weight[i] = weight[i - tile.channels];
      }
    }

    const tensor& x = problem.x;
    const std::int64_t first = start - (problem.weight.width - 1 - j) * problem.dilation;
    // x holds its tokens from `readable` on, the history ends there.
    const std::int64_t readable = plan.workspace.saves_halos ? unit.chunk * plan.chunk_tokens : 0;
    const std::int64_t offset = tile_offset<Traits>(x, unit, first);
    if constexpr (Traits::along_channels) {
      CAUSAL_CONV1D_UNROLL
      for (int t = 0; t < tile.tokens; ++t) {
        if (t < active_tokens && first + t < readable) {
          load_history_run(history_before(problem, plan, readable == 0 ? 0 : unit.chunk), unit.row, first_channel,
                           first + t - readable, active_channels, true, values + t * tile.channels);
        } else {
          load_channels<Traits>(x, offset + t * x.time_stride, t < active_tokens, active_channels,
                                values + t * tile.channels);
        }
      }
    } else if (first >= readable) {
      load_tokens<Traits>(x, offset, active_tokens, values);
    } else {
      const int before = active_count(readable - first, active_tokens);
      load_history_run(history_before(problem, plan, readable == 0 ? 0 : unit.chunk), unit.row, first_channel,
                       first - readable, before, false, values);
      const typename Traits::Input* const data = static_cast<const typename Traits::Input*>(x.data) + offset;
      for (int t = before; t < active_tokens; ++t) {
        values[t] = to_accumulator(data[t * x.time_stride]);
      }
    }
    return {weight, values};
  }
};

/// Any width, any dilation.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void forward_general(
    const forward_problem& problem, const forward_plan& plan, const forward_unit& unit,
    const typename Traits::Activation& activation) {
  using Accumulator = typename Traits::Accumulator;
  constexpr forward_tile tile = Traits::tile;
  constexpr int outputs = tile.channels * tile.tokens;
  static_assert(Traits::along_channels || tile.channels == 1, "a tile along time is one channel");

  const tensor& x = problem.x;
  const tensor& out = problem.out;
  const std::int64_t first_channel = unit.group * tile.channels;
  const int active_channels = active_count(x.channels - first_channel, tile.channels);
  tile_walk<Traits> walk(problem, plan, unit);
  do {
    const std::int64_t start = walk.start();
    const int active_tokens = active_count(walk.left(), tile.tokens);
    // Rows of channels are tile.channels apart; lanes between them are summed too, and not stored.
    const auto lanes = lane_count<Traits, outputs>(active_tokens * tile.channels);
    Accumulator sum[outputs];
    CAUSAL_CONV1D_UNROLL
    for (int i = 0; i < lanes; ++i) {
      const int c = i % tile.channels;
      sum[i] = problem.bias.data == nullptr || c >= active_channels
                   ? Accumulator(0)
                   : load_value<Accumulator>(problem.bias.data, problem.bias.type,
                                             (first_channel + c) * problem.bias.stride);
    }
    Accumulator weight[Traits::along_channels ? outputs : 1];
    Accumulator values[outputs] = {};
    sum_taps<Traits::along_channels>(static_cast<int>(problem.weight.width), lanes, sum,
                                     fetched_taps<Traits>{problem, plan, unit, first_channel, active_channels, start,
                                                          active_tokens, weight, values});
    CAUSAL_CONV1D_UNROLL
    for (int i = 0; i < lanes; ++i) {
      // Lanes that are not stored count as the last channel: an activation may index by it.
      sum[i] = activate(activation, sum[i], smaller(first_channel + i % tile.channels, x.channels - 1));
    }
    const std::int64_t offset = tile_offset<Traits>(out, unit, start);
    if constexpr (Traits::along_channels) {
      for (int t = 0; t < active_tokens; ++t) {
        store_channels<Traits>(out, offset + t * out.time_stride, active_channels, sum + t * tile.channels);
      }
    } else {
      store_tokens<Traits>(out, offset, active_tokens, sum);
    }
  } while (walk.next());

  if (unit.chunk == 0 && problem.final_state.data != nullptr) {
    write_final_state(problem, plan, unit);
  }
}

/// Runs the units of a thread with the program that the traits name; see forward_window.
template <class Traits>
CAUSAL_CONV1D_HOST_DEVICE CAUSAL_CONV1D_FORCE_INLINE void forward_compute(
    const forward_problem& problem, const forward_plan& plan, const forward_unit& unit, std::int64_t chunk_step,
    const typename Traits::Activation& activation) {
  if constexpr (Traits::width == 0) {
    forward_general<Traits>(problem, plan, unit, activation);
  } else {
    forward_window<Traits>(problem, plan, unit, chunk_step, activation);
  }
}

}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
