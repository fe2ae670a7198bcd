// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// A program built for GPUs on a machine without one: every call answers with a status. This program hides the devices
/// from itself, so that it shows the same on every machine.

#include <causal_conv1d/causal_conv1d.cuh>

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::status;
using causal_conv1d::status_code;

void expect_no_device(const status& answer) {
  EXPECT_TRUE(answer.code == status_code::no_device || answer.code == status_code::driver_too_old)
      << causal_conv1d::message(answer).c_str();
  EXPECT_EQ(answer.argument, causal_conv1d::argument::execution);
  EXPECT_NE(answer.native_error, 0);
}

TEST(gpu_absence, query_device_says_so_and_leaves_the_facts) {
  causal_conv1d::device_facts facts;
  facts.multiprocessors = 77;
  expect_no_device(causal_conv1d::query_device(facts));
  expect_no_device(causal_conv1d::query_device(facts, 0));
  EXPECT_EQ(facts.multiprocessors, 77);
}

TEST(gpu_absence, device_available_is_false) { EXPECT_FALSE(causal_conv1d::device_available()); }

struct arguments {
  std::vector<float> x = std::vector<float>(40, 1.0f);
  std::vector<float> weight = std::vector<float>(16, 1.0f);
  std::vector<float> out = std::vector<float>(40, 7.0f);
  causal_conv1d::forward_args<float> args;

  arguments() {
    args.x = causal_conv1d::channel_first(static_cast<const float*>(x.data()), 1, 4, 10);
    args.weight = causal_conv1d::weight_view(weight.data(), 4, 4);
    args.out = causal_conv1d::channel_first(out.data(), 1, 4, 10);
  }
};

TEST(gpu_absence, forward_says_so_and_writes_nothing) {
  const arguments problem;
  causal_conv1d::gpu_execution execution;
  for (const bool check_pointers : {false, true}) {
    execution.check_pointers = check_pointers;
    const status answer = causal_conv1d::forward<causal_conv1d::only_width<4>>(execution, problem.args);
    EXPECT_FALSE(answer);
    expect_no_device(answer);
  }
  EXPECT_EQ(problem.out, std::vector<float>(40, 7.0f));
}

TEST(gpu_absence, bad_arguments_are_found_first) {
  arguments problem;
  problem.args.weight.width = 0;
  const status answer =
      causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::gpu_execution{}, problem.args);
  EXPECT_EQ(answer.code, status_code::invalid_argument);
  EXPECT_EQ(answer.rule, causal_conv1d::rule::width_in_range);
}

TEST(gpu_absence, plans_need_no_device) {
  const arguments problem;
  EXPECT_TRUE(causal_conv1d::can_forward(problem.args));
  EXPECT_EQ(causal_conv1d::workspace_bytes(causal_conv1d::gpu_execution{}, problem.args), 0u);
}

TEST(gpu_absence, the_host_executor_works_all_the_same) {
  arguments problem;
  EXPECT_TRUE(causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, problem.args));
  EXPECT_EQ(problem.out[0], 1.0f);
  EXPECT_EQ(problem.out[3], 4.0f);
}

TEST(gpu_absence, the_words_say_it) {
  causal_conv1d::device_facts facts;
  const causal_conv1d::status_text words = causal_conv1d::message(causal_conv1d::query_device(facts));
  EXPECT_NE(std::string(words.c_str()).find("GPU"), std::string::npos) << words.c_str();
}

}  // namespace
}  // namespace causal_conv1d_test

int main(int argument_count, char** arguments) {
  // Before the first call to the runtime, which reads it once.
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  ::testing::InitGoogleTest(&argument_count, arguments);
  return RUN_ALL_TESTS();
}
