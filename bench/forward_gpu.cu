// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The dense forward on a GPU beside a copy of the same bytes.
///
/// Time is that of CUDA graphs that hold one call for each of several sets of operands. Batches of the forward and of
/// the copies alternate; the figure of each is the median of its batches. The ceiling is the fastest of cudaMemcpyAsync
/// and a copy kernel with blocks of 256 and of 512 threads; `ratio` is the ceiling's time over the forward's.
#include "context.hpp"
#include "forward_gpu_call.hpp"
#include "gpu_measurement.cuh"

#include <benchmark/benchmark.h>
#include <causal_conv1d/execution.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {
namespace {

enum class layout { channel_first, channel_last };

/// What a case does to its operands; the rest is a contiguous forward with silu and bias.
struct variant {
  const char* name;      ///< empty for the plain case
  std::int64_t padding;  ///< elements between the rows of x
  std::int64_t offset;   ///< elements between an aligned address and the first of x
  bool states;           ///< with an initial and a final state
};

constexpr variant plain{"", 0, 0, false};
constexpr variant sliced{"sliced", 24, 8, false};          // rows of a wider tensor, every row 16-byte aligned
constexpr variant misaligned{"misaligned", 24, 1, false};  // no row aligned for vectors
constexpr variant odd_pitch{"odd_pitch", 1, 0, false};     // rows of every alignment
constexpr variant with_states{"states", 0, 0, true};

struct forward_case {
  layout order;
  std::int64_t batch;
  std::int64_t channels;
  std::int64_t length;
  int width;
  variant what;
};

constexpr int batches = 9;
constexpr double batch_seconds = 4e-3;
constexpr double rotating_bytes = 0.8e9;
constexpr int fewest_sets = 3;
constexpr int most_sets = 48;

causal_conv1d::device_facts device;
int failures = 0;

template <class Element>
const char* element_name() {
  switch (causal_conv1d::element<Element>::type) {
    case causal_conv1d::data_type::bfloat16: return "bfloat16";
    case causal_conv1d::data_type::float16: return "float16";
    case causal_conv1d::data_type::float32: return "float32";
    case causal_conv1d::data_type::float64: return "float64";
  }
  return "unknown";
}

template <class Element>
std::string name_of(const forward_case& chosen) {
  std::string name =
      std::string("forward/") + (chosen.order == layout::channel_first ? "channel_first/" : "channel_last/") +
      element_name<Element>() + "/width" + std::to_string(chosen.width) + "/" + std::to_string(chosen.batch) + "x" +
      std::to_string(chosen.channels) + "x" + std::to_string(chosen.length);
  if (*chosen.what.name != '\0') {
    name += std::string("/") + chosen.what.name;
  }
  return name;
}

/// Fills with numbers in -1 .. 1 that look random: zeros would draw less power, and so run at a higher clock.
template <class Element>
__global__ void fill_kernel(Element* data, std::int64_t count, std::uint32_t seed) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    std::uint32_t bits = static_cast<std::uint32_t>(i) * 2654435761u + seed;
    bits = (bits ^ (bits >> 15)) * 2246822519u;
    bits = (bits ^ (bits >> 13)) * 3266489917u;
    bits ^= bits >> 16;
    const float value = static_cast<float>(bits) * (2.0f / 4294967296.0f) - 1.0f;
    data[i] = causal_conv1d::from_accumulator<Element>(value);
  }
}

template <class Element>
device_memory random_elements(cudaStream_t stream, std::int64_t count, std::uint32_t seed) {
  device_memory memory(static_cast<std::size_t>(count) * sizeof(Element));
  fill_kernel<<<1024, 256, 0, stream>>>(memory.as<Element>(), count, seed);
  require(cudaGetLastError(), "fill_kernel");
  return memory;
}

void require_success(const causal_conv1d::status& status) {
  if (!status) {
    throw std::runtime_error(causal_conv1d::message(status).c_str());
  }
}

