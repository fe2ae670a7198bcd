// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Every rule of the forward's arguments: the status names code, argument, rule and facts, and nothing is written.

#include <causal_conv1d/causal_conv1d.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::argument;
using causal_conv1d::rule;
using causal_conv1d::status;
using causal_conv1d::status_code;

constexpr std::int64_t huge = std::int64_t{1} << 62;

/// A legal problem of x (2, 3, 5) and width 4, which each test breaks in one place.
class checks : public ::testing::Test {
 protected:
  using args_type = causal_conv1d::forward_args<float>;

  checks() {
    args_.x = causal_conv1d::channel_first(static_cast<const float*>(x_.data()), 2, 3, 5);
    args_.weight = causal_conv1d::weight_view(weight_.data(), 3, 4);
    args_.bias = causal_conv1d::bias_view(bias_.data(), 3);
    args_.out = causal_conv1d::channel_first(out_.data(), 2, 3, 5);
    args_.initial_state = causal_conv1d::channel_first(initial_.data(), 2, 3, 3);
    args_.final_state = causal_conv1d::channel_first(final_.data(), 2, 3, 3);
  }

  /// forward() and can_forward() give this status, message() names the argument, and nothing was written.
  void expect_refused(status_code code, argument which, rule broken) {
    const status answer = run();
    EXPECT_EQ(answer.code, code);
    EXPECT_EQ(answer.argument, which) << causal_conv1d::name_of(answer.argument);
    EXPECT_EQ(answer.rule, broken) << causal_conv1d::message(answer).c_str();
    EXPECT_FALSE(static_cast<bool>(answer));
    const std::string words = causal_conv1d::message(answer).c_str();
    EXPECT_EQ(words.find(causal_conv1d::name_of(which)), 0u) << words;
    EXPECT_EQ(words.find('%'), std::string::npos) << words;
    EXPECT_TRUE(unwritten()) << "an output was written in spite of: " << words;
    const bool before_the_plan = broken != rule::workspace_suffices && broken != rule::workspace_aligned &&
                                 which != argument::workspace && code != status_code::not_supported;
    if (before_the_plan) {
      EXPECT_EQ(causal_conv1d::can_forward(args_).rule, broken);
      EXPECT_EQ(causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args_), 0u);
    }
  }

  void expect_facts(std::int64_t fact, std::int64_t expected) {
    const status answer = run();
    EXPECT_EQ(answer.fact, fact);
    EXPECT_EQ(answer.expected, expected);
    const std::string words = causal_conv1d::message(answer).c_str();
    EXPECT_NE(words.find(std::to_string(fact)), std::string::npos) << words;
  }

  void expect_accepted() {
    EXPECT_TRUE(causal_conv1d::can_forward(args_));
    const status answer = run();
    EXPECT_TRUE(answer) << causal_conv1d::message(answer).c_str();
  }

  status run() { return causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, args_); }

  bool unwritten() const {
    const auto all_are = [](const std::vector<float>& values, float value) {
      return std::all_of(values.begin(), values.end(), [=](float one) { return one == value; });
    };
    return all_are(out_, 7.0f) && all_are(final_, 7.0f) && all_are(x_, 1.0f) && all_are(initial_, 1.0f);
  }

  std::vector<float> x_ = std::vector<float>(30, 1.0f);
  std::vector<float> weight_ = std::vector<float>(12, 1.0f);
  std::vector<float> bias_ = std::vector<float>(3, 1.0f);
  std::vector<float> out_ = std::vector<float>(30, 7.0f);
  std::vector<float> initial_ = std::vector<float>(18, 1.0f);
  std::vector<float> final_ = std::vector<float>(18, 7.0f);
  args_type args_;
};

template <class Pointer>
Pointer off_by_a_byte(Pointer pointer) {
  return reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer) + 1);
}

TEST_F(checks, the_legal_problem_is_accepted) { expect_accepted(); }

TEST_F(checks, success_is_said_in_words) { EXPECT_STREQ(causal_conv1d::message(status{}).c_str(), "success"); }

// ---- Null -----------------------------------------------------------------------------------------------------------

