// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Runs the forward's units on CPU threads.
#pragma once

#include <causal_conv1d/detail/host/row_access.hpp>
#include <causal_conv1d/detail/plan/forward_dispatch.hpp>
#include <causal_conv1d/detail/program/forward.hpp>

#include <cstdint>

// Hardware fused multiply-add without asking the user for flags: units are compiled for processors with AVX2 and FMA,
// and which code runs is chosen when the program runs. `flatten` inlines everything that a unit calls, the user's
// activation included, so that all of it is compiled for the target. Where the user's own flags or the processor's
// basic instructions have it already, there is nothing to choose.
#if defined(__GNUC__) && defined(__x86_64__) && !(defined(__AVX2__) && defined(__FMA__))
#define CAUSAL_CONV1D_CHOOSES_TARGET 1
#define CAUSAL_CONV1D_UNIT_TARGET __attribute__((target("avx2,fma"), flatten))
#else
#define CAUSAL_CONV1D_CHOOSES_TARGET 0
#define CAUSAL_CONV1D_UNIT_TARGET
#endif

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {
namespace host {

/// Which of the host's executors this processor can run.
inline executor this_processor() {
#if CAUSAL_CONV1D_CHOOSES_TARGET
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? executor::host : executor::host_portable;
#else
  return executor::host;
#endif
}

/// Units count along the plan's fast axis first, then along the other one, then through the rows: neighbours in time
/// touch neighbouring memory.
inline forward_unit unit_at(const forward_plan& plan, std::int64_t index) {
  const std::int64_t fast_extent = plan.time_is_fast ? plan.chunks : plan.groups;
  const std::int64_t slow_extent = plan.time_is_fast ? plan.groups : plan.chunks;
  const std::int64_t fast = index % fast_extent;
  const std::int64_t slow = index / fast_extent % slow_extent;
  return {index / fast_extent / slow_extent, plan.time_is_fast ? slow : fast, plan.time_is_fast ? fast : slow};
}

template <class Traits>
CAUSAL_CONV1D_UNIT_TARGET void compute(const forward_problem& problem, const forward_plan& plan,
                                       const forward_unit& unit, const typename Traits::Activation& activation) {
  forward_compute<Traits>(problem, plan, unit, 1, activation);
}

#if CAUSAL_CONV1D_CHOOSES_TARGET
template <class Traits>
void compute_portable(const forward_problem& problem, const forward_plan& plan, const forward_unit& unit,
                      const typename Traits::Activation& activation) {
  forward_compute<Traits>(problem, plan, unit, 1, activation);
}
#endif

template <class Input, class Output, class Activation, class ParallelFor>
struct forward_runner {
  ParallelFor& parallel_for;
  const forward_problem& problem;
  const forward_plan& plan;
  const Activation& activation;

  template <forward_program Program, layout Order, int Width>
  status operator()() const {
    using InputStorage = typename element<Input>::storage;
    using OutputStorage = typename element<Output>::storage;
    auto compute_unit = &compute<
        forward_traits<executor::host, Program, Order, InputStorage, OutputStorage, Width, Activation, row_access>>;
#if CAUSAL_CONV1D_CHOOSES_TARGET
    if (plan.where == executor::host_portable) {
      compute_unit = &compute_portable<forward_traits<executor::host_portable, forward_program::general, Order,
                                                      InputStorage, OutputStorage, 0, Activation, row_access>>;
    }
#endif
    if (plan.workspace.is_used()) {
      parallel_for(plan.units(), [&](std::int64_t index) { save_before_forward(problem, plan, unit_at(plan, index)); });
    }
    parallel_for(plan.units(),
                 [&](std::int64_t index) { compute_unit(problem, plan, unit_at(plan, index), activation); });
    return {};
  }
};

template <class Policy, class Input, class Output, class ParallelFor, class Activation>
status run_forward(ParallelFor parallel_for, const forward_problem& problem, const forward_plan& plan,
                   const Activation& activation) {
  if (plan.writes_nothing) {
    return {};
  }
  if (plan.program == forward_program::states) {
    parallel_for(plan.units(), [&](std::int64_t index) { write_final_state(problem, plan, unit_at(plan, index)); });
    return {};
  }
  return dispatch_forward<Policy>(
      plan, problem.weight.width,
      forward_runner<Input, Output, Activation, ParallelFor>{parallel_for, problem, plan, activation});
}

}  // namespace host
}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
