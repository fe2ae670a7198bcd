// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The version of the library. This is the only place that states it; the build system reads it from here.
#pragma once

#define CAUSAL_CONV1D_VERSION_MAJOR 0
#define CAUSAL_CONV1D_VERSION_MINOR 1
#define CAUSAL_CONV1D_VERSION_PATCH 0

/// The inline namespace of every public type, so that two versions can live in one program. It changes with the
/// minor version while the major version is 0.
#define CAUSAL_CONV1D_VERSION_NAMESPACE v0_1