TEST_F(checks, x_null) {
  args_.x.data = nullptr;
  expect_refused(status_code::invalid_argument, argument::x, rule::not_null);
}

TEST_F(checks, weight_null) {
  args_.weight.data = nullptr;
  expect_refused(status_code::invalid_argument, argument::weight, rule::not_null);
}

TEST_F(checks, out_null_without_a_final_state) {
  args_.out.data = nullptr;
  args_.final_state = {};
  expect_refused(status_code::invalid_argument, argument::out, rule::not_null);
}

TEST_F(checks, default_constructed_out_without_a_final_state) {
  args_.out = {};
  args_.final_state = {};
  const status answer = run();
  EXPECT_EQ(answer.code, status_code::invalid_argument);
  EXPECT_EQ(answer.argument, argument::out);
  EXPECT_TRUE(unwritten());
}

TEST_F(checks, out_null_with_a_final_state_is_legal) {
  args_.out = {};
  expect_accepted();
}

TEST_F(checks, bias_and_states_null_are_legal) {
  args_.bias = {};
  args_.initial_state = {};
  args_.final_state = {};
  expect_accepted();
}

TEST_F(checks, x_and_out_null_are_legal_without_tokens) {
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(nullptr), 2, 3, 0);
  args_.out = causal_conv1d::channel_first(static_cast<float*>(nullptr), 2, 3, 0);
  expect_accepted();
}

// ---- Extents --------------------------------------------------------------------------------------------------------

TEST_F(checks, negative_extents_of_x) {
  for (std::int64_t causal_conv1d::tensor_view<const float>::*extent :
       {&causal_conv1d::tensor_view<const float>::batch, &causal_conv1d::tensor_view<const float>::channels,
        &causal_conv1d::tensor_view<const float>::length}) {
    const args_type legal = args_;
    args_.x.*extent = -3;
    expect_refused(status_code::invalid_argument, argument::x, rule::not_negative);
    expect_facts(-3, 0);
    args_ = legal;
  }
}

TEST_F(checks, most_negative_extent_of_x) {
  args_.x.length = INT64_MIN;
  expect_refused(status_code::invalid_argument, argument::x, rule::not_negative);
}

TEST_F(checks, negative_extents_of_a_state) {
  args_.initial_state.entries = -1;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::not_negative);
  args_.initial_state.entries = 3;
  args_.final_state.slots = -1;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::not_negative);
}

TEST_F(checks, negative_rows_of_weight) {
  args_.weight.rows = -3;
  expect_refused(status_code::invalid_argument, argument::weight, rule::not_negative);
}

TEST_F(checks, out_of_another_batch) {
  args_.out.batch = 1;
  expect_refused(status_code::invalid_argument, argument::out, rule::batch_matches);
  expect_facts(1, 2);
}

TEST_F(checks, out_of_other_channels) {
  args_.out.channels = 2;
  expect_refused(status_code::invalid_argument, argument::out, rule::channels_match);
  expect_facts(2, 3);
}

TEST_F(checks, out_of_another_length) {
  args_.out.length = 4;
  expect_refused(status_code::invalid_argument, argument::out, rule::length_matches);
  expect_facts(4, 5);
}

TEST_F(checks, bias_of_other_channels) {
  args_.bias.channels = 4;
  expect_refused(status_code::invalid_argument, argument::bias, rule::channels_match);
  expect_facts(4, 3);
}

TEST_F(checks, states_of_other_channels) {
  args_.initial_state.channels = 2;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::channels_match);
  args_.initial_state.channels = 3;
  args_.final_state.channels = 4;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::channels_match);
  expect_facts(4, 3);
}

TEST_F(checks, too_few_slots) {
  args_.initial_state.slots = 1;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::slots_suffice);
  expect_facts(1, 2);
  args_.initial_state.slots = 2;
  args_.final_state.slots = 0;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::slots_suffice);
}

TEST_F(checks, too_few_entries_for_the_window) {
  args_.initial_state.entries = 2;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::entries_cover_window);
  expect_facts(2, 3);
  args_.initial_state.entries = 3;
  args_.final_state.entries = 2;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::entries_cover_window);
}

