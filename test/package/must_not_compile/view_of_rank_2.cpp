// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// A multidimensional span of another rank than 3.
// expected: (no match|no matching|no viable|could not convert|could not be converted)

#include <causal_conv1d/causal_conv1d.hpp>

#ifdef CORRECT
constexpr int span_rank = 3;
#else
constexpr int span_rank = 2;
#endif

struct span {
  static constexpr int rank() { return span_rank; }
  const float* data_handle() const { return nullptr; }
  int extent(int) const { return 1; }
  int stride(int) const { return 1; }
};

causal_conv1d::tensor_view<const float> view() { return span(); }
