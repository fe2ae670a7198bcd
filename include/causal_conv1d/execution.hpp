// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Where an operation runs: on the CPU's threads or on a GPU's stream.
#pragma once

#include <causal_conv1d/status.hpp>

#include <cstdint>

struct CUstream_st;  // what the toolkit's cudaStream_t points to

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// Calls function(0) .. function(n - 1) one after the other on the calling thread.
struct serial_for {
  template <class Function>
  void operator()(std::int64_t n, const Function& function) const {
    for (std::int64_t i = 0; i < n; ++i) {
      function(i);
    }
  }
};

/// Runs on the CPU. parallel_for(n, function) must call function(i) once for every i in 0 .. n - 1, in any order, on
/// any threads, and return when all calls have returned. Default: the calling thread. The library's own threads:
/// `host_execution{std::ref(pool)}` with a host_thread_pool.
template <class ParallelFor = serial_for>
struct host_execution {
  ParallelFor parallel_for{};
};
host_execution()->host_execution<>;
template <class ParallelFor>
host_execution(ParallelFor) -> host_execution<ParallelFor>;

/// What the library wants to know of a GPU. Filled once by query_device() and kept by the user.
struct device_facts {
  int ordinal = -1;            ///< the device's number in the CUDA runtime
  int compute_capability = 0;  ///< 10 * major + minor
  int multiprocessors = 0;
};

/// Runs on a GPU: enqueues on `stream` (null: the default stream) of the device described by `device`, which must be
/// the current device, and returns without waiting. May be captured in a CUDA graph. Declared here without the
/// toolkit's headers; `stream` takes a cudaStream_t.
struct gpu_execution {
  CUstream_st* stream = nullptr;
  device_facts device;
  bool check_pointers = false;  ///< ask the runtime whether every pointer is this device's, or host memory it can reach
};

/// Fills `facts` for a device (default: the current one). On a machine without a usable GPU: status_code::no_device or
/// driver_too_old. Defined in execution.cuh.
status query_device(device_facts& facts, int ordinal = -1);

/// Whether a GPU can be used. Defined in execution.cuh.
bool device_available();

CAUSAL_CONV1D_NAMESPACE_END