TEST_F(checks, too_few_entries_for_the_dilated_window) {
  args_.dilation = 2;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::entries_cover_window);
  expect_facts(3, 6);
}

// ---- Weight and dilation --------------------------------------------------------------------------------------------

TEST_F(checks, width_out_of_range) {
  for (const std::int64_t width : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1025}, INT64_MAX, INT64_MIN}) {
    args_.weight.width = width;
    expect_refused(status_code::invalid_argument, argument::weight, rule::width_in_range);
    expect_facts(width, 1024);
  }
}

TEST_F(checks, rows_that_do_not_divide_the_channels) {
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{2}, std::int64_t{6}, INT64_MAX}) {
    args_.weight.rows = rows;
    expect_refused(status_code::invalid_argument, argument::weight, rule::rows_divide_channels);
    expect_facts(rows, 3);
  }
}

TEST_F(checks, dilation_out_of_range) {
  for (const std::int64_t dilation : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31, INT64_MAX, INT64_MIN}) {
    args_.dilation = dilation;
    expect_refused(status_code::invalid_argument, argument::dilation, rule::dilation_in_range);
    expect_facts(dilation, (std::int64_t{1} << 31) - 1);
  }
}

TEST_F(checks, the_largest_window_does_not_overflow) {
  args_.weight = causal_conv1d::weight_view(weight_.data(), 3, 1024, 0, 0);
  args_.dilation = (std::int64_t{1} << 31) - 1;
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::entries_cover_window);
  expect_facts(3, 1023 * ((std::int64_t{1} << 31) - 1));
  args_.initial_state = {};
  args_.final_state = {};
  EXPECT_TRUE(causal_conv1d::can_forward(args_));
}

// ---- Alignment and reach
// ---------------------------------------------------------------------------------------------

TEST_F(checks, pointers_off_by_a_byte) {
  const args_type legal = args_;
  args_.x.data = off_by_a_byte(args_.x.data);
  expect_refused(status_code::invalid_argument, argument::x, rule::aligned_to_element);
  expect_facts(1, 4);
  args_ = legal;
  args_.weight.data = off_by_a_byte(args_.weight.data);
  expect_refused(status_code::invalid_argument, argument::weight, rule::aligned_to_element);
  args_ = legal;
  args_.bias.data = off_by_a_byte(args_.bias.data);
  expect_refused(status_code::invalid_argument, argument::bias, rule::aligned_to_element);
  args_ = legal;
  args_.out.data = off_by_a_byte(args_.out.data);
  expect_refused(status_code::invalid_argument, argument::out, rule::aligned_to_element);
  args_ = legal;
  args_.initial_state.data = off_by_a_byte(args_.initial_state.data);
  expect_refused(status_code::invalid_argument, argument::initial_state, rule::aligned_to_element);
  args_ = legal;
  args_.final_state.data = off_by_a_byte(args_.final_state.data);
  expect_refused(status_code::invalid_argument, argument::final_state, rule::aligned_to_element);
}

TEST_F(checks, strides_beyond_the_address_space) {
  for (const std::int64_t stride : {huge, -huge, INT64_MAX, INT64_MIN, INT64_MIN + 1}) {
    const args_type legal = args_;
    args_.x.batch_stride = stride;
    expect_refused(status_code::invalid_argument, argument::x, rule::fits_address_space);
    args_ = legal;
    args_.out.time_stride = stride;
    expect_refused(status_code::invalid_argument, argument::out, rule::fits_address_space);
    args_ = legal;
    args_.weight.row_stride = stride;
    expect_refused(status_code::invalid_argument, argument::weight, rule::fits_address_space);
    args_ = legal;
    args_.bias.stride = stride;
    expect_refused(status_code::invalid_argument, argument::bias, rule::fits_address_space);
    args_ = legal;
    args_.initial_state.channel_stride = stride;
    expect_refused(status_code::invalid_argument, argument::initial_state, rule::fits_address_space);
    args_ = legal;
    args_.final_state.entry_stride = stride;
    expect_refused(status_code::invalid_argument, argument::final_state, rule::fits_address_space);
    args_ = legal;
  }
}

