// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward on a GPU; declared in forward.hpp.
#pragma once

#include <causal_conv1d/execution.cuh>
#include <causal_conv1d/forward.hpp>

#include <causal_conv1d/detail/gpu/run_forward.cuh>

CAUSAL_CONV1D_NAMESPACE_BEGIN

template <class Policy, class Input, class Output, class Activation>
status forward(const gpu_execution& execution, const forward_args<Input, Output, Activation>& args) {
  const detail::forward_problem problem = detail::erase(args);
  if (const status broken = detail::check(problem); !broken) {
    return broken;
  }
  const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::gpu);
  if (const status broken = detail::check_workspace(problem, plan.workspace.bytes); !broken) {
    return broken;
  }
  if (const status broken = detail::gpu::check_device(execution); !broken) {
    return broken;
  }
  if (execution.check_pointers) {
    if (const status broken = detail::gpu::check_pointers(problem, execution.device.ordinal); !broken) {
      return broken;
    }
  }
  return detail::gpu::run_forward<Policy, Input, Output>(execution.stream, problem, plan, args.activation);
}

CAUSAL_CONV1D_NAMESPACE_END
