// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A small pool of threads that the user owns, for host_execution.
#pragma once

#include <causal_conv1d/config.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

CAUSAL_CONV1D_NAMESPACE_BEGIN

/// Threads that wait for work. Use: `host_thread_pool pool(8); forward(host_execution{std::ref(pool)}, args);`
///
/// A call allocates nothing. Calls from several threads are served one after the other (calls that need one thread only
/// run at once), a function run by the pool must not call the pool, and must not throw: an exception ends the program.
class host_thread_pool {
 public:
  /// Starts threads so that, with the calling one, `threads` share the work; at least 1. 0: one per processor.
  explicit host_thread_pool(int threads = 0) {
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    const int wanted = threads > 0 ? threads : processors;
    for (int i = 1; i < wanted; ++i) {
      threads_.emplace_back([this] { serve(); });
    }
  }

  ~host_thread_pool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    work_arrived_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  host_thread_pool(const host_thread_pool&) = delete;
  host_thread_pool& operator=(const host_thread_pool&) = delete;

  /// The number of threads that share a call's work, the calling thread included.
  int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls function(i) once for every i in 0 .. n - 1 and returns when all calls have returned.
  template <class Function>
  void operator()(std::int64_t n, const Function& function) noexcept {
    if (threads_.empty() || n <= 1) {
      for (std::int64_t i = 0; i < n; ++i) {
        function(i);
      }
      return;
    }
    const std::lock_guard<std::mutex> one_call(calls_);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      context_ = &function;
      invoke_ = [](const void* context, std::int64_t i) { (*static_cast<const Function*>(context))(i); };
      count_ = n;
      next_.store(0, std::memory_order_relaxed);
      busy_ = static_cast<int>(threads_.size());
      ++generation_;
    }
    work_arrived_.notify_all();
    run();
    std::unique_lock<std::mutex> lock(mutex_);
    work_done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void run() {
    // Several indices at a time where there are many, so that the counter is not what the threads wait for.
    const std::int64_t share = count_ / (16 * size());
    const std::int64_t step = share > 1 ? share : 1;
    for (std::int64_t i = next_.fetch_add(step); i < count_; i = next_.fetch_add(step)) {
      const std::int64_t end = i + step < count_ ? i + step : count_;
      for (std::int64_t k = i; k < end; ++k) {
        invoke_(context_, k);
      }
    }
  }

  void serve() {
    std::uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      work_arrived_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) {
        return;
      }
      seen = generation_;
      lock.unlock();
      run();
      lock.lock();
      if (--busy_ == 0) {
        work_done_.notify_one();
      }
    }
  }

  std::mutex calls_;
  std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable work_done_;
  std::vector<std::thread> threads_;
  const void* context_ = nullptr;
  void (*invoke_)(const void*, std::int64_t) = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> next_{0};
  int busy_ = 0;
  std::uint64_t generation_ = 0;
  bool stopping_ = false;
};

CAUSAL_CONV1D_NAMESPACE_END
