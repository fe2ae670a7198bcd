// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "computes_on_gpu.cuh"

bool computes_in_other_cuda_file() { return computes_on_gpu(); }
