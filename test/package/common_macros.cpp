// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// The umbrella with everyday macros defined before it. The standard headers, which have no such promise, come first.
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

#define min(a, b) poisoned
#define max(a, b) poisoned
#define major(device) poisoned
#define minor(device) poisoned
#define assert(condition) poisoned
#define I poisoned
#define B0 poisoned
#define IN poisoned
#define OUT poisoned
#define DOMAIN poisoned
#define ERROR poisoned
#define CALLBACK poisoned
#define small poisoned
#define near poisoned
#define far poisoned
#define interface poisoned
#define ALIGN poisoned
#define UNROLL poisoned
#define HOST_DEVICE poisoned
#define VERSION poisoned
#define N poisoned
#define W poisoned
#define D poisoned

#ifdef __CUDACC__
#include <causal_conv1d/causal_conv1d.cuh>
#else
#include <causal_conv1d/causal_conv1d.hpp>
#endif
