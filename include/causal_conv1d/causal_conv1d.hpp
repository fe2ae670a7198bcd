// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Everything that a plain C++ compiler can use: the CPU executor, and the declarations of the GPU's operations.
#pragma once

#include <causal_conv1d/forward.hpp>
#include <causal_conv1d/host_thread_pool.hpp>
