// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// Index arrays are 32-bit or 64-bit integers.
// expected: (no matching|no match)

#include <causal_conv1d/causal_conv1d.hpp>

#ifdef CORRECT
using index_type = std::int64_t;
#else
using index_type = std::int16_t;
#endif

causal_conv1d::sequence_view rows(const index_type* lengths) {
  return causal_conv1d::padded(causal_conv1d::index_view(lengths, 3));
}
