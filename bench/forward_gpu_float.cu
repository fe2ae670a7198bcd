// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "forward_gpu_call.hpp"

#include <causal_conv1d/forward.cuh>

namespace bench {

template <>
causal_conv1d::status call_forward(const causal_conv1d::gpu_execution& execution,
                                   const causal_conv1d::forward_args<float, float, causal_conv1d::silu>& args) {
  return causal_conv1d::forward<benchmarked_shapes>(execution, args);
}

}  // namespace bench
