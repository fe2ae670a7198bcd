// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Inputs that are known to break implementations of this operation, each named by the way they break.

#include "run_problem.hpp"

#include <string>

namespace causal_conv1d_test {
namespace {

// ---- Size and grid ------------------------------------------------------------------------------------------------

class size_and_grid : public executor_test {};

TEST_F(size_and_grid, channels_beyond_a_16_bit_grid_axis) {
  random_source random(31);
  for (const std::int64_t channels : {65535, 65536, 65537}) {
    for (const bool channel_last : {false, true}) {
      expect_correct(where(), make_problem({data_type::float32, 1, channels, 4, 2, channel_last}, random));
    }
  }
}

TEST_F(size_and_grid, batch_beyond_a_16_bit_grid_axis) {
  random_source random(32);
  for (const bool channel_last : {false, true}) {
    forward_problem problem = make_problem({data_type::bfloat16, 70000, 8, 5, 4, channel_last}, random);
    give_states(problem, data_type::bfloat16, 3, random);
    expect_correct(where(), problem);
  }
}

TEST_F(size_and_grid, one_very_long_row) {
  random_source random(33);
  for (const bool channel_last : {false, true}) {
    expect_correct(where(), make_problem({data_type::bfloat16, 1, 1, 1000003, 2, channel_last}, random));
  }
}

TEST_F(size_and_grid, channels_that_no_vector_divides) {
  random_source random(34);
  for (const std::int64_t channels : {1, 7, 33, 96, 255, 257, 1023}) {
    for (const std::int64_t batch : {1, 3}) {
      for (const bool channel_last : {false, true}) {
        expect_correct(where(), make_problem({data_type::float16, batch, channels, 37, 4, channel_last}, random));
      }
    }
  }
}

enum class empty_axis { batch, channels, length };

class empty_problem : public executor_test_with<empty_axis> {};

TEST_P(empty_problem, leaves_out_alone_and_carries_states) {
  random_source random(35);
  for (const bool channel_last : {false, true}) {
    for (const bool in_one_buffer : {false, true}) {
      plain_shape shape{data_type::bfloat16, 2, 5, 9, 4, channel_last};
      (GetParam() == empty_axis::batch      ? shape.batch
       : GetParam() == empty_axis::channels ? shape.channels
                                            : shape.length) = 0;
      forward_problem problem = make_problem(shape, random);
      give_states(problem, data_type::float16, 5, random);
      problem.one_state = in_one_buffer;
      expect_correct(where(), problem);
    }
  }
}

TEST_P(empty_problem, without_states_does_nothing) {
  random_source random(36);
  plain_shape shape{data_type::float32, 2, 5, 9, 4, false};
  (GetParam() == empty_axis::batch      ? shape.batch
   : GetParam() == empty_axis::channels ? shape.channels
                                        : shape.length) = 0;
  expect_correct(where(), make_problem(shape, random));
}

INSTANTIATE_TEST_SUITE_P(forward, empty_problem,
                         ::testing::Values(empty_axis::batch, empty_axis::channels, empty_axis::length),
                         [](const ::testing::TestParamInfo<empty_axis>& parameter) {
                           return std::string(parameter.param == empty_axis::batch      ? "batch"
                                              : parameter.param == empty_axis::channels ? "channels"
                                                                                        : "length");
                         });

// ---- Edges of memory ----------------------------------------------------------------------------------------------

class edges_of_memory : public executor_test {};

TEST_F(edges_of_memory, lengths_beside_a_tile_end_where_the_allocation_ends) {
  random_source random(41);
  for (const std::int64_t length : {7, 9, 63, 65, 127, 129, 255, 257, 511, 513, 4095, 4097}) {
    for (const bool channel_last : {false, true}) {
      for (const placement how : {placement::page_end, placement::page_begin}) {
        expect_correct(where(), make_problem({data_type::bfloat16, 1, 8, length, 4, channel_last}, random), how);
      }
    }
  }
}

TEST_F(edges_of_memory, channels_beside_a_tile_end_where_the_allocation_ends) {
  random_source random(42);
  for (const std::int64_t channels : {1, 7, 15, 17, 31, 33, 63, 65, 255, 257, 513}) {
    for (const placement how : {placement::page_end, placement::page_begin}) {
      forward_problem problem = make_problem({data_type::float32, 1, channels, 11, 4, true}, random);
      give_states(problem, data_type::float32, 3, random);
      expect_correct(where(), problem, how);
      expect_correct(where(), make_problem({data_type::float32, 1, channels, 11, 12, true}, random), how);
    }
  }
}

TEST_F(edges_of_memory, absent_states_are_not_touched) {
  random_source random(43);
  for (const std::int64_t length : {1025, 1026}) {
    for (const bool channel_last : {false, true}) {
      expect_correct(where(), make_problem({data_type::bfloat16, 1, 64, length, 4, channel_last}, random));
    }
  }
}

TEST_F(edges_of_memory, one_state_without_the_other) {
  random_source random(44);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t width : {2, 4, 8, 30}) {
      forward_problem problem = make_problem({data_type::float16, 2, 10, 90, width, channel_last}, random);
      give_states(problem, data_type::float16, problem.window(), random);
      forward_problem initial_only = problem;
      initial_only.final_state = {};
      expect_correct(where(), initial_only, placement::page_end);
      forward_problem final_only = problem;
      final_only.initial_state = {};
      expect_correct(where(), final_only, placement::page_end);
    }
  }
}

