// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// What only the GPU executor has: streams, graphs, devices, pointer checks, the toolkit's element types.

#include "forward_on_gpu.hpp"
#include "run_problem.hpp"

#include <causal_conv1d/causal_conv1d.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::argument;
using causal_conv1d::rule;
using causal_conv1d::status;
using causal_conv1d::status_code;
using policy = causal_conv1d::only_width<4>;

#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess)
#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)

/// Device memory that frees itself.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    EXPECT_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) { upload(values); }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return data_; }
  void upload(const std::vector<T>& values) {
    EXPECT_CUDA(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    EXPECT_CUDA(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A small forward (2, 24, 50) of width 4 in device memory, and its result computed on the CPU.
struct small_forward {
  static constexpr std::int64_t batch = 2;
  static constexpr std::int64_t channels = 24;
  static constexpr std::int64_t length = 50;
  static constexpr std::size_t size = batch * channels * length;

  explicit small_forward(std::uint64_t purpose)
      : x_values(size), weight_values(channels * 4), x(size), weight(channels * 4), out(size) {
    random_source random(purpose);
    for (float& value : weight_values) {
      value = static_cast<float>(random.real(-1, 1));
    }
    weight.upload(weight_values);
    refill(random);
    args.x = causal_conv1d::channel_last(static_cast<const float*>(x.data()), batch, channels, length);
    args.weight = causal_conv1d::weight_view(weight.data(), channels, 4);
    args.out = causal_conv1d::channel_last(out.data(), batch, channels, length);
  }

  void refill(random_source& random) {
    for (float& value : x_values) {
      value = static_cast<float>(random.real(-1, 1));
    }
    x.upload(x_values);
  }

  std::vector<float> expected() const {
    std::vector<float> result(size);
    causal_conv1d::forward_args<float> on_host;
    on_host.x = causal_conv1d::channel_last(x_values.data(), batch, channels, length);
    on_host.weight = causal_conv1d::weight_view(weight_values.data(), channels, 4);
    on_host.out = causal_conv1d::channel_last(result.data(), batch, channels, length);
    EXPECT_TRUE(causal_conv1d::forward<policy>(causal_conv1d::host_execution{}, on_host));
    return result;
  }

  std::vector<float> x_values;
  std::vector<float> weight_values;
  device_array<float> x;
  device_array<float> weight;
  device_array<float> out;
  causal_conv1d::forward_args<float> args;
};

class gpu_execution : public executor_test {
 protected:
  void SetUp() override {
    executor_test::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) {
      ASSERT_TRUE(causal_conv1d::query_device(execution_.device));
    }
  }
  causal_conv1d::gpu_execution execution_;
};

TEST_F(gpu_execution, device_facts_are_filled) {
  EXPECT_TRUE(causal_conv1d::device_available());
  EXPECT_GE(execution_.device.ordinal, 0);
  EXPECT_GE(execution_.device.compute_capability, 50);
  EXPECT_GT(execution_.device.multiprocessors, 0);
  causal_conv1d::device_facts first;
  ASSERT_TRUE(causal_conv1d::query_device(first, 0));
  EXPECT_EQ(first.ordinal, 0);
}

TEST_F(gpu_execution, a_device_that_does_not_exist) {
  causal_conv1d::device_facts facts;
  const status answer = causal_conv1d::query_device(facts, 1000);
  EXPECT_FALSE(answer);
  EXPECT_EQ(answer.argument, argument::execution);
  EXPECT_NE(answer.native_error, 0);
  EXPECT_EQ(facts.ordinal, -1);
  EXPECT_CUDA(cudaGetLastError()) << "an error of the library's own question stays behind";
}

TEST_F(gpu_execution, the_facts_of_another_device) {
  const small_forward problem(201);
  ++execution_.device.ordinal;
  const status answer = causal_conv1d::forward<policy>(execution_, problem.args);
  EXPECT_EQ(answer.code, status_code::wrong_device);
  EXPECT_EQ(answer.argument, argument::execution);
  EXPECT_EQ(answer.fact + 1, answer.expected);
}

TEST_F(gpu_execution, default_constructed_facts) {
  const small_forward problem(202);
  const status answer = causal_conv1d::forward<policy>(causal_conv1d::gpu_execution{}, problem.args);
  EXPECT_EQ(answer.code, status_code::wrong_device);
}

TEST_F(gpu_execution, default_stream) {
  const small_forward problem(203);
  ASSERT_TRUE(causal_conv1d::forward<policy>(execution_, problem.args));
  EXPECT_EQ(problem.out.download(), problem.expected());
}

TEST_F(gpu_execution, work_is_ordered_with_its_stream) {
  small_forward problem(204);
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  execution_.stream = stream;
  std::vector<float> result(small_forward::size);
  EXPECT_CUDA(cudaMemsetAsync(problem.x.data(), 0, small_forward::size * sizeof(float), stream));
  EXPECT_CUDA(cudaMemcpyAsync(problem.x.data(), problem.x_values.data(), small_forward::size * sizeof(float),
                              cudaMemcpyHostToDevice, stream));
  ASSERT_TRUE(causal_conv1d::forward<policy>(execution_, problem.args));
  EXPECT_CUDA(cudaMemcpyAsync(result.data(), problem.out.data(), small_forward::size * sizeof(float),
                              cudaMemcpyDeviceToHost, stream));
  EXPECT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(result, problem.expected());
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST_F(gpu_execution, can_be_captured_and_replayed) {
  small_forward problem(205);
  random_source random(206);
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  execution_.stream = stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const status captured = causal_conv1d::forward<policy>(execution_, problem.args);
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_TRUE(captured) << causal_conv1d::message(captured).c_str();
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int replay = 0; replay < 3; ++replay) {
    problem.refill(random);
    EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    EXPECT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_EQ(problem.out.download(), problem.expected());
  }
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_CUDA(cudaGraphDestroy(graph));
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST_F(gpu_execution, in_place_can_be_captured) {
  small_forward problem(207);
  device_array<float> state(small_forward::batch * small_forward::channels * 3);
  problem.args.out = causal_conv1d::channel_last(problem.x.data(), small_forward::batch, small_forward::channels,
                                                 small_forward::length);
  problem.args.final_state =
      causal_conv1d::channel_first(state.data(), small_forward::batch, small_forward::channels, 3);
  problem.args.workspace_size = causal_conv1d::workspace_bytes(execution_, problem.args);
  ASSERT_GT(problem.args.workspace_size, 0u);
  device_array<unsigned char> workspace(problem.args.workspace_size);
  problem.args.workspace = workspace.data();
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  execution_.stream = stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const status captured = causal_conv1d::forward<policy>(execution_, problem.args);
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_TRUE(captured) << causal_conv1d::message(captured).c_str();
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_CUDA(cudaGraphLaunch(executable, stream));
  EXPECT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(problem.x.download(), problem.expected());
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_CUDA(cudaGraphDestroy(graph));
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST_F(gpu_execution, many_threads_and_streams_at_once) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&, thread] {
      small_forward problem(static_cast<std::uint64_t>(220 + thread));
      random_source random(static_cast<std::uint64_t>(240 + thread));
      cudaStream_t stream = nullptr;
      EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      causal_conv1d::gpu_execution execution = execution_;
      execution.stream = stream;
      for (int round = 0; round < 20; ++round) {
        problem.refill(random);
        EXPECT_TRUE(causal_conv1d::forward<policy>(execution, problem.args));
        EXPECT_CUDA(cudaStreamSynchronize(stream));
        EXPECT_EQ(problem.out.download(), problem.expected());
      }
      EXPECT_CUDA(cudaStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST_F(gpu_execution, checked_pointers_of_device_memory_are_accepted) {
  const small_forward problem(208);
  execution_.check_pointers = true;
  const status answer = causal_conv1d::forward<policy>(execution_, problem.args);
  ASSERT_TRUE(answer) << causal_conv1d::message(answer).c_str();
  EXPECT_EQ(problem.out.download(), problem.expected());
}

TEST_F(gpu_execution, checked_pointers_of_pinned_memory_are_accepted) {
  small_forward problem(209);
  float* pinned = nullptr;
  ASSERT_CUDA(cudaMallocHost(reinterpret_cast<void**>(&pinned), small_forward::size * sizeof(float)));
  problem.args.out =
      causal_conv1d::channel_last(pinned, small_forward::batch, small_forward::channels, small_forward::length);
  execution_.check_pointers = true;
  EXPECT_TRUE(causal_conv1d::forward<policy>(execution_, problem.args));
  EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(std::vector<float>(pinned, pinned + small_forward::size), problem.expected());
  EXPECT_CUDA(cudaFreeHost(pinned));
}

TEST_F(gpu_execution, checked_pointers_of_host_memory_are_named) {
  small_forward problem(210);
  execution_.check_pointers = true;
  std::vector<float> on_host(small_forward::size, 7.0f);
  const auto expect_named = [&](argument which) {
    const status answer = causal_conv1d::forward<policy>(execution_, problem.args);
    EXPECT_EQ(answer.code, status_code::invalid_argument);
    EXPECT_EQ(answer.argument, which);
    EXPECT_EQ(answer.rule, rule::pointer_on_device);
  };
  const auto legal = problem.args;
  problem.args.x.data = on_host.data();
  expect_named(argument::x);
  problem.args = legal;
  problem.args.weight.data = on_host.data();
  expect_named(argument::weight);
  problem.args = legal;
  problem.args.bias = causal_conv1d::bias_view(on_host.data(), small_forward::channels);
  expect_named(argument::bias);
  problem.args = legal;
  problem.args.out.data = on_host.data();
  expect_named(argument::out);
  problem.args = legal;
  problem.args.initial_state =
      causal_conv1d::channel_first(on_host.data(), small_forward::batch, small_forward::channels, 3);
  expect_named(argument::initial_state);
  problem.args = legal;
  problem.args.final_state =
      causal_conv1d::channel_first(on_host.data(), small_forward::batch, small_forward::channels, 3);
  expect_named(argument::final_state);
  EXPECT_EQ(on_host, std::vector<float>(small_forward::size, 7.0f));
}

TEST_F(gpu_execution, bad_arguments_are_refused_as_on_the_host) {
  small_forward problem(211);
  problem.args.weight.width = 0;
  EXPECT_EQ(causal_conv1d::forward<policy>(execution_, problem.args).rule, rule::width_in_range);
  problem.args.weight.width = 3;
  EXPECT_EQ(causal_conv1d::forward<policy>(execution_, problem.args).code, status_code::not_supported);
  problem.args.weight.width = 4;
  problem.args.out.length = 3;
  EXPECT_EQ(causal_conv1d::forward<policy>(execution_, problem.args).rule, rule::length_matches);
  EXPECT_CUDA(cudaDeviceSynchronize());
}

/// The toolkit's types are the library's own in other names.
template <class ToolkitType, class OwnType>
void expect_toolkit_type_equals(const causal_conv1d::gpu_execution& execution) {
  constexpr std::int64_t channels = 16;
  constexpr std::int64_t length = 40;
  random_source random(212);
  std::vector<OwnType> x(channels * length);
  for (OwnType& value : x) {
    value = causal_conv1d::from_accumulator<OwnType>(random.real(-2, 2));
  }
  std::vector<OwnType> weight(channels * 4, causal_conv1d::from_accumulator<OwnType>(0.375));
  const device_array<OwnType> x_device(x);
  const device_array<OwnType> weight_device(weight);
  const device_array<OwnType> own_out(x.size());
  const device_array<OwnType> toolkit_out(x.size());

  causal_conv1d::forward_args<OwnType> own;
  own.x = causal_conv1d::channel_last(static_cast<const OwnType*>(x_device.data()), 1, channels, length);
  own.weight = causal_conv1d::weight_view(weight_device.data(), channels, 4);
  own.out = causal_conv1d::channel_last(own_out.data(), 1, channels, length);
  ASSERT_TRUE(causal_conv1d::forward<policy>(execution, own));

  causal_conv1d::forward_args<ToolkitType> toolkit;
  toolkit.x = causal_conv1d::channel_last(reinterpret_cast<const ToolkitType*>(x_device.data()), 1, channels, length);
  toolkit.weight = causal_conv1d::weight_view(reinterpret_cast<const ToolkitType*>(weight_device.data()), channels, 4);
  toolkit.out = causal_conv1d::channel_last(reinterpret_cast<ToolkitType*>(toolkit_out.data()), 1, channels, length);
  ASSERT_TRUE(causal_conv1d::forward<policy>(execution, toolkit));

  const std::vector<OwnType> a = own_out.download();
  const std::vector<OwnType> b = toolkit_out.download();
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(OwnType)), 0);
}

TEST_F(gpu_execution, toolkit_half) { expect_toolkit_type_equals<__half, causal_conv1d::half>(execution_); }

TEST_F(gpu_execution, toolkit_bfloat16) {
  expect_toolkit_type_equals<__nv_bfloat16, causal_conv1d::bfloat16>(execution_);
}

TEST_F(gpu_execution, silu_is_within_its_bound_over_the_range_of_float) {
  std::vector<float> x;
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 2053) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const std::uint32_t pattern = bits | sign;
      float value = 0;
      std::memcpy(&value, &pattern, sizeof value);
      x.push_back(value);
    }
  }
  const device_array<float> x_device(x);
  const device_array<float> out(x.size());
  const device_array<float> one(std::vector<float>{1.0f});
  const auto length = static_cast<std::int64_t>(x.size());
  forward_call call;
  call.activation = activation_kind::silu;
  call.x = {x_device.data(), data_type::float32, 1, 1, length, length, length, 1};
  call.out = {out.data(), data_type::float32, 1, 1, length, length, length, 1};
  call.weight = causal_conv1d::weight_view(one.data(), 1, 1);
  ASSERT_TRUE(where().forward(call));
  const std::vector<float> found = out.download();
  int reported = 0;
  for (std::size_t i = 0; i < x.size() && reported < 10; ++i) {
    const long double value = x[i];
    const long double expected = value / (1.0L + std::exp(-value));
    const long double error = std::fabs(static_cast<long double>(found[i]) - expected);
    const long double relative = 2e-6L + 7e-8L * std::fabs(value);
    const long double allowed = std::max(relative * std::fabs(expected), 1.1e-36L);
    if (!(error <= allowed)) {
      ++reported;
      ADD_FAILURE() << "silu(" << x[i] << ") = " << found[i] << ", expected " << static_cast<double>(expected);
    }
  }
}

