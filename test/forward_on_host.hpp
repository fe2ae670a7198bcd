// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The instantiations of the library on the CPU: declared here, defined in one file per input type and activation.
#pragma once

#include "executor.hpp"

#include <cstddef>

namespace causal_conv1d_test {

template <class Input, class Activation>
causal_conv1d::status forward_on_host(const unit_scheduler& scheduler, const forward_call& call);

template <class Input, class Activation>
std::size_t workspace_on_host(const forward_call& call);

}  // namespace causal_conv1d_test
