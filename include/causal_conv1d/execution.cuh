// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Asking for a GPU; declared in execution.hpp.
#pragma once

#include <causal_conv1d/execution.hpp>

#include <causal_conv1d/detail/gpu/launch.cuh>

CAUSAL_CONV1D_NAMESPACE_BEGIN

inline status query_device(device_facts& facts, int ordinal) {
  int devices = 0;
  if (const status failed = detail::gpu::from_runtime(cudaGetDeviceCount(&devices)); !failed) {
    return failed;
  }
  if (ordinal < 0) {
    if (const status failed = detail::gpu::from_runtime(cudaGetDevice(&ordinal)); !failed) {
      return failed;
    }
  }
  if (ordinal >= devices) {
    return detail::gpu::from_runtime(cudaErrorInvalidDevice);
  }
  int major = 0;
  int minor = 0;
  device_facts found;
  found.ordinal = ordinal;
  for (const cudaError_t error :
       {cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal),
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal),
        cudaDeviceGetAttribute(&found.multiprocessors, cudaDevAttrMultiProcessorCount, ordinal)}) {
    if (const status failed = detail::gpu::from_runtime(error); !failed) {
      return failed;
    }
  }
  found.compute_capability = 10 * major + minor;
  facts = found;
  return {};
}

inline bool device_available() {
  device_facts facts;
  return static_cast<bool>(query_device(facts));
}

CAUSAL_CONV1D_NAMESPACE_END