TEST_F(checks, extents_beyond_the_address_space) {
  for (const std::int64_t extent : {huge, INT64_MAX}) {
    const args_type legal = args_;
    args_.x.length = extent;
    expect_refused(status_code::invalid_argument, argument::x, rule::fits_address_space);
    args_ = legal;
    args_.initial_state.entries = extent;
    expect_refused(status_code::invalid_argument, argument::initial_state, rule::fits_address_space);
    args_ = legal;
  }
}

TEST_F(checks, reaches_that_only_add_up_to_too_much) {
  args_.x.batch_stride = huge / 8;
  args_.x.channel_stride = huge / 8;
  args_.x.time_stride = huge / 8;
  expect_refused(status_code::invalid_argument, argument::x, rule::fits_address_space);
}

TEST_F(checks, strides_of_axes_of_extent_1_do_not_matter) {
  for (const std::int64_t stride : {huge, INT64_MAX, INT64_MIN, std::int64_t{0}}) {
    args_.x = {x_.data(), 1, 3, 5, stride, 5, 1};
    args_.out = {out_.data(), 1, 3, 5, stride, 5, 1};
    expect_accepted();
  }
}

// ---- Outputs on themselves and on others ----

TEST_F(checks, out_with_a_zero_stride) {
  for (std::int64_t causal_conv1d::tensor_view<float>::*stride :
       {&causal_conv1d::tensor_view<float>::batch_stride, &causal_conv1d::tensor_view<float>::channel_stride,
        &causal_conv1d::tensor_view<float>::time_stride}) {
    const args_type legal = args_;
    args_.out.*stride = 0;
    expect_refused(status_code::invalid_argument, argument::out, rule::no_repeated_output);
    args_ = legal;
  }
}

TEST_F(checks, out_whose_rows_overlap) {
  args_.out.channel_stride = 3;
  expect_refused(status_code::invalid_argument, argument::out, rule::no_repeated_output);
}

TEST_F(checks, final_state_with_a_zero_stride) {
  args_.final_state.entry_stride = 0;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_repeated_output);
}

TEST_F(checks, zero_strides_of_inputs_are_legal) {
  args_.x.batch_stride = 0;
  args_.x.time_stride = 0;
  args_.weight.row_stride = 0;
  args_.bias.stride = 0;
  args_.initial_state.channel_stride = 0;
  expect_accepted();
}

TEST_F(checks, out_on_x_shifted_by_one) {
  std::vector<float> memory(31, 1.0f);
  args_.x.data = memory.data();
  args_.out.data = memory.data() + 1;
  expect_refused(status_code::invalid_argument, argument::out, rule::no_overlap);
  EXPECT_EQ(memory, std::vector<float>(31, 1.0f));
}

TEST_F(checks, out_on_each_input) {
  const args_type legal = args_;
  std::vector<float> memory(64, 1.0f);
  args_.out.data = memory.data();
  args_.weight.data = memory.data() + 29;
  expect_refused(status_code::invalid_argument, argument::out, rule::no_overlap);
  args_.weight = legal.weight;
  args_.bias.data = memory.data() + 10;
  expect_refused(status_code::invalid_argument, argument::out, rule::no_overlap);
  args_.bias = legal.bias;
  args_.initial_state.data = memory.data() + 12;
  expect_refused(status_code::invalid_argument, argument::out, rule::no_overlap);
}

TEST_F(checks, final_state_on_each_operand) {
  const args_type legal = args_;
  std::vector<float> memory(64, 1.0f);
  args_.final_state.data = memory.data();
  args_.x.data = memory.data() + 17;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_overlap);
  args_.x = legal.x;
  args_.out.data = memory.data() + 4;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_overlap);
  args_.out = legal.out;
  args_.weight.data = memory.data() + 2;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_overlap);
  args_.weight = legal.weight;
  args_.bias.data = memory.data() + 2;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_overlap);
  args_.bias = legal.bias;
  args_.initial_state.data = memory.data() + 1;
  expect_refused(status_code::invalid_argument, argument::final_state, rule::no_overlap);
}

