// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The promise of the same bits: a whole sequence, the same sequence in chunks that carry state, and token by token.

#include "run_problem.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace causal_conv1d_test {
namespace {

/// The tokens first .. first + length - 1 of a tensor, in a tensor of their own with the same kind of layout.
strided_tensor tokens_of(const strided_tensor& from, std::int64_t first, std::int64_t length) {
  const bool channel_last = from.channel_stride == 1;
  strided_tensor part = channel_last ? make_channel_last(from.type, from.batch, from.channels, length)
                                     : make_channel_first(from.type, from.batch, from.channels, length);
  part.fill([&](std::int64_t b, std::int64_t c, std::int64_t t) { return from.get(b, c, first + t); });
  return part;
}

/// Runs a whole problem in chunks through its state; `lengths` adds up to its length. With `one_buffer` the state is
/// updated in place.
forward_outcome run_in_chunks(executor& where, const forward_problem& whole, const std::vector<std::int64_t>& lengths,
                              bool one_buffer) {
  forward_outcome joined;
  joined.out = whole.out;
  strided_tensor state = whole.initial_state;
  std::int64_t first = 0;
  for (const std::int64_t length : lengths) {
    forward_problem chunk = whole;
    chunk.x = tokens_of(whole.x, first, length);
    chunk.out = tokens_of(whole.out, first, length);
    chunk.initial_state = state;
    chunk.final_state = one_buffer ? state : whole.final_state;
    chunk.one_state = one_buffer;
    const forward_outcome outcome = run_forward(where, chunk);
    joined.status = outcome.status;
    if (!outcome.status) {
      return joined;
    }
    outcome.out.for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) {
      joined.out.set(b, c, first + t, outcome.out.get(b, c, t));
    });
    state = outcome.final_state;
    first += length;
  }
  joined.final_state = state;
  return joined;
}

std::vector<std::int64_t> random_lengths(std::int64_t total, std::int64_t longest, random_source& random) {
  std::vector<std::int64_t> lengths;
  while (total > 0) {
    // Empty chunks are chunks too.
    const std::int64_t length = random.integer(0, std::min(total, longest));
    lengths.push_back(length);
    total -= length;
  }
  return lengths;
}

using parameters = std::tuple<data_type, bool, std::int64_t>;

class chunks : public executor_test_with<parameters> {
 protected:
  /// A problem with states of a type that holds the input's values.
  forward_problem make(std::int64_t length, std::int64_t dilation, random_source& random) {
    const auto [type, channel_last, width] = GetParam();
    plain_shape shape;
    shape.type = type;
    shape.batch = 2;
    shape.channels = random.integer(1, 21);
    shape.length = length;
    shape.width = width;
    shape.channel_last = channel_last;
    shape.dilation = dilation;
    forward_problem problem = make_problem(shape, random);
    const data_type state_type = random.flip() ? type : holds(data_type::float32, type) ? data_type::float32 : type;
    give_states(problem, state_type, problem.window() + random.integer(0, 3), random);
    return problem;
  }
};

TEST_P(chunks, of_random_lengths_give_the_bits_of_the_whole) {
  random_source random(11);
  for (const std::int64_t dilation : {1, 2, 5}) {
    const forward_problem whole = make(random.integer(600, 900), dilation, random);
    const forward_outcome expected = run_forward(where(), whole);
    for (const std::int64_t longest : {40, 300}) {
      expect_same(whole, run_in_chunks(where(), whole, random_lengths(whole.x.length, longest, random), random.flip()),
                  expected);
    }
  }
}

