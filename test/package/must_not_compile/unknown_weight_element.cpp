// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// Weights of a type that is no element of the library.
// expected: element<(short|short int)>

#include <causal_conv1d/causal_conv1d.hpp>

#ifdef CORRECT
using element_type = double;
#else
using element_type = short;
#endif

causal_conv1d::weight_view view(const element_type* memory) { return causal_conv1d::weight_view(memory, 2, 4); }
