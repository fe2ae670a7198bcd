// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A processor without AVX2 and FMA gets the same bits: what such a processor would run, run here.

#include "executor.hpp"
#include "random.hpp"

#include <causal_conv1d/causal_conv1d.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace causal_conv1d_test {
namespace {

namespace detail = causal_conv1d::detail;

#if CAUSAL_CONV1D_CHOOSES_TARGET

class portable : public ::testing::TestWithParam<std::tuple<int, int, bool, bool>> {};

TEST_P(portable, gives_the_same_bits) {
  const auto [width, dilation, channel_last, in_place] = GetParam();
  const std::int64_t batch = 2;
  const std::int64_t channels = 19;
  const std::int64_t length = 1100;
  const std::int64_t window = std::int64_t{width - 1} * dilation;
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> values(-2, 2);
  const auto drawn = [&](std::int64_t size) {
    std::vector<float> memory(static_cast<std::size_t>(size));
    for (float& value : memory) {
      value = values(engine);
    }
    return memory;
  };
  const std::vector<float> x = drawn(batch * channels * length);
  const std::vector<float> weight = drawn(channels * width);
  const std::vector<float> bias = drawn(channels);
  const std::vector<float> state = drawn(batch * channels * (window + 1));

  struct result {
    std::vector<float> out;
    std::vector<float> state;
  };
  const auto run = [&, channel_last = channel_last, width = width, dilation = dilation,
                    in_place = in_place](detail::executor where) {
    result given{in_place ? x : std::vector<float>(x.size()), state};
    const auto view = [&](auto* data, std::int64_t extent) {
      return channel_last ? causal_conv1d::channel_last(data, batch, channels, extent)
                          : causal_conv1d::channel_first(data, batch, channels, extent);
    };
    causal_conv1d::forward_args<float, float, causal_conv1d::silu> args;
    args.x = view(in_place ? given.out.data() : x.data(), length);
    args.out = view(given.out.data(), length);
    args.weight = {weight.data(), channels, width};
    args.bias = {bias.data(), channels};
    args.dilation = dilation;
    args.initial_state = view(given.state.data(), window + 1);
    args.final_state = view(given.state.data(), window + 1);
    std::vector<unsigned char> memory(detail::forward_workspace_bytes(detail::erase(args), where) + 256);
    args.workspace = memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256) % 256;
    args.workspace_size = memory.size() - 256;
    const detail::forward_problem problem = detail::erase(args);
    const detail::forward_plan plan = detail::plan_forward(problem, where);
    EXPECT_TRUE(detail::check(problem));
    EXPECT_TRUE(detail::check_workspace(problem, plan.workspace.bytes));
    EXPECT_TRUE((detail::host::run_forward<few_widths, float, float>(causal_conv1d::serial_for{}, problem, plan,
                                                                     args.activation)));
    return given;
  };
  const result fast = run(detail::executor::host);
  const result slow = run(detail::executor::host_portable);
  EXPECT_EQ(std::memcmp(fast.out.data(), slow.out.data(), x.size() * sizeof(float)), 0);
  EXPECT_EQ(std::memcmp(fast.state.data(), slow.state.data(), state.size() * sizeof(float)), 0);
}

INSTANTIATE_TEST_SUITE_P(forward, portable,
                         ::testing::Combine(::testing::Values(1, 4, 9), ::testing::Values(1, 3), ::testing::Bool(),
                                            ::testing::Bool()),
                         [](const auto& parameter) {
                           return "width_" + std::to_string(std::get<0>(parameter.param)) + "_dilation_" +
                                  std::to_string(std::get<1>(parameter.param)) +
                                  (std::get<2>(parameter.param) ? "_channel_last" : "_channel_first") +
                                  (std::get<3>(parameter.param) ? "_in_place" : "_apart");
                         });

TEST(portable_policy, refuses_what_the_policy_does_not_list) {
  const std::vector<float> x(10);
  std::vector<float> out(10);
  const std::vector<float> weight(3);
  causal_conv1d::forward_args<float> args;
  args.x = causal_conv1d::channel_first(x.data(), 1, 1, 10);
  args.out = causal_conv1d::channel_first(out.data(), 1, 1, 10);
  args.weight = {weight.data(), 1, 3};
  const detail::forward_problem problem = detail::erase(args);
  const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::host_portable);
  const causal_conv1d::status refused = detail::host::run_forward<causal_conv1d::only_width<4>, float, float>(
      causal_conv1d::serial_for{}, problem, plan, args.activation);
  EXPECT_EQ(refused.rule, causal_conv1d::rule::width_in_policy);
}

#endif

}  // namespace
}  // namespace causal_conv1d_test