TEST_P(chunks, of_one_token_give_the_bits_of_the_whole) {
  random_source random(12);
  for (const std::int64_t dilation : {1, 3}) {
    const forward_problem whole = make(70, dilation, random);
    const forward_outcome expected = run_forward(where(), whole);
    const std::vector<std::int64_t> tokens(static_cast<std::size_t>(whole.x.length), 1);
    expect_same(whole, run_in_chunks(where(), whole, tokens, true), expected);
    expect_same(whole, run_in_chunks(where(), whole, tokens, false), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(forward, chunks,
                         ::testing::Combine(::testing::ValuesIn(all_types), ::testing::Bool(),
                                            ::testing::Values<std::int64_t>(1, 2, 3, 4, 5, 6, 7, 8, 9, 33, 64)),
                         [](const ::testing::TestParamInfo<parameters>& parameter) {
                           return std::string(name_of(std::get<0>(parameter.param))) +
                                  (std::get<1>(parameter.param) ? "_channel_last" : "_channel_first") + "_width_" +
                                  std::to_string(std::get<2>(parameter.param));
                         });

class same_bits_of : public executor_test_with<data_type> {};

TEST_P(same_bits_of, both_layouts) {
  random_source random(13);
  for (const std::int64_t width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 40}) {
    for (const std::int64_t dilation : {1, 3}) {
      plain_shape shape;
      shape.type = GetParam();
      shape.batch = 2;
      shape.channels = 72;
      shape.length = 530;
      shape.width = width;
      shape.dilation = dilation;
      const forward_problem first = make_problem(shape, random);
      forward_problem last = first;
      last.x = make_channel_last(shape.type, 2, 72, 530);
      last.x.fill([&](std::int64_t b, std::int64_t c, std::int64_t t) { return first.x.get(b, c, t); });
      last.out = make_channel_last(shape.type, 2, 72, 530);
      forward_problem strided = first;
      strided.x = make_arranged(arrangement::interleaved, shape.type, 2, 72, 530, random);
      strided.x.fill([&](std::int64_t b, std::int64_t c, std::int64_t t) { return first.x.get(b, c, t); });
      const forward_outcome expected = run_forward(where(), first);
      expect_same(first, run_forward(where(), last), expected);
      expect_same(first, run_forward(where(), strided), expected);
    }
  }
}

TEST_P(same_bits_of, both_layouts_with_silu) {
  random_source random(14);
  plain_shape shape;
  shape.type = GetParam();
  shape.channels = 40;
  shape.length = 600;
  forward_problem first = make_problem(shape, random);
  first.activation = activation_kind::silu;
  forward_problem last = first;
  last.x = make_channel_last(shape.type, 1, 40, 600);
  last.x.fill([&](std::int64_t b, std::int64_t c, std::int64_t t) { return first.x.get(b, c, t); });
  last.out = make_channel_last(shape.type, 1, 40, 600);
  expect_same(first, run_forward(where(), last), run_forward(where(), first));
}

TEST_P(same_bits_of, chunks_with_silu) {
  random_source random(15);
  for (const bool channel_last : {false, true}) {
    plain_shape shape;
    shape.type = GetParam();
    shape.channels = 19;
    shape.length = 700;
    shape.channel_last = channel_last;
    forward_problem whole = make_problem(shape, random);
    whole.activation = activation_kind::silu;
    give_states(whole, shape.type, 3, random);
    expect_same(whole, run_in_chunks(where(), whole, random_lengths(700, 90, random), true),
                run_forward(where(), whole));
  }
}

TEST_P(same_bits_of, in_place_and_out_of_place) {
  random_source random(16);
  for (const std::int64_t width : {1, 4, 8, 33}) {
    for (const bool channel_last : {false, true}) {
      plain_shape shape;
      shape.type = GetParam();
      shape.batch = 2;
      shape.channels = channel_last ? 40 : 3;
      shape.length = channel_last ? 1700 : 9000;
      shape.width = width;
      shape.channel_last = channel_last;
      forward_problem apart = make_problem(shape, random);
      give_states(apart, shape.type, apart.window() + 2, random);
      forward_problem in_place = apart;
      in_place.in_place = true;
      in_place.out = in_place.x;
      expect_same(apart, run_forward(where(), in_place), run_forward(where(), apart));
    }
  }
}

TEST_P(same_bits_of, operands_at_every_alignment) {
  random_source random(17);
  for (const bool channel_last : {false, true}) {
    plain_shape shape;
    shape.type = GetParam();
    shape.channels = channel_last ? 32 : 5;
    shape.length = channel_last ? 70 : 160;
    shape.channel_last = channel_last;
    const forward_problem problem = make_problem(shape, random);
    const forward_outcome expected = run_forward(where(), problem);
    expect_same(problem, run_forward(where(), problem, placement::misaligned), expected);
    expect_same(problem, run_forward(where(), problem, placement::page_end), expected);
    expect_same(problem, run_forward(where(), problem, placement::page_begin), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(forward, same_bits_of, ::testing::ValuesIn(all_types),
                         [](const ::testing::TestParamInfo<data_type>& parameter) {
                           return std::string(name_of(parameter.param));
                         });

}  // namespace
}  // namespace causal_conv1d_test
