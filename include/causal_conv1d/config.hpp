// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// What the library asks of the compiler: function marks, the namespace, and which side is being compiled.
#pragma once

#include <causal_conv1d/version.hpp>

#define CAUSAL_CONV1D_NAMESPACE_BEGIN \
  namespace causal_conv1d {           \
  inline namespace CAUSAL_CONV1D_VERSION_NAMESPACE {
#define CAUSAL_CONV1D_NAMESPACE_END \
  }                                 \
  }

/// Marks a function for host and device. Empty for a plain C++ compiler.
#if defined(__CUDACC__)
#define CAUSAL_CONV1D_HOST_DEVICE __host__ __device__
#else
#define CAUSAL_CONV1D_HOST_DEVICE
#endif

/// 1 while device code is being compiled, otherwise 0.
#if defined(__CUDA_ARCH__)
#define CAUSAL_CONV1D_DEVICE_CODE 1
#else
#define CAUSAL_CONV1D_DEVICE_CODE 0
#endif

/// The device's architecture as 10 * compute capability (sm_90 is 900); 0 while host code is being compiled.
#if defined(__CUDA_ARCH__)
#define CAUSAL_CONV1D_DEVICE_ARCHITECTURE __CUDA_ARCH__
#else
#define CAUSAL_CONV1D_DEVICE_ARCHITECTURE 0
#endif

/// Threads that one multiprocessor of that architecture holds.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define CAUSAL_CONV1D_THREADS_PER_MULTIPROCESSOR 1024
#elif defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define CAUSAL_CONV1D_THREADS_PER_MULTIPROCESSOR 1536
#else
#define CAUSAL_CONV1D_THREADS_PER_MULTIPROCESSOR 2048
#endif

/// An inline function that must disappear into its caller: the host's instruction-set targets and the device's
/// register arrays both depend on it.
#if defined(_MSC_VER) && !defined(__clang__)
#define CAUSAL_CONV1D_FORCE_INLINE __forceinline
#else
#define CAUSAL_CONV1D_FORCE_INLINE inline __attribute__((always_inline))
#endif

/// A function that stays a call: rare work that would otherwise cost every program registers and compile time.
#if defined(_MSC_VER) && !defined(__clang__)
#define CAUSAL_CONV1D_NO_INLINE __declspec(noinline)
#elif defined(__CUDACC__)
#define CAUSAL_CONV1D_NO_INLINE __noinline__
#else
#define CAUSAL_CONV1D_NO_INLINE __attribute__((noinline))
#endif

/// Two element types that share their bits, such as the toolkit's `__half` and causal_conv1d::half, may be read
/// through each other.
#if defined(__GNUC__)
#define CAUSAL_CONV1D_MAY_ALIAS __attribute__((may_alias))
#else
#define CAUSAL_CONV1D_MAY_ALIAS
#endif

/// Asks for complete unrolling on the device, where arrays must become registers; the host's vectoriser decides there.
#if defined(__CUDA_ARCH__)
#define CAUSAL_CONV1D_UNROLL _Pragma("unroll")
#else
#define CAUSAL_CONV1D_UNROLL
#endif
