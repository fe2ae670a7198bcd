// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A forward allocates nothing: operator new counts.

#include <causal_conv1d/causal_conv1d.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

// The operators below are replaced together; once inlined, g++ takes their malloc and free for a mismatch.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {
std::atomic<long> allocations{0};

void* allocate(std::size_t bytes) {
  ++allocations;
  void* const data = std::malloc(bytes != 0 ? bytes : 1);
  if (data == nullptr) {
    throw std::bad_alloc();
  }
  return data;
}
}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* data) noexcept { std::free(data); }
void operator delete[](void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete[](void* data, std::size_t) noexcept { std::free(data); }

namespace causal_conv1d_test {
namespace {

TEST(allocations, none_in_a_forward) {
  constexpr std::int64_t channels = 70;
  constexpr std::int64_t length = 900;
  std::vector<float> x(channels * length, 1.0f);
  std::vector<float> out(x.size());
  std::vector<float> weight(channels * 4, 0.5f);
  std::vector<float> state(channels * 3, 0.0f);
  std::vector<unsigned char> memory((std::size_t{1} << 20) + 256);
  causal_conv1d::host_thread_pool pool(3);
  causal_conv1d::forward_args<float, float, causal_conv1d::silu> args;
  args.x = causal_conv1d::channel_last(static_cast<const float*>(x.data()), 1, channels, length);
  args.weight = causal_conv1d::weight_view(weight.data(), channels, 4);
  args.out = causal_conv1d::channel_last(out.data(), 1, channels, length);
  args.initial_state = causal_conv1d::channel_first(state.data(), 1, channels, 3);
  args.final_state = causal_conv1d::channel_first(state.data(), 1, channels, 3);
  using policy = causal_conv1d::only_width<4>;

  const long before = allocations.load();
  ASSERT_GT(before, 0) << "operator new is not counted";
  const causal_conv1d::status serial = causal_conv1d::forward<policy>(causal_conv1d::host_execution{}, args);
  const causal_conv1d::status parallel =
      causal_conv1d::forward<policy>(causal_conv1d::host_execution{std::ref(pool)}, args);
  args.out = causal_conv1d::channel_last(x.data(), 1, channels, length);
  args.workspace_size = causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args);
  args.workspace = memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256);
  const causal_conv1d::status in_place =
      causal_conv1d::forward<policy>(causal_conv1d::host_execution{std::ref(pool)}, args);
  args.weight.width = 9999;
  const causal_conv1d::status refused = causal_conv1d::forward<policy>(causal_conv1d::host_execution{}, args);
  const causal_conv1d::status_text words = causal_conv1d::message(refused);
  const long after = allocations.load();

  EXPECT_EQ(after, before);
  EXPECT_TRUE(serial);
  EXPECT_TRUE(parallel);
  EXPECT_TRUE(in_place) << causal_conv1d::message(in_place).c_str();
  EXPECT_FALSE(refused) << words.c_str();
}

}  // namespace
}  // namespace causal_conv1d_test
