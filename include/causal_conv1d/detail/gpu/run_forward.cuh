// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Runs the forward's units as kernels, one unit per thread.
#pragma once

#include <causal_conv1d/detail/gpu/launch.cuh>
#include <causal_conv1d/detail/gpu/row_access.cuh>
#include <causal_conv1d/detail/plan/forward_dispatch.hpp>
#include <causal_conv1d/detail/program/forward.hpp>
#include <causal_conv1d/execution.hpp>

#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {
namespace gpu {

/// Finds the calling thread's first unit; false if it has none. The grid's x is the plan's fast axis, y the other one,
/// z the rows. Where the layout is known the plan's fast axis is, too.
template <layout Order, int Units>
__device__ __forceinline__ bool find_unit(const forward_plan& plan, const grid_origin& origin, forward_unit& unit) {
  const std::int64_t fast = (origin.x + blockIdx.x) * (Units * blockDim.x) + threadIdx.x;
  const std::int64_t slow = (origin.y + blockIdx.y) * blockDim.y + threadIdx.y;
  const bool time_is_fast = Order == layout::strided ? plan.time_is_fast : Order == layout::channel_first;
  unit.row = origin.z + blockIdx.z;
  unit.group = time_is_fast ? slow : fast;
  unit.chunk = time_is_fast ? fast : slow;
  return unit.group < plan.groups && unit.chunk < plan.chunks;
}

/// The resident blocks that the tile asks for, as far as the architecture has room for their threads.
template <class Traits>
struct resident_blocks {
  static constexpr int room = CAUSAL_CONV1D_THREADS_PER_MULTIPROCESSOR / Traits::tile.threads;
  static constexpr int value = Traits::tile.blocks_per_sm < room ? Traits::tile.blocks_per_sm : room;
};

template <class Traits, class Build>
CAUSAL_CONV1D_KERNEL void __launch_bounds__(Traits::tile.threads, resident_blocks<Traits>::value)
    forward_kernel(const __grid_constant__ grid_origin origin, const __grid_constant__ forward_problem problem,
                   const __grid_constant__ forward_plan plan,
                   const __grid_constant__ typename Traits::Activation activation) {
  static_assert(Traits::tile.units == 1 || Traits::order == layout::channel_first, "units follow each other in time");
  forward_unit unit;
  if (find_unit<Traits::order, Traits::tile.units>(plan, origin, unit)) {
    forward_compute<Traits>(problem, plan, unit, blockDim.x, activation);
  }
}

/// Calls function(problem, plan, unit) for every unit.
template <class Function, class Build>
CAUSAL_CONV1D_KERNEL void for_each_unit_kernel(const __grid_constant__ grid_origin origin,
                                               const __grid_constant__ forward_problem problem,
                                               const __grid_constant__ forward_plan plan) {
  forward_unit unit;
  if (find_unit<layout::strided, 1>(plan, origin, unit)) {
    Function{}(problem, plan, unit);
  }
}

struct save_unit {
  __device__ __forceinline__ void operator()(const forward_problem& problem, const forward_plan& plan,
                                             const forward_unit& unit) const {
    save_before_forward(problem, plan, unit);
  }
};

struct write_unit_state {
  __device__ __forceinline__ void operator()(const forward_problem& problem, const forward_plan& plan,
                                             const forward_unit& unit) const {
    write_final_state(problem, plan, unit);
  }
};

/// The grid that gives every thread `units` units along the fast axis.
inline launch_shape shape_of(const forward_plan& plan, int units) {
  const std::int64_t fast = plan.time_is_fast ? plan.chunks : plan.groups;
  const std::int64_t slow = plan.time_is_fast ? plan.groups : plan.chunks;
  return {divide_up(fast, units * plan.block_fast), divide_up(slow, plan.block_slow), plan.rows, plan.block_fast,
          plan.block_slow};
}

template <class Input, class Output, class Activation>
struct forward_launcher {
  CUstream_st* stream;
  const forward_problem& problem;
  const forward_plan& plan;
  const Activation& activation;

  template <forward_program Program, layout Order, int Width>
  status operator()() const {
    if constexpr (Program == forward_program::general && Order != layout::strided) {
      return {};  // the plan serves every layout of the general program as strided
    } else {
      using Traits = forward_traits<executor::gpu, Program, Order, typename element<Input>::storage,
                                    typename element<Output>::storage, Width, Activation, row_access>;
      if (plan.workspace.is_used()) {
        const status saved =
            launch(for_each_unit_kernel<save_unit, this_build>, shape_of(plan, 1), stream, problem, plan);
        if (!saved) {
          return saved;
        }
      }
      return launch(forward_kernel<Traits, this_build>, shape_of(plan, Traits::tile.units), stream, problem, plan,
                    activation);
    }
  }
};

template <class Policy, class Input, class Output, class Activation>
status run_forward(CUstream_st* stream, const forward_problem& problem, const forward_plan& plan,
                   const Activation& activation) {
  if (plan.writes_nothing) {
    return {};
  }
  if (plan.program == forward_program::states) {
    return launch(for_each_unit_kernel<write_unit_state, this_build>, shape_of(plan, 1), stream, problem, plan);
  }
  return dispatch_forward<Policy>(plan, problem.weight.width,
                                  forward_launcher<Input, Output, Activation>{stream, problem, plan, activation});
}

}  // namespace gpu
}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