template <class Element>
void measure(benchmark::State& state, const forward_case& chosen) {
  const bool channel_first = chosen.order == layout::channel_first;
  const std::int64_t rows = chosen.batch * (channel_first ? chosen.channels : chosen.length);
  const std::int64_t row_elements = channel_first ? chosen.length : chosen.channels;
  const std::int64_t pitch = row_elements + chosen.what.padding;
  const std::int64_t elements = rows * row_elements;
  const std::int64_t entries = chosen.width - 1;
  const std::int64_t state_elements = chosen.what.states ? chosen.batch * chosen.channels * entries : 0;

  // As many bytes as the forward reads and as it writes; weights and bias are left out.
  const std::int64_t moved = (elements + state_elements) * static_cast<std::int64_t>(sizeof(Element));
  const std::int64_t capacity = std::max(chosen.what.offset + rows * pitch, elements + state_elements);
  const int sets =
      std::clamp(static_cast<int>(rotating_bytes / static_cast<double>(moved)) + 1, fewest_sets, most_sets);

  const stream work;
  std::vector<device_memory> inputs;
  std::vector<device_memory> outputs;
  std::vector<device_memory> states;
  for (int set = 0; set < sets; ++set) {
    inputs.push_back(random_elements<Element>(work.get(), capacity, static_cast<std::uint32_t>(set)));
    outputs.emplace_back(static_cast<std::size_t>(elements + state_elements) * sizeof(Element));
    states.push_back(random_elements<Element>(work.get(), std::max<std::int64_t>(2 * state_elements, 1), 77u));
  }
  const device_memory weight = random_elements<float>(work.get(), chosen.channels * chosen.width, 78u);
  const device_memory bias = random_elements<float>(work.get(), chosen.channels, 79u);

  causal_conv1d::gpu_execution execution;
  execution.stream = work.get();
  execution.device = device;
  const auto forward = [&](int set) {
    causal_conv1d::forward_args<Element, Element, causal_conv1d::silu> args;
    Element* const x = inputs[static_cast<std::size_t>(set)].template as<Element>() + chosen.what.offset;
    Element* const out = outputs[static_cast<std::size_t>(set)].template as<Element>();
    if (channel_first) {
      args.x = {x, chosen.batch, chosen.channels, chosen.length, chosen.channels * pitch, pitch, 1};
      args.out = causal_conv1d::channel_first(out, chosen.batch, chosen.channels, chosen.length);
    } else {
      args.x = {x, chosen.batch, chosen.channels, chosen.length, chosen.length * pitch, 1, pitch};
      args.out = causal_conv1d::channel_last(out, chosen.batch, chosen.channels, chosen.length);
    }
    args.weight = {weight.as<const float>(), chosen.channels, chosen.width};
    args.bias = {bias.as<const float>(), chosen.channels};
    if (chosen.what.states) {
      Element* const before = states[static_cast<std::size_t>(set)].template as<Element>();
      Element* const after = before + state_elements;
      if (channel_first) {
        args.initial_state = causal_conv1d::channel_first(before, chosen.batch, chosen.channels, entries);
        args.final_state = causal_conv1d::channel_first(after, chosen.batch, chosen.channels, entries);
      } else {
        args.initial_state = causal_conv1d::channel_last(before, chosen.batch, chosen.channels, entries);
        args.final_state = causal_conv1d::channel_last(after, chosen.batch, chosen.channels, entries);
      }
    }
    require_success(call_forward(execution, args));
  };
  const auto copy_by_kernel = [&](int threads) {
    return [&, threads](int set) {
      launch_copy(work.get(), inputs[static_cast<std::size_t>(set)].template as<void>(),
                  outputs[static_cast<std::size_t>(set)].template as<void>(), moved, threads);
    };
  };
  const auto copy_by_runtime = [&](int set) {
    require(cudaMemcpyAsync(outputs[static_cast<std::size_t>(set)].template as<void>(),
                            inputs[static_cast<std::size_t>(set)].template as<void>(), static_cast<std::size_t>(moved),
                            cudaMemcpyDeviceToDevice, work.get()),
            "cudaMemcpyAsync");
  };

  captured_calls forward_calls(work.get(), sets, forward);
  captured_calls runtime_copies(work.get(), sets, copy_by_runtime);
  captured_calls copies_256(work.get(), sets, copy_by_kernel(256));
  captured_calls copies_512(work.get(), sets, copy_by_kernel(512));
  captured_calls* const measured[] = {&forward_calls, &runtime_copies, &copies_256, &copies_512};
  std::vector<double> seconds[4];
  for (captured_calls* calls : measured) {
    calls->calibrate(batch_seconds);
  }
  for (int batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < 4; ++i) {
      seconds[i].push_back(measured[i]->seconds_per_call());
    }
  }

  const double forward_seconds = median(seconds[0]);
  const double copy_seconds = std::min({median(seconds[1]), median(seconds[2]), median(seconds[3])});
  for (auto _ : state) {
    state.SetIterationTime(forward_seconds);
  }
  const double bytes = 2.0 * static_cast<double>(moved);
  state.counters["ratio"] = copy_seconds / forward_seconds;
  state.counters["GB/s"] = bytes * 1e-9 / forward_seconds;
  state.counters["copy_GB/s"] = bytes * 1e-9 / copy_seconds;
  state.counters["tokens/s"] = static_cast<double>(chosen.batch * chosen.length) / forward_seconds;
  state.counters["copy_us"] = copy_seconds * 1e6;
  state.counters["sets"] = sets;
}

