// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The dense forward on the CPU beside a copy of the same bytes by the same threads.
///
/// Copies and forwards alternate, on sets of operands that together are much larger than the caches. `ratio` is the
/// median, over the pairs, of the copy's time over the forward's.
#include "context.hpp"
#include "statistics.hpp"

#include <benchmark/benchmark.h>
#include <causal_conv1d/forward.hpp>
#include <causal_conv1d/host_thread_pool.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace bench {
namespace {

enum class layout { channel_first, channel_last };

constexpr std::int64_t batch = 1;
constexpr std::int64_t channels = 4096;
constexpr std::int64_t length = 8192;
constexpr int width = 4;
constexpr int pairs = 15;
constexpr double most_seconds = 3.0;  // of one case; at least five pairs are taken

int failures = 0;

/// How many sets of operands: inputs and outputs of all sets together are at least eight times the last-level cache
/// and 1 GiB, as far as a quarter of the machine's memory allows.
int set_count(std::size_t bytes_per_set) {
  std::size_t wanted = std::size_t{1} << 30;
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_PHYS_PAGES)
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache > 0) {
    wanted = std::max(wanted, 8 * static_cast<std::size_t>(cache));
  }
  const std::size_t memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  wanted = std::min(wanted, memory / 4);
#endif
  return std::max(2, static_cast<int>((wanted + bytes_per_set - 1) / bytes_per_set));
}

template <class Element>
struct operands {
  std::vector<Element> x;
  std::vector<Element> out;
};

template <class Function>
double seconds_of(const Function& function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Element>
void measure(benchmark::State& state, layout order, int threads) {
  causal_conv1d::host_thread_pool pool(threads);
  const std::size_t elements = static_cast<std::size_t>(batch * channels * length);
  const std::size_t bytes = elements * sizeof(Element);

  std::vector<operands<Element>> sets(static_cast<std::size_t>(set_count(2 * bytes)));
  for (operands<Element>& set : sets) {
    set.x.resize(elements);
    set.out.resize(elements);
    pool(batch * channels, [&set](std::int64_t row) {
      std::uint32_t bits = static_cast<std::uint32_t>(row) * 2654435761u + 1u;
      for (std::int64_t i = row * length; i < (row + 1) * length; ++i) {
        bits = bits * 1664525u + 1013904223u;
        const float value = static_cast<float>(bits >> 8) * 0x1p-23f - 1.0f;
        set.x[static_cast<std::size_t>(i)] = causal_conv1d::from_accumulator<Element>(value);
      }
    });
  }
  std::vector<float> weight(static_cast<std::size_t>(channels * width));
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight[i] = static_cast<float>(i % 7) * 0.25f - 0.75f;
  }
  const std::vector<float> bias(static_cast<std::size_t>(channels), 0.125f);

  const auto copy = [&](operands<Element>& set) {
    const std::int64_t parts = pool.size();
    const auto from = reinterpret_cast<const unsigned char*>(set.x.data());
    const auto to = reinterpret_cast<unsigned char*>(set.out.data());
    pool(parts, [=](std::int64_t part) {
      const std::size_t begin = bytes / static_cast<std::size_t>(parts) * static_cast<std::size_t>(part);
      const std::size_t end = part + 1 == parts ? bytes : begin + bytes / static_cast<std::size_t>(parts);
      std::memcpy(to + begin, from + begin, end - begin);
    });
  };
  causal_conv1d::status answer;
  const auto forward = [&](operands<Element>& set) {
    causal_conv1d::forward_args<Element, Element, causal_conv1d::silu> args;
    const Element* const x = set.x.data();
    if (order == layout::channel_first) {
      args.x = causal_conv1d::channel_first(x, batch, channels, length);
      args.out = causal_conv1d::channel_first(set.out.data(), batch, channels, length);
    } else {
      args.x = causal_conv1d::channel_last(x, batch, channels, length);
      args.out = causal_conv1d::channel_last(set.out.data(), batch, channels, length);
    }
    args.weight = {weight.data(), channels, width};
    args.bias = {bias.data(), channels};
    answer =
        causal_conv1d::forward<causal_conv1d::only_width<width>>(causal_conv1d::host_execution{std::ref(pool)}, args);
  };

  std::size_t next = 0;
  const auto take = [&]() -> operands<Element>& { return sets[next++ % sets.size()]; };
  copy(take());
  forward(take());
  if (!answer) {
    ++failures;
    state.SkipWithError(causal_conv1d::message(answer).c_str());
    return;
  }
  // An odd number of sets makes copies and forwards meet every set in turn.
  if (sets.size() % 2 == 0 && sets.size() > 2) {
    sets.pop_back();
  }
  std::vector<double> forward_seconds;
  std::vector<double> copy_seconds;
  std::vector<double> ratios;
  double spent = 0;
  while (ratios.size() < pairs && (spent < most_seconds || ratios.size() < 5)) {
    copy_seconds.push_back(seconds_of([&] { copy(take()); }));
    forward_seconds.push_back(seconds_of([&] { forward(take()); }));
    ratios.push_back(copy_seconds.back() / forward_seconds.back());
    spent += copy_seconds.back() + forward_seconds.back();
  }

  for (auto _ : state) {
    state.SetIterationTime(median(forward_seconds));
  }
  const double moved = 2.0 * static_cast<double>(bytes);
  state.counters["ratio"] = median(ratios);
  state.counters["GB/s"] = moved * 1e-9 / median(forward_seconds);
  state.counters["copy_GB/s"] = moved * 1e-9 / median(copy_seconds);
  state.counters["tokens/s"] = static_cast<double>(batch * length) / median(forward_seconds);
  state.counters["threads"] = pool.size();
  state.counters["sets"] = static_cast<double>(sets.size());
}

template <class Element>
void add(layout order, const char* element, int threads, const char* threads_name) {
  const std::string name = std::string("forward_host/") +
                           (order == layout::channel_first ? "channel_first/" : "channel_last/") + element + "/width" +
                           std::to_string(width) + "/" + std::to_string(batch) + "x" + std::to_string(channels) + "x" +
                           std::to_string(length) + "/" + threads_name;
  benchmark::RegisterBenchmark(name.c_str(),
                               [order, threads](benchmark::State& state) { measure<Element>(state, order, threads); })
      ->UseManualTime()
      ->Iterations(1)  // the medians are taken inside
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  bench::add_common_context();
  for (const bench::layout order : {bench::layout::channel_last, bench::layout::channel_first}) {
    bench::add<float>(order, "float32", 1, "one_thread");
    bench::add<float>(order, "float32", 0, "all_threads");
    bench::add<causal_conv1d::bfloat16>(order, "bfloat16", 1, "one_thread");
    bench::add<causal_conv1d::bfloat16>(order, "bfloat16", 0, "all_threads");
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return bench::failures == 0 ? 0 : 1;
}
