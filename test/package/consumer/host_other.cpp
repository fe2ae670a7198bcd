// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "computes_on_host.hpp"

bool computes_in_other_file() { return computes_on_host(); }
