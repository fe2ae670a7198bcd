// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The CPU executor's units in every order and on several threads: equal bits demanded, which finds units that read
/// what others overwrite.

#include "run_problem.hpp"

#include <functional>
#include <string>
#include <tuple>

namespace causal_conv1d_test {
namespace {

enum class sharing : int { nothing, in_place, one_state, both };

const char* name_of(sharing shared) {
  constexpr const char* names[] = {"apart", "in_place", "one_state", "in_place_one_state"};
  return names[static_cast<int>(shared)];
}

using parameters = std::tuple<data_type, sharing, bool>;

class unit_orders_give_the_same_bits : public ::testing::TestWithParam<parameters> {};

TEST_P(unit_orders_give_the_same_bits, over_many_units) {
  const auto [type, shared, channel_last] = GetParam();
  random_source random(81);
  struct {
    std::int64_t width;
    std::int64_t dilation;
  } const filters[] = {{1, 1}, {4, 1}, {8, 1}, {5, 30}, {64, 1}, {64, 9}};
  for (const auto& filter : filters) {
    // Several groups of channels and several chunks of tokens, in place too.
    const std::int64_t channels = channel_last ? 300 : 3;
    const std::int64_t length = channel_last ? 1300 : 13000;
    if (channel_last && filter.width * channels * length > 4000000 && filter.dilation == 1 && filter.width > 8) {
      continue;  // the wide filter is covered with dilation
    }
    const bool wide = filter.width > 8;
    forward_problem problem = make_problem(
        {type, 2, wide && channel_last ? 20 : channels, length, filter.width, channel_last, filter.dilation}, random);
    give_states(problem, type, problem.window() + 1, random);
    if (shared == sharing::in_place || shared == sharing::both) {
      problem.in_place = true;
      problem.out = problem.x;
    }
    if (shared == sharing::one_state || shared == sharing::both) {
      problem.one_state = true;
      problem.final_state = problem.initial_state;
    }
    executor& where = host_executor();
    where.set_unit_order({});
    const forward_outcome expected = run_forward(where, problem);
    for (const unit_order order :
         {unit_order::descending, unit_order::shuffled, unit_order::shuffled, unit_order::threads}) {
      where.set_unit_order({order, random.bits()});
      SCOPED_TRACE(causal_conv1d_test::name_of(order));
      expect_same(problem, run_forward(where, problem), expected);
    }
    where.set_unit_order({});
    forward_problem apart = problem;
    apart.in_place = false;
    apart.one_state = false;
    expect_same(problem, run_forward(where, apart), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(forward, unit_orders_give_the_same_bits,
                         ::testing::Combine(::testing::ValuesIn(all_types),
                                            ::testing::Values(sharing::nothing, sharing::in_place, sharing::one_state,
                                                              sharing::both),
                                            ::testing::Bool()),
                         [](const ::testing::TestParamInfo<parameters>& parameter) {
                           return std::string(causal_conv1d_test::name_of(std::get<0>(parameter.param))) + "_" +
                                  name_of(std::get<1>(parameter.param)) +
                                  (std::get<2>(parameter.param) ? "_channel_last" : "_channel_first");
                         });

TEST(host_execution, runs_on_a_pool_given_by_reference) {
  random_source random(82);
  forward_problem problem = make_problem({data_type::float32, 3, 40, 333, 4, true}, random);
  const forward_reference reference(problem);
  causal_conv1d::host_thread_pool pool(3);
  causal_conv1d::forward_args<float> args;
  std::vector<float> out(3 * 40 * 333);
  args.x = causal_conv1d::channel_last(reinterpret_cast<const float*>(problem.x.storage.data()), 3, 40, 333);
  args.weight = causal_conv1d::weight_view(reinterpret_cast<const float*>(problem.weight.storage.data()), 40, 4);
  args.bias = causal_conv1d::bias_view(reinterpret_cast<const float*>(problem.bias.storage.data()), 40);
  args.out = causal_conv1d::channel_last(out.data(), 3, 40, 333);
  using policy = causal_conv1d::only_width<4>;
  ASSERT_TRUE(causal_conv1d::forward<policy>(causal_conv1d::host_execution{std::ref(pool)}, args));
  problem.x.for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) {
    EXPECT_EQ(out[static_cast<std::size_t>((b * 333 + t) * 40 + c)], reference.exact_output(b, c, t));
  });
  const std::vector<float> expected = out;
  std::fill(out.begin(), out.end(), 0.0f);
  ASSERT_TRUE(causal_conv1d::forward<policy>(causal_conv1d::host_execution{}, args));
  EXPECT_EQ(out, expected);
  std::fill(out.begin(), out.end(), 0.0f);
  const auto by_lambda = [](std::int64_t n, const auto& function) {
    for (std::int64_t i = n; i-- > 0;) {
      function(i);
    }
  };
  ASSERT_TRUE(causal_conv1d::forward<policy>(causal_conv1d::host_execution{by_lambda}, args));
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace causal_conv1d_test