TEST_F(checks, inputs_on_each_other_are_legal) {
  args_.weight.data = x_.data();
  args_.bias.data = x_.data() + 1;
  args_.initial_state.data = x_.data() + 2;
  expect_accepted();
}

TEST_F(checks, slices_of_one_tensor_side_by_side_are_legal) {
  std::vector<float> fused(2 * 5 * 6, 1.0f);  // (batch, length, x's channels and out's)
  args_.x = {fused.data(), 2, 3, 5, 30, 1, 6};
  args_.out = {fused.data() + 3, 2, 3, 5, 30, 1, 6};
  expect_accepted();
}

TEST_F(checks, slices_of_one_tensor_that_share_a_channel) {
  std::vector<float> fused(2 * 5 * 6, 1.0f);
  args_.x = {fused.data(), 2, 3, 5, 30, 1, 6};
  args_.out = {fused.data() + 2, 2, 3, 5, 30, 1, 6};
  expect_refused(status_code::invalid_argument, argument::out, rule::no_overlap);
}

TEST_F(checks, interleaved_slices_are_legal) {
  std::vector<float> pairs(60, 1.0f);
  args_.x = {pairs.data(), 2, 3, 5, 30, 10, 2};
  args_.out = {pairs.data() + 1, 2, 3, 5, 30, 10, 2};
  expect_accepted();
}

TEST_F(checks, one_buffer_for_both_states_is_legal) {
  args_.final_state = causal_conv1d::channel_first(initial_.data(), 2, 3, 3);
  expect_accepted();
}

TEST_F(checks, neighbouring_slots_of_one_pool_are_legal) {
  std::vector<float> pool(36, 1.0f);
  args_.initial_state = causal_conv1d::channel_first(pool.data(), 2, 3, 3);
  args_.final_state = causal_conv1d::channel_first(pool.data() + 18, 2, 3, 3);
  expect_accepted();
}

// ---- In place
// ---------------------------------------------------------------------------------------------------------

TEST_F(checks, in_place_of_one_chunk_needs_a_workspace_for_the_tail_only) {
  args_.out.data = x_.data();
  args_.final_state = {};
  args_.initial_state = {};
  EXPECT_EQ(causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args_), 0u);
  EXPECT_TRUE(run());
}

TEST_F(checks, in_place_without_a_workspace) {
  args_.out.data = x_.data();
  const std::size_t needed = causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args_);
  ASSERT_GT(needed, 0u);
  expect_refused(status_code::workspace_too_small, argument::workspace, rule::workspace_suffices);
  expect_facts(0, static_cast<std::int64_t>(needed));
}

TEST_F(checks, in_place_with_a_workspace_one_byte_too_small) {
  alignas(256) unsigned char workspace[4096] = {};
  args_.out.data = x_.data();
  const std::size_t needed = causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args_);
  ASSERT_LE(needed, sizeof workspace);
  args_.workspace = workspace;
  args_.workspace_size = needed - 1;
  expect_refused(status_code::workspace_too_small, argument::workspace, rule::workspace_suffices);
  expect_facts(static_cast<std::int64_t>(needed - 1), static_cast<std::int64_t>(needed));
  args_.workspace_size = needed;
  EXPECT_TRUE(run());
}

TEST_F(checks, workspace_misaligned) {
  alignas(256) unsigned char workspace[4096] = {};
  args_.out.data = x_.data();
  for (const int off : {1, 16, 128, 255}) {
    args_.workspace = workspace + off;
    args_.workspace_size = 2048;
    expect_refused(status_code::invalid_argument, argument::workspace, rule::workspace_aligned);
    expect_facts(off, 0);
  }
}

TEST_F(checks, workspace_on_an_operand) {
  alignas(256) float memory[1024];
  std::fill(std::begin(memory), std::end(memory), 1.0f);
  args_.x.data = memory;
  args_.out.data = memory;
  args_.workspace = memory;
  args_.workspace_size = sizeof memory;
  expect_refused(status_code::invalid_argument, argument::workspace, rule::no_overlap);
  EXPECT_TRUE(std::all_of(std::begin(memory), std::end(memory), [](float value) { return value == 1.0f; }));
}