TEST_F(gpu_execution, silu_of_special_values) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 0.0f,
                                std::numeric_limits<float>::max()};
  const device_array<float> x_device(x);
  const device_array<float> out(x.size());
  const device_array<float> one(std::vector<float>{1.0f});
  forward_call call;
  call.activation = activation_kind::silu;
  call.x = {x_device.data(), data_type::float32, 1, 1, 5, 5, 5, 1};
  call.out = {out.data(), data_type::float32, 1, 1, 5, 5, 5, 1};
  call.weight = causal_conv1d::weight_view(one.data(), 1, 1);
  ASSERT_TRUE(where().forward(call));
  const std::vector<float> found = out.download();
  EXPECT_EQ(found[0], infinity);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_TRUE(std::isnan(found[2]));
  EXPECT_EQ(found[3], 0.0f);
  EXPECT_EQ(found[4], std::numeric_limits<float>::max());
}

// ---- The same bits on host and GPU
// -----------------------------------------------------------------------------------

class host_and_gpu : public executor_test_with<std::tuple<data_type, data_type>> {};

TEST_P(host_and_gpu, give_the_same_bits) {
  const auto [input, output] = GetParam();
  random_source random(230);
  for (const std::int64_t width : {1, 4, 9, 64}) {
    for (const bool channel_last : {false, true}) {
      for (const std::int64_t channels : {96, 41}) {
        forward_problem problem = make_problem({input, 2, channels, 1031, width, channel_last}, random);
        fill_random(problem.x, random, true);
        problem.out =
            channel_last ? make_channel_last(output, 2, channels, 1031) : make_channel_first(output, 2, channels, 1031);
        give_states(problem, input, problem.window() + 2, random);
        expect_same(problem, run_forward(gpu_executor(), problem), run_forward(host_executor(), problem));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(forward, host_and_gpu,
                         ::testing::Combine(::testing::ValuesIn(all_types), ::testing::ValuesIn(all_types)),
                         [](const ::testing::TestParamInfo<std::tuple<data_type, data_type>>& parameter) {
                           return std::string(name_of(std::get<0>(parameter.param))) + "_to_" +
                                  name_of(std::get<1>(parameter.param));
                         });

}  // namespace
}  // namespace causal_conv1d_test