TEST_F(edges_of_memory, slices_whose_base_is_not_aligned_though_their_length_is) {
  random_source random(45);
  for (const data_type type : all_types) {
    for (const std::int64_t lead : {1, 2, 3, 5}) {
      forward_problem problem = make_problem({type, 2, 6, 64, 4, false}, random);
      problem.x = make_tensor(type, 2, 6, 64, 6 * 72, 72, 1);
      fill_random(problem.x, random);
      // The row pitch is a multiple of 16 bytes, the first element is not.
      problem.x.storage.insert(problem.x.storage.begin(), static_cast<std::size_t>(lead * bytes_of(type)), poison);
      problem.x.origin += lead;
      expect_correct(where(), problem);
    }
  }
}

TEST_F(edges_of_memory, output_has_exactly_the_length_of_the_input) {
  random_source random(46);
  for (std::int64_t length = 1; length <= 9; ++length) {
    for (const bool channel_last : {false, true}) {
      expect_correct(where(), make_problem({data_type::float32, 1, 3, length, 4, channel_last}, random),
                     placement::page_end);
    }
  }
}

// ---- Strides and alignment ----------------------------------------------------------------------------------------

class strides_and_alignment : public executor_test {};

TEST_F(strides_and_alignment, slices_of_wider_rows_are_read_in_place) {
  random_source random(51);
  for (const std::int64_t pitch : {65, 66, 68, 70, 193, 328}) {
    forward_problem problem = make_problem({data_type::bfloat16, 2, 64, 33, 4, true}, random);
    problem.x = make_tensor(data_type::bfloat16, 2, 64, 33, 33 * pitch, 1, pitch);
    fill_random(problem.x, random);
    expect_correct(where(), problem);
    problem.out = make_tensor(data_type::bfloat16, 2, 64, 33, 33 * pitch, 1, pitch);
    expect_correct(where(), problem);
  }
}

TEST_F(strides_and_alignment, states_as_transposed_views) {
  random_source random(52);
  for (const bool channel_last : {false, true}) {
    forward_problem problem = make_problem({data_type::bfloat16, 3, 24, 7, 4, channel_last}, random);
    problem.initial_state = make_channel_last(data_type::bfloat16, 5, 24, 3);
    fill_random(problem.initial_state, random);
    problem.final_state = make_tensor(data_type::bfloat16, 4, 24, 3, 1, 4 * 3, 4);
    expect_correct(where(), problem);
  }
}

TEST_F(strides_and_alignment, odd_batch_and_odd_pitch_with_16_bit_types) {
  random_source random(53);
  for (const data_type type : {data_type::float16, data_type::bfloat16}) {
    for (const std::int64_t channels : {1, 7, 96}) {
      forward_problem problem = make_problem({type, 3, channels, 5, 4, true}, random);
      const std::int64_t pitch = channels + 1 - channels % 2;
      problem.x = make_tensor(type, 3, channels, 5, 5 * pitch + 1, 1, pitch);
      fill_random(problem.x, random);
      expect_correct(where(), problem);
    }
  }
}

TEST_F(strides_and_alignment, x_and_out_in_different_layouts) {
  random_source random(54);
  for (const data_type type : all_types) {
    for (const std::int64_t width : {1, 3, 4, 17}) {
      forward_problem problem = make_problem({type, 2, 20, 70, width, false}, random);
      problem.out = make_channel_last(type, 2, 20, 70);
      expect_correct(where(), problem);
    }
  }
}

TEST_F(strides_and_alignment, weights_and_bias_with_any_strides) {
  random_source random(55);
  forward_problem problem = make_problem({data_type::float32, 2, 12, 40, 4, true}, random);
  problem.weight = make_tensor(data_type::bfloat16, 1, 12, 4, 0, 1, 12);
  fill_random(problem.weight, random);
  problem.bias = make_tensor(data_type::float64, 1, 12, 1, 0, -3, 1);
  fill_random(problem.bias, random);
  expect_correct(where(), problem);
  problem.weight = make_tensor(data_type::float32, 1, 12, 4, 0, 0, 0);
  fill_random(problem.weight, random);
  problem.bias = make_tensor(data_type::float32, 1, 12, 1, 0, 0, 1);
  fill_random(problem.bias, random);
  expect_correct(where(), problem);
}

