// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Launching a kernel: grid, stream, errors as status. Also the checks that only the CUDA runtime can make.
#pragma once

#include <causal_conv1d/detail/plan/forward.hpp>
#include <causal_conv1d/execution.hpp>
#include <causal_conv1d/status.hpp>

#include <cuda_runtime_api.h>

#include <cstdint>

/// A kernel is hidden, and takes the list of architectures it is built for as a template argument (this_build), so that
/// two libraries built with the same headers for different GPUs never exchange kernels.
#define CAUSAL_CONV1D_KERNEL __global__ __attribute__((visibility("hidden")))

CAUSAL_CONV1D_NAMESPACE_BEGIN
namespace detail {
namespace gpu {

template <int... Architectures>
struct architecture_list {};
#if defined(__CUDA_ARCH_LIST__)
using this_build = architecture_list<__CUDA_ARCH_LIST__>;
#else
using this_build = architecture_list<>;
#endif

/// Blocks and threads of a launch. Block counts beyond the hardware's limits become several launches.
struct launch_shape {
  std::int64_t blocks_x;
  std::int64_t blocks_y;
  std::int64_t blocks_z;
  int threads_x;
  int threads_y;
};

/// The first block of one of those launches; a kernel's first parameter.
struct grid_origin {
  std::int64_t x;
  std::int64_t y;
  std::int64_t z;
};

constexpr std::int64_t most_blocks_x = 2147483647;
constexpr std::int64_t most_blocks_yz = 65535;

/// An error as a status. What the status carries does not stay behind as the runtime's last error.
inline status from_runtime(cudaError_t error) {
  const int native = static_cast<int>(error);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
  switch (error) {
    case cudaSuccess: return {};
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
    case cudaErrorSystemNotReady:
      return {status_code::no_device, argument::execution, rule::device_available, 0, 0, native};
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch: {
      // Without any driver the runtime gives the same error as with one that is too old.
      int version = 0;
      const bool none = cudaDriverGetVersion(&version) != cudaSuccess || version == 0;
      return none ? status{status_code::no_device, argument::execution, rule::device_available, 0, 0, native}
                  : status{status_code::driver_too_old, argument::execution, rule::driver_recent, 0, 0, native};
    }
    default: return {status_code::launch_failed, argument::execution, rule::launch_accepted, 0, 0, native};
  }
}

template <class... Parameters, class... Arguments>
status launch(void (*kernel)(grid_origin, Parameters...), const launch_shape& shape, CUstream_st* stream,
              const Arguments&... arguments) {
  for (std::int64_t z = 0; z < shape.blocks_z; z += most_blocks_yz) {
    for (std::int64_t y = 0; y < shape.blocks_y; y += most_blocks_yz) {
      for (std::int64_t x = 0; x < shape.blocks_x; x += most_blocks_x) {
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(static_cast<unsigned>(smaller(shape.blocks_x - x, most_blocks_x)),
                              static_cast<unsigned>(smaller(shape.blocks_y - y, most_blocks_yz)),
                              static_cast<unsigned>(smaller(shape.blocks_z - z, most_blocks_yz)));
        config.blockDim = dim3(static_cast<unsigned>(shape.threads_x), static_cast<unsigned>(shape.threads_y), 1);
        config.stream = stream;
        const status launched = from_runtime(cudaLaunchKernelEx(&config, kernel, grid_origin{x, y, z}, arguments...));
        if (!launched) {
          return launched;
        }
      }
    }
  }
  return {};
}

/// The current device must be the one that the execution describes.
inline status check_device(const gpu_execution& execution) {
  int current = -1;
  if (const status failed = from_runtime(cudaGetDevice(&current)); !failed) {
    return failed;
  }
  if (current != execution.device.ordinal) {
    return {status_code::wrong_device, argument::execution, rule::device_current, current, execution.device.ordinal, 0};
  }
  return {};
}

inline status check_pointer(const void* data, argument which, int device) {
  if (data == nullptr) {
    return {};
  }
  cudaPointerAttributes attributes = {};
  if (const status failed = from_runtime(cudaPointerGetAttributes(&attributes, data)); !failed) {
    return failed;
  }
  const bool reachable =
      attributes.devicePointer != nullptr && (attributes.type != cudaMemoryTypeDevice || attributes.device == device);
  return reachable ? status{} : invalid(which, rule::pointer_on_device, device);
}

/// Every pointer must be memory of the device, or host memory that it can reach.
inline status check_pointers(const forward_problem& problem, int device) {
  const struct {
    const void* data;
    argument which;
  } operands[] = {{problem.x.data, argument::x},
                  {problem.weight.data, argument::weight},
                  {problem.bias.data, argument::bias},
                  {problem.out.data, argument::out},
                  {problem.initial_state.data, argument::initial_state},
                  {problem.final_state.data, argument::final_state},
                  {problem.workspace, argument::workspace}};
  for (const auto& operand : operands) {
    if (const status broken = check_pointer(operand.data, operand.which, device); !broken) {
      return broken;
    }
  }
  return {};
}

}  // namespace gpu
}  // namespace detail
CAUSAL_CONV1D_NAMESPACE_END
