// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The library's small thread pool.

#include <causal_conv1d/host_thread_pool.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::host_thread_pool;

TEST(host_thread_pool, has_the_size_asked_for) {
  EXPECT_EQ(host_thread_pool(1).size(), 1);
  EXPECT_EQ(host_thread_pool(5).size(), 5);
  EXPECT_GE(host_thread_pool().size(), 1);
  EXPECT_GE(host_thread_pool(-3).size(), 1);
}

TEST(host_thread_pool, calls_every_index_once) {
  for (const int threads : {1, 2, 3, 8}) {
    host_thread_pool pool(threads);
    for (const std::int64_t n : {0, 1, 2, 3, 7, 100, 1000, 4097}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
      pool(n, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
      for (const auto& count : times) {
        ASSERT_EQ(count.load(), 1) << threads << " threads, " << n << " indices";
      }
    }
  }
}

TEST(host_thread_pool, does_nothing_for_negative_counts) {
  host_thread_pool pool(3);
  pool(-5, [](std::int64_t) { ADD_FAILURE(); });
}

TEST(host_thread_pool, uses_several_threads) {
  host_thread_pool pool(4);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> arrived{0};
  // Each call waits for a second one, so one thread alone cannot serve both.
  pool(2, [&](std::int64_t) {
    ++arrived;
    while (arrived.load() < 2) {
      std::this_thread::yield();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 2u);
}

TEST(host_thread_pool, has_finished_when_the_call_returns) {
  host_thread_pool pool(3);
  for (int round = 0; round < 2000; ++round) {
    std::int64_t values[16] = {};
    pool(16, [&](std::int64_t i) { values[i] = i + round; });
    for (int i = 0; i < 16; ++i) {
      ASSERT_EQ(values[i], i + round);
    }
  }
}

TEST(host_thread_pool, can_be_called_many_times) {
  host_thread_pool pool(2);
  std::atomic<std::int64_t> sum{0};
  for (int round = 0; round < 100000; ++round) {
    pool(2, [&](std::int64_t i) { sum.fetch_add(i + 1, std::memory_order_relaxed); });
  }
  EXPECT_EQ(sum.load(), 300000);
}

TEST(host_thread_pool, serves_several_callers) {
  host_thread_pool pool(3);
  std::atomic<std::int64_t> total{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        std::atomic<int> mine{0};
        pool(20, [&](std::int64_t) { ++mine; });
        EXPECT_EQ(mine.load(), 20);
        total += mine.load();
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(total.load(), 4 * 500 * 20);
}

TEST(host_thread_pool, can_be_made_and_dropped_without_work) {
  for (int i = 0; i < 200; ++i) {
    host_thread_pool pool(3);
  }
}

}  // namespace
}  // namespace causal_conv1d_test
