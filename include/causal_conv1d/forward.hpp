// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward: causal depthwise 1-D convolution of whole sequences, or of the next tokens of continued ones.
///
///     pre[c,t] = bias[c] + sum_{j=0..width-1} weight[c,j] * h[c, t - (width-1-j) * dilation]
///     out[c,t] = activation(pre[c,t])
///     h[c,t]   = x[c,t] for t >= 0, the initial state for t < 0, +0 where there is none
///
/// Same bits everywhere: sums are kept in float (double where x is double), start from the bias (+0 without one) and
/// take the taps in the order j = 0 .. width-1, each by one fused multiply-add; every store rounds once, to nearest
/// even. So a whole sequence, the same sequence in chunks through states, and every layout give the same bits, given a
/// state type that holds the input's values exactly. Host and GPU agree to the bit before the activation.
#pragma once

#include <causal_conv1d/activation.hpp>
#include <causal_conv1d/execution.hpp>
#include <causal_conv1d/policy.hpp>
#include <causal_conv1d/sequence.hpp>
#include <causal_conv1d/state.hpp>
#include <causal_conv1d/status.hpp>
#include <causal_conv1d/tensor_view.hpp>

#include <causal_conv1d/detail/check/forward.hpp>
#include <causal_conv1d/detail/host/run_forward.hpp>
#include <causal_conv1d/detail/plan/forward.hpp>

#include <cstddef>
#include <cstdint>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// The operands of a forward. Input and Output are element types (see element.hpp); weight, bias and states may have
/// any other. All pointers are memory that the execution can reach: host memory for host_execution, device memory for
/// gpu_execution. Everything is read and written in stream order.
///
/// Aliasing: what is only read may overlap freely. `out` may be `x` itself (same pointer, strides and type) with a
/// workspace. `initial_state` and `final_state` may be one view. An output that certainly overlaps anything else is an
/// error.
template <class Input, class Output = Input, class Activation = identity>
struct forward_args {
  static_assert(is_element<Input>::value && is_element<Output>::value,
                "the input or output type is not an element: specialise causal_conv1d::element for it");

  tensor_view<const Input> x;  ///< (batch, channels, length); may be null where it is empty
  weight_view weight;          ///< (rows, width); rows divides channels, width 1 .. 1024
  bias_view bias;              ///< (channels); null: no bias
  tensor_view<Output> out;     ///< the shape of x; null: only the states are written
  Activation activation{};     ///< copied into the call; see activation.hpp
  std::int64_t dilation = 1;   ///< tokens between taps, 1 .. 2^31 - 1

  const_state_view initial_state;  ///< (batch or more, channels, S), S >= (width-1) * dilation; null: history is +0
  state_view final_state;          ///< (batch or more, channels, S): receives the last S values; null: not written

  void* workspace = nullptr;       ///< 256-byte aligned; null where workspace_bytes() is 0; no initial content
  std::size_t workspace_size = 0;  ///< in bytes

  // Served by later versions; anything given here is answered with status_code::not_supported.
  sequence_view sequences;                  ///< padded, packed, or segment ids; nothing given: each row is one sequence
  slot_view initial_slots;                  ///< the slot of each sequence in initial_state
  slot_view final_slots;                    ///< the slot of each sequence in final_state
  const bool* has_initial_state = nullptr;  ///< (n): false means that all history is +0
  index_view initial_end;                   ///< (n): how many entries of the initial state count
  std::int64_t initial_end_bias = 0;
  index_view final_end;  ///< (n): where the final state ends
  std::int64_t final_end_bias = 0;
  bool ring = false;  ///< states are rings indexed by the count of tokens seen
  capture_view captures;
  index_view parents;  ///< (length): the token before each token, for trees of drafts
};

/// Computes the forward on the CPU and returns when it is done. Allocates nothing.
///
/// No tokens, no channels or no batch: `out` is not touched, a final state is still written. Every broken rule is
/// found before anything is written; the status names the argument and the rule.
template <class Policy = any_shape, class ParallelFor, class Input, class Output, class Activation>
status forward(const host_execution<ParallelFor>& execution, const forward_args<Input, Output, Activation>& args) {
  const detail::forward_problem problem = detail::erase(args);
  if (const status broken = detail::check(problem); !broken) {
    return broken;
  }
  const detail::forward_plan plan = detail::plan_forward(problem, detail::host::this_processor());
  if (const status broken = detail::check_workspace(problem, plan.workspace.bytes); !broken) {
    return broken;
  }
  return detail::host::run_forward<Policy, Input, Output>(execution.parallel_for, problem, plan, args.activation);
}

/// Enqueues the forward on a GPU's stream and returns. Same rules and results as on the host; further errors:
/// wrong_device, no_device, driver_too_old, launch_failed. Does not synchronise and may be captured in a CUDA graph.
/// Defined in forward.cuh, for a GPU compiler.
template <class Policy = any_shape, class Input, class Output, class Activation>
status forward(const gpu_execution& execution, const forward_args<Input, Output, Activation>& args);

/// Whether these arguments can be computed: success, or the status that forward() would return for them, aside from
/// what concerns the workspace, the policy and the GPU. Reads no data; the pointers are only compared.
template <class Input, class Output, class Activation>
status can_forward(const forward_args<Input, Output, Activation>& args) {
  return detail::check(detail::erase(args));
}

/// Bytes of workspace that forward() needs with these arguments: 0 unless `out` is `x`, or initial and final state are
/// one view with a window longer than a unit of work. From host-known extents, monotone in batch, channels, length and
/// entries; 0 for arguments that forward() refuses.
template <class ParallelFor, class Input, class Output, class Activation>
std::size_t workspace_bytes(const host_execution<ParallelFor>&, const forward_args<Input, Output, Activation>& args) {
  return detail::forward_workspace_bytes(detail::erase(args), detail::host::this_processor());
}

/// The same for a GPU.
template <class Input, class Output, class Activation>
std::size_t workspace_bytes(const gpu_execution&, const forward_args<Input, Output, Activation>& args) {
  return detail::forward_workspace_bytes(detail::erase(args), detail::executor::gpu);
}

CAUSAL_CONV1D_NAMESPACE_END
