// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

// A class with the members of std::mdspan becomes a view, const elements and other integer types included.

#include <causal_conv1d/causal_conv1d.hpp>

template <class T>
struct span {
  using index_type = unsigned;
  static constexpr unsigned rank() { return 3; }
  T* data_handle() const { return data; }
  unsigned extent(unsigned dimension) const { return 2 + dimension; }
  unsigned stride(unsigned dimension) const { return dimension == 0 ? 12 : dimension == 1 ? 4 : 1; }
  T* data = nullptr;
};

int main() {
  float memory[24] = {};
  causal_conv1d::forward_args<float> args;
  args.x = span<const float>{memory};
  args.out = span<float>{memory};
  args.x = span<float>{memory};
  const bool is_right = args.x.data == memory && args.out.data == memory && args.x.batch == 2 && args.x.channels == 3 &&
                        args.x.length == 4 && args.x.batch_stride == 12 && args.x.channel_stride == 4 &&
                        args.x.time_stride == 1;
  return is_right ? 0 : 1;
}
