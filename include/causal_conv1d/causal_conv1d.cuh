// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Everything: the CPU and the GPU executor. Needs a GPU compiler.
#pragma once

#include <causal_conv1d/causal_conv1d.hpp>
#include <causal_conv1d/forward.cuh>