TEST_F(checks, a_workspace_that_is_not_needed_is_not_looked_at) {
  args_.workspace = reinterpret_cast<void*>(std::uintptr_t{3});
  args_.workspace_size = 1;
  expect_accepted();
}

TEST_F(checks, in_place_with_other_strides) {
  std::vector<float> memory(60, 1.0f);
  args_.x = {memory.data(), 2, 3, 5, 15, 5, 1};
  args_.out = {memory.data(), 2, 3, 5, 15, 1, 3};
  expect_refused(status_code::invalid_argument, argument::out, rule::in_place_strides_match);
}

TEST(checks_of_types, in_place_with_another_type) {
  std::vector<double> memory(30, 1.0);
  std::vector<float> weight(12, 1.0f);
  causal_conv1d::forward_args<double, float> args;
  args.x = causal_conv1d::channel_first(static_cast<const double*>(memory.data()), 2, 3, 5);
  args.out = causal_conv1d::channel_first(reinterpret_cast<float*>(memory.data()), 2, 3, 5);
  args.weight = causal_conv1d::weight_view(weight.data(), 3, 4);
  const status answer = causal_conv1d::can_forward(args);
  EXPECT_EQ(answer.code, status_code::invalid_argument);
  EXPECT_EQ(answer.argument, argument::out);
  EXPECT_EQ(answer.rule, rule::in_place_type_matches);
}

TEST(checks_of_types, elements_of_other_types_that_overlap) {
  std::vector<double> memory(30, 1.0);
  std::vector<float> weight(12, 1.0f);
  causal_conv1d::forward_args<double, float> args;
  args.x = causal_conv1d::channel_first(static_cast<const double*>(memory.data()), 2, 3, 5);
  args.out = causal_conv1d::channel_first(reinterpret_cast<float*>(memory.data()) + 20, 2, 3, 5);
  args.weight = causal_conv1d::weight_view(weight.data(), 3, 4);
  EXPECT_EQ(causal_conv1d::can_forward(args).rule, rule::no_overlap);
}

TEST_F(checks, workspace_grows_with_each_extent) {
  const auto bytes = [&](std::int64_t batch, std::int64_t channels, std::int64_t length, std::int64_t entries,
                         bool channel_last) {
    // Pointers are compared, not followed.
    float* const memory = reinterpret_cast<float*>(std::uintptr_t{1} << 20);
    float* const state = reinterpret_cast<float*>(std::uintptr_t{1} << 50);
    args_type args;
    const auto view = channel_last ? causal_conv1d::channel_last(memory, batch, channels, length)
                                   : causal_conv1d::channel_first(memory, batch, channels, length);
    args.x = view;
    args.out = view;
    args.weight = causal_conv1d::weight_view(weight_.data(), 1, 4);
    args.final_state = causal_conv1d::channel_first(state, batch, channels, entries);
    EXPECT_TRUE(causal_conv1d::can_forward(args));
    const std::size_t host = causal_conv1d::workspace_bytes(causal_conv1d::host_execution{}, args);
    const std::size_t gpu = causal_conv1d::workspace_bytes(causal_conv1d::gpu_execution{}, args);
    EXPECT_EQ(host % 2, 0u);
    return std::max(host, gpu);
  };
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t extent : {1, 2, 3, 7, 8, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 10000}) {
      EXPECT_LE(bytes(extent, 5, 900, 3, channel_last), bytes(extent + 1, 5, 900, 3, channel_last));
      EXPECT_LE(bytes(2, extent, 900, 3, channel_last), bytes(2, extent + 1, 900, 3, channel_last));
      EXPECT_LE(bytes(2, 5, extent, 3, channel_last), bytes(2, 5, extent + 1, 3, channel_last));
      EXPECT_LE(bytes(2, 5, 900, 2 + extent, channel_last), bytes(2, 5, 900, 3 + extent, channel_last));
    }
  }
}

// ---- What a policy or this version does not serve
// -----------------------------------------------------------------------

