// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A small set of tests with few instantiations, which mutation.py builds against damaged copies of the library: each
/// damage must turn it red.

#include "run_problem.hpp"

#include <cstdlib>

namespace causal_conv1d_test {
namespace {

class probe_executor : public executor {
 public:
  const char* name() const override { return "probe"; }
  bool is_host() const override { return true; }
  bool is_usable() const override { return true; }
  memory& operand_memory() override { return host_memory(); }

  causal_conv1d::status forward(const forward_call& call) override {
    const causal_conv1d::host_execution execution{};
    if (call.x.type != data_type::float32) {
      std::abort();
    }
    if (call.out.type == data_type::bfloat16) {
      return causal_conv1d::forward<causal_conv1d::only_width<4>>(
          execution, typed<float, causal_conv1d::bfloat16>(call, causal_conv1d::identity{}));
    }
    return causal_conv1d::forward<few_widths>(execution, typed<float, float>(call, causal_conv1d::identity{}));
  }

  std::size_t workspace_bytes(const forward_call& call) override {
    return causal_conv1d::workspace_bytes(causal_conv1d::host_execution{},
                                          typed<float, float>(call, causal_conv1d::identity{}));
  }
};

class probe : public ::testing::Test {
 protected:
  static void expect_right(const forward_problem& problem) {
    const forward_outcome outcome = run_forward(tested_executor(), problem, placement::page_end);
    ASSERT_TRUE(outcome.status);
    expect_exact(problem, outcome);
  }
};

TEST_F(probe, both_layouts_and_programs) {
  random_source random(1);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t width : {1, 4, 12}) {
      for (const std::int64_t length : {1, 2, 70, 600}) {
        expect_right(
            make_problem({data_type::float32, 2, 21, length, width, channel_last, width == 12 ? 3 : 1}, random));
      }
    }
  }
}

TEST_F(probe, strides) {
  random_source random(2);
  for (const std::int64_t width : {4, 12}) {
    forward_problem problem = make_problem({data_type::float32, 2, 9, 80, width, false}, random);
    problem.x = make_arranged(arrangement::interleaved, data_type::float32, 2, 9, 80, random);
    fill_random(problem.x, random);
    problem.out = make_arranged(arrangement::channel_first_sliced, data_type::float32, 2, 9, 80, random);
    expect_right(problem);
  }
}

TEST_F(probe, shared_filters) {
  random_source random(3);
  for (const std::int64_t width : {4, 12}) {
    forward_problem problem = make_problem({data_type::float32, 1, 12, 30, width, true}, random);
    problem.weight = make_channel_first(data_type::float32, 1, 3, width);
    fill_random(problem.weight, random);
    expect_right(problem);
  }
}

TEST_F(probe, states) {
  random_source random(4);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t width : {4, 12}) {
      for (const std::int64_t length : {1, 2, 600}) {
        for (const bool one_state : {false, true}) {
          forward_problem problem = make_problem({data_type::float32, 2, 5, length, width, channel_last}, random);
          give_states(problem, data_type::float32, width + 2, random);
          problem.one_state = one_state;
          problem.final_state = one_state ? problem.initial_state : problem.final_state;
          expect_right(problem);
        }
      }
    }
  }
}

TEST_F(probe, one_state_with_a_window_longer_than_a_chunk) {
  random_source random(5);
  forward_problem problem = make_problem({data_type::float32, 1, 5, 300, 12, true, 20}, random);
  give_states(problem, data_type::float32, problem.window(), random);
  problem.one_state = true;
  problem.final_state = problem.initial_state;
  expect_right(problem);
}

TEST_F(probe, in_place) {
  random_source random(6);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t width : {4, 12}) {
      forward_problem problem =
          make_problem({data_type::float32, 1, 3, channel_last ? 1300 : 9000, width, channel_last}, random);
      give_states(problem, data_type::float32, width, random);
      problem.in_place = true;
      problem.out = problem.x;
      expect_right(problem);
    }
  }
}

TEST_F(probe, rounding) {
  random_source random(7);
  forward_problem problem = make_problem({data_type::float32, 1, 5, 200, 4, true}, random);
  problem.out = make_channel_last(data_type::bfloat16, 1, 5, 200);
  expect_right(problem);
}

}  // namespace

executor& tested_executor() {
  static probe_executor the_executor;
  return the_executor;
}

}  // namespace causal_conv1d_test
