// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "executor.hpp"

causal_conv1d_test::executor& causal_conv1d_test::tested_executor() { return host_executor(); }