TEST_F(checks, a_width_outside_the_policy) {
  args_.weight = causal_conv1d::weight_view(weight_.data(), 3, 3);
  expect_refused(status_code::not_supported, argument::weight, rule::width_in_policy);
  EXPECT_EQ(run().fact, 3);
}

TEST_F(checks, a_dilation_outside_the_policy) {
  args_.initial_state = {};
  args_.final_state = {};
  args_.dilation = 2;
  expect_refused(status_code::not_supported, argument::weight, rule::width_in_policy);
}

struct channel_last_only : causal_conv1d::only_width<4> {
  static constexpr bool channel_first = false;
  static constexpr bool strided = false;
};

TEST_F(checks, a_layout_outside_the_policy) {
  const status answer = causal_conv1d::forward<channel_last_only>(causal_conv1d::host_execution{}, args_);
  EXPECT_EQ(answer.code, status_code::not_supported);
  EXPECT_EQ(answer.argument, argument::x);
  EXPECT_EQ(answer.rule, rule::layout_in_policy);
  EXPECT_TRUE(unwritten());
}

TEST_F(checks, later_features_are_answered_by_name) {
  const std::int32_t indices[4] = {0, 1, 2, 3};
  const std::int64_t wide_indices[4] = {0, 1, 2, 3};
  const bool flags[2] = {true, false};
  const args_type legal = args_;
  const auto expect_not_supported = [&](argument which) {
    expect_refused(status_code::not_supported, which, rule::not_supported_yet);
    EXPECT_EQ(causal_conv1d::can_forward(args_).argument, which);
    args_ = legal;
  };
  args_.sequences = causal_conv1d::padded({indices, 2});
  expect_not_supported(argument::sequences);
  args_.sequences = causal_conv1d::packed(wide_indices, 3);
  expect_not_supported(argument::sequences);
  args_.sequences = causal_conv1d::packed({indices, 3}, {indices + 1, 3});
  expect_not_supported(argument::sequences);
  args_.sequences = causal_conv1d::segmented({indices, 4});
  expect_not_supported(argument::sequences);
  args_.initial_slots.slots = {indices, 2};
  expect_not_supported(argument::initial_slots);
  args_.final_slots.slots = {wide_indices, 2};
  expect_not_supported(argument::final_slots);
  args_.has_initial_state = flags;
  expect_not_supported(argument::has_initial_state);
  args_.initial_end = {indices, 2};
  expect_not_supported(argument::initial_end);
  args_.final_end = {indices, 2};
  expect_not_supported(argument::final_end);
  args_.ring = true;
  expect_not_supported(argument::ring);
  args_.captures.count = 1;
  expect_not_supported(argument::captures);
  args_.captures.states = causal_conv1d::channel_first(final_.data(), 2, 3, 3);
  expect_not_supported(argument::captures);
  args_.parents = {indices, 4};
  expect_not_supported(argument::parents);
}

TEST(messages, of_every_rule_fit_and_name_the_argument) {
  for (int which = 0; which <= static_cast<int>(argument::execution); ++which) {
    for (int broken = 0; broken <= static_cast<int>(rule::launch_accepted); ++broken) {
      status answer;
      answer.code = status_code::invalid_argument;
      answer.argument = static_cast<argument>(which);
      answer.rule = static_cast<rule>(broken);
      answer.fact = INT64_MIN;
      answer.expected = INT64_MIN;
      answer.native_error = INT32_MIN;
      const causal_conv1d::status_text words = causal_conv1d::message(answer);
      EXPECT_LT(std::strlen(words.c_str()), sizeof words.text - 1) << "cut off: " << words.c_str();
      EXPECT_EQ(std::string(words.c_str()).find(causal_conv1d::name_of(answer.argument)), 0u);
      EXPECT_EQ(std::string(words.c_str()).find("unknown"), std::string::npos);
    }
  }
}

TEST(messages, status_is_a_value) {
  static_assert(std::is_trivially_copyable<status>::value, "a status is trivially copyable");
  EXPECT_TRUE(static_cast<bool>(status{}));
}

}  // namespace
}  // namespace causal_conv1d_test