TEST_F(strides_and_alignment, filter_rows_shared_by_channels) {
  random_source random(56);
  for (const std::int64_t rows : {1, 2, 3, 12, 24}) {
    for (const std::int64_t width : {4, 11}) {
      for (const bool channel_last : {false, true}) {
        forward_problem problem = make_problem({data_type::float32, 1, 24, 20, width, channel_last}, random);
        problem.weight = make_channel_first(data_type::float32, 1, rows, width);
        fill_random(problem.weight, random);
        expect_correct(where(), problem);
      }
    }
  }
}

// ---- Width and types ----------------------------------------------------------------------------------------------

class width_and_types : public executor_test_with<std::int64_t> {};

TEST_P(width_and_types, any_width_is_right) {
  random_source random(61);
  for (const data_type type : all_types) {
    for (const bool channel_last : {false, true}) {
      forward_problem problem = make_problem({type, 1, 18, 300, GetParam(), channel_last}, random);
      give_states(problem, type, problem.window(), random);
      expect_correct(where(), problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(forward, width_and_types,
                         ::testing::Values<std::int64_t>(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 31, 64, 65, 138,
                                                         256, 1023, 1024),
                         ::testing::PrintToStringParamName());

class type_mix : public executor_test_with<data_type> {};

TEST_P(type_mix, every_weight_bias_and_state_type) {
  random_source random(62);
  for (const data_type weight : all_types) {
    for (const data_type state : all_types) {
      for (const std::int64_t width : {4, 10}) {
        forward_problem problem = make_problem({GetParam(), 2, 9, 21, width, true}, random);
        problem.weight = make_channel_first(weight, 1, 9, width);
        problem.bias = make_channel_first(state, 1, 9, 1);
        fill_random(problem.weight, random);
        fill_random(problem.bias, random);
        give_states(problem, state, problem.window() + 1, random);
        problem.final_state = make_channel_first(weight, 2, 9, problem.window());
        expect_correct(where(), problem);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(forward, type_mix, ::testing::ValuesIn(all_types),
                         [](const ::testing::TestParamInfo<data_type>& parameter) {
                           return std::string(name_of(parameter.param));
                         });

// ---- States and streaming -----------------------------------------------------------------------------------------

class states_and_streaming : public executor_test {
 protected:
  /// One channel, the given width, x = first, first + 1, ...
  forward_problem counting(std::int64_t width, std::int64_t length, double first) {
    random_source random(71);
    forward_problem problem = make_problem({data_type::float32, 1, 1, length, width, false}, random);
    problem.x.fill([&](std::int64_t, std::int64_t, std::int64_t t) { return first + static_cast<double>(t); });
    return problem;
  }
};

TEST_F(states_and_streaming, one_fresh_token_leaves_zeros_before_it) {
  forward_problem problem = counting(4, 1, 5.0);
  problem.final_state = make_channel_first(data_type::float32, 1, 1, 3);
  const forward_outcome outcome = run_forward(where(), problem);
  EXPECT_EQ(outcome.final_state.values(), (std::vector<double>{0.0, 0.0, 5.0}));
}

TEST_F(states_and_streaming, entries_beyond_the_window_are_older_tokens) {
  forward_problem problem = counting(4, 3, 101.0);
  problem.initial_state = make_channel_first(data_type::float32, 1, 1, 8);
  problem.initial_state.fill([](std::int64_t, std::int64_t, std::int64_t e) { return 1.0 + static_cast<double>(e); });
  problem.final_state = make_channel_first(data_type::float32, 1, 1, 8);
  expect_correct(where(), problem);
  const forward_outcome outcome = run_forward(where(), problem);
  EXPECT_EQ(outcome.final_state.values(), (std::vector<double>{4, 5, 6, 7, 8, 101, 102, 103}));
}

TEST_F(states_and_streaming, one_spare_entry) {
  forward_problem problem = counting(4, 2, 101.0);
  problem.initial_state = make_channel_first(data_type::float32, 1, 1, 4);
  problem.initial_state.fill([](std::int64_t, std::int64_t, std::int64_t e) { return 1.0 + static_cast<double>(e); });
  problem.final_state = problem.initial_state;
  problem.one_state = true;
  expect_correct(where(), problem);
  const forward_outcome outcome = run_forward(where(), problem);
  EXPECT_EQ(outcome.final_state.values(), (std::vector<double>{3, 4, 101, 102}));
}

TEST_F(states_and_streaming, a_final_state_of_another_length_than_the_initial_one) {
  forward_problem problem = counting(3, 2, 101.0);
  problem.initial_state = make_channel_first(data_type::float32, 1, 1, 4);
  problem.initial_state.fill([](std::int64_t, std::int64_t, std::int64_t e) { return 1.0 + static_cast<double>(e); });
  problem.final_state = make_channel_first(data_type::float32, 1, 1, 8);
  const forward_outcome outcome = run_forward(where(), problem);
  EXPECT_EQ(outcome.final_state.values(), (std::vector<double>{0, 0, 1, 2, 3, 4, 101, 102}));
}

TEST_F(states_and_streaming, no_tokens_carry_the_state_unchanged) {
  forward_problem problem = counting(4, 0, 0.0);
  problem.initial_state = make_channel_first(data_type::float32, 1, 1, 3);
  problem.initial_state.fill([](std::int64_t, std::int64_t, std::int64_t e) { return 1.0 + static_cast<double>(e); });
  problem.final_state = make_channel_first(data_type::float32, 1, 1, 3);
  EXPECT_EQ(run_forward(where(), problem).final_state.values(), (std::vector<double>{1, 2, 3}));
  problem.one_state = true;
  EXPECT_EQ(run_forward(where(), problem).final_state.values(), (std::vector<double>{1, 2, 3}));
}

TEST_F(states_and_streaming, no_tokens_and_no_history_write_zeros) {
  forward_problem problem = counting(4, 0, 0.0);
  problem.final_state = make_channel_first(data_type::float32, 1, 1, 3);
  EXPECT_EQ(run_forward(where(), problem).final_state.values(), (std::vector<double>{0, 0, 0}));
}

TEST_F(states_and_streaming, width_1_needs_no_state_memory) {
  random_source random(72);
  for (const bool channel_last : {false, true}) {
    forward_problem problem = make_problem({data_type::float32, 2, 3, 9, 1, channel_last}, random);
    give_states(problem, data_type::float32, 0, random);
    expect_correct(where(), problem);
  }
}

TEST_F(states_and_streaming, without_out_only_states_are_written) {
  random_source random(73);
  for (const bool channel_last : {false, true}) {
    for (const std::int64_t length : {0, 1, 2, 50}) {
      forward_problem problem = make_problem({data_type::bfloat16, 3, 21, length, 4, channel_last}, random);
      problem.out = {};
      give_states(problem, data_type::float32, 6, random);
      expect_correct(where(), problem);
      problem.one_state = true;
      expect_correct(where(), problem);
    }
  }
}

TEST_F(states_and_streaming, a_state_is_updated_in_its_own_buffer) {
  random_source random(74);
  for (const std::int64_t width : {2, 4, 8, 70}) {
    for (const std::int64_t length : {1, 2, 3, 5, 66, 700}) {
      for (const bool channel_last : {false, true}) {
        forward_problem problem = make_problem({data_type::float32, 2, 20, length, width, channel_last}, random);
        give_states(problem, data_type::float32, problem.window() + 2, random);
        problem.final_state = problem.initial_state;
        problem.one_state = true;
        expect_correct(where(), problem);
      }
    }
  }
}

TEST_F(states_and_streaming, a_window_longer_than_the_row) {
  random_source random(75);
  for (const std::int64_t dilation : {1, 7, 100}) {
    for (const bool channel_last : {false, true}) {
      forward_problem problem = make_problem({data_type::float16, 2, 9, 12, 6, channel_last, dilation}, random);
      give_states(problem, data_type::float16, problem.window(), random);
      expect_correct(where(), problem);
    }
  }
}

TEST_F(states_and_streaming, in_place_with_state_and_many_chunks) {
  random_source random(76);
  for (const std::int64_t width : {4, 40}) {
    for (const bool channel_last : {false, true}) {
      forward_problem problem =
          make_problem({data_type::bfloat16, 2, channel_last ? 20 : 2, 5000, width, channel_last}, random);
      give_states(problem, data_type::bfloat16, problem.window() + 1, random);
      problem.in_place = true;
      problem.out = problem.x;
      expect_correct(where(), problem);
      problem.final_state = problem.initial_state;
      problem.one_state = true;
      expect_correct(where(), problem);
    }
  }
}

TEST_F(states_and_streaming, a_final_state_longer_than_the_row_in_place) {
  random_source random(77);
  for (const bool channel_last : {false, true}) {
    forward_problem problem = make_problem({data_type::float32, 2, 5, 6, 4, channel_last}, random);
    give_states(problem, data_type::float32, 17, random);
    problem.in_place = true;
    problem.out = problem.x;
    expect_correct(where(), problem);
  }
}

}  // namespace
}  // namespace causal_conv1d_test