__global__ void empty_kernel() {}

/// The host's time for one call, beside that of launching a kernel that does nothing.
void measure_host_time(benchmark::State& state) {
  using element = causal_conv1d::bfloat16;
  constexpr std::int64_t channels = 256;
  constexpr std::int64_t length = 8;
  constexpr int width = 4;
  constexpr int calls = 200;  // fewer than a stream queues before a launch waits
  const stream work;
  const device_memory x = random_elements<element>(work.get(), channels * length, 1u);
  const device_memory out(channels * length * sizeof(element));
  const device_memory weight = random_elements<float>(work.get(), channels * width, 2u);
  causal_conv1d::gpu_execution execution;
  execution.stream = work.get();
  execution.device = device;
  causal_conv1d::forward_args<element, element, causal_conv1d::silu> args;
  args.x = causal_conv1d::channel_first(x.as<const element>(), 1, channels, length);
  args.weight = {weight.as<const float>(), channels, width};
  args.out = causal_conv1d::channel_first(out.as<element>(), 1, channels, length);

  const auto seconds_per_call = [&](const auto& call) {
    require(cudaStreamSynchronize(work.get()), "cudaStreamSynchronize");
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      call();
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return spent.count() / calls;
  };
  std::vector<double> forward_seconds;
  std::vector<double> launch_seconds;
  for (int batch = 0; batch < 51; ++batch) {
    launch_seconds.push_back(seconds_per_call([&] {
      empty_kernel<<<1, 32, 0, work.get()>>>();
      require(cudaGetLastError(), "empty_kernel");
    }));
    forward_seconds.push_back(seconds_per_call([&] { require_success(call_forward(execution, args)); }));
  }
  for (auto _ : state) {
    state.SetIterationTime(median(forward_seconds));
  }
  state.counters["launch_us"] = median(launch_seconds) * 1e6;
  state.counters["beyond_launch_us"] = (median(forward_seconds) - median(launch_seconds)) * 1e6;
}

template <class Measure>
void add(const std::string& name, const Measure& measurement) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [measurement](benchmark::State& state) {
                                 try {
                                   measurement(state);
                                 } catch (const std::exception& error) {
                                   ++failures;
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1)  // the medians are taken inside
      ->Unit(benchmark::kMicrosecond);
}

template <class Element>
void add(const forward_case& chosen) {
  add(name_of<Element>(chosen), [chosen](benchmark::State& state) { measure<Element>(state, chosen); });
}

template <class Element>
void add_shapes(layout order) {
  for (const int width : {2, 3, 4}) {
    add<Element>({order, 8, 2048, 4096, width, plain});
    add<Element>({order, 4, 4128, 4096, width, plain});
    add<Element>({order, 1, 1024, 131072, width, plain});
    add<Element>({order, 1, 2048, 2048, width, plain});
  }
  add<Element>({order, 8, 2048, 4095, 4, plain});
  add<Element>({order, 8, 2047, 4096, 4, plain});
  add<Element>({order, 8, 2048, 4096, 4, sliced});
  add<Element>({order, 8, 2048, 4096, 4, misaligned});
  add<Element>({order, 8, 2048, 4096, 4, odd_pitch});
  add<Element>({order, 8, 2048, 4096, 4, with_states});
  add<Element>({order, 128, 4096, 256, 4, plain});
  add<Element>({order, 128, 4096, 256, 4, with_states});
}

/// 13000 as "13.0".
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void add_gpu_context() {
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, device.ordinal), "cudaGetDeviceProperties");
  int driver = 0;
  int runtime = 0;
  require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  benchmark::AddCustomContext("device", properties.name);
  benchmark::AddCustomContext("compute_capability", std::to_string(device.compute_capability));
  benchmark::AddCustomContext("driver_supports_cuda", version_text(driver));
  benchmark::AddCustomContext("cuda_runtime", version_text(runtime));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  if (const causal_conv1d::status found = causal_conv1d::query_device(bench::device); !found) {
    std::fprintf(stderr, "forward_gpu: %s\n", causal_conv1d::message(found).c_str());
    return 2;
  }
  bench::add_common_context();
  bench::add_gpu_context();
  for (const bench::layout order : {bench::layout::channel_first, bench::layout::channel_last}) {
    bench::add_shapes<causal_conv1d::bfloat16>(order);
    bench::add_shapes<causal_conv1d::half>(order);
    bench::add_shapes<float>(order);
  }
  bench::add("host_time/forward", bench::measure_host_time);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return bench::failures == 0 ? 0 : 1;
}
