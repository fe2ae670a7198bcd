// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Random problems over the whole argument space. Each choice is an axis; problems are drawn so that pairs of axis
/// values that have not met yet are preferred, and at the end every value of every axis must have occurred.

#include "run_problem.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace causal_conv1d_test {
namespace {

enum axis : int {
  axis_combination,  ///< (input, output, activation) among those instantiated
  axis_weight_type,
  axis_bias,  ///< none or a type
  axis_state_type,
  axis_states,  ///< none, initial, final, both, one buffer for both
  axis_width,
  axis_x_arrangement,
  axis_out_arrangement,  ///< the last value: in place
  axis_dilation,
  axis_groups,
  axis_length,
  axis_channels,
  axis_batch,
  axis_placement,
  axis_order,
  axis_entries,
  axis_values,
  axis_weight_arrangement,
  axis_count,
};

constexpr const char* axis_names[] = {"input/output/activation",
                                      "weight type",
                                      "bias",
                                      "state type",
                                      "states",
                                      "width",
                                      "x",
                                      "out",
                                      "dilation",
                                      "groups",
                                      "length",
                                      "channels",
                                      "batch",
                                      "placement",
                                      "unit order",
                                      "entries",
                                      "values",
                                      "weight strides"};

struct combination {
  data_type input;
  data_type output;
  activation_kind activation;
};

const std::vector<combination>& combinations() {
  static const std::vector<combination> all = [] {
    std::vector<combination> list;
    for (const data_type input : all_types) {
      for (const data_type output : all_types) {
        for (const activation_kind activation :
             {activation_kind::identity, activation_kind::silu, activation_kind::gain_by_channel}) {
          if (is_instantiated(input, output, activation)) {
            list.push_back({input, output, activation});
          }
        }
      }
    }
    return list;
  }();
  return all;
}

std::string combination_name(const combination& one) {
  return std::string(name_of(one.input)) + "_" + name_of(one.output) + "_" + name_of(one.activation);
}

constexpr std::int64_t widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 33, 64, 138, 256, 1024};
constexpr int in_place_arrangement = output_arrangements;

using choice = std::array<int, axis_count>;

choice axis_sizes() {
  choice sizes = {};
  sizes[axis_combination] = static_cast<int>(combinations().size());
  sizes[axis_weight_type] = 4;
  sizes[axis_bias] = 5;
  sizes[axis_state_type] = 4;
  sizes[axis_states] = 5;
  sizes[axis_width] = static_cast<int>(std::size(widths));
  sizes[axis_x_arrangement] = arrangements;
  sizes[axis_out_arrangement] = output_arrangements + 1;
  sizes[axis_dilation] = 4;
  sizes[axis_groups] = 3;
  sizes[axis_length] = 7;
  sizes[axis_channels] = 6;
  sizes[axis_batch] = 3;
  sizes[axis_placement] = placements;
  sizes[axis_order] = unit_orders;
  sizes[axis_entries] = 2;
  sizes[axis_values] = 2;
  sizes[axis_weight_arrangement] = 3;
  return sizes;
}

/// In words, for the table at the end.
std::string value_name(int axis, int value) {
  constexpr const char* states[] = {"none", "initial", "final", "both", "one buffer"};
  constexpr const char* dilations[] = {"1", "2", "3..9", "beyond the length"};
  constexpr const char* groups[] = {"row per channel", "one row", "divisor"};
  constexpr const char* lengths[] = {
      "0", "1", "below the window", "2..20", "primes", "around a tile", "several chunks"};
  constexpr const char* channels[] = {"1", "2..9", "around 16 or 32", "around 256", "primes", "multiple of 8"};
  constexpr const char* batches[] = {"1", "2..4", "5..9"};
  constexpr const char* places[] = {"guarded", "misaligned", "page end", "page begin"};
  constexpr const char* entries[] = {"the window", "more"};
  constexpr const char* values[] = {"moderate", "wild"};
  constexpr const char* weights[] = {"contiguous", "taps apart", "reversed"};
  switch (axis) {
    case axis_combination: return combination_name(combinations()[static_cast<std::size_t>(value)]);
    case axis_weight_type:
    case axis_state_type: return name_of(all_types[value]);
    case axis_bias: return value == 4 ? "none" : name_of(all_types[value]);
    case axis_states: return states[value];
    case axis_width: return std::to_string(widths[value]);
    case axis_x_arrangement: return name_of(static_cast<arrangement>(value));
    case axis_out_arrangement:
      return value == in_place_arrangement ? "in place" : name_of(static_cast<arrangement>(value));
    case axis_dilation: return dilations[value];
    case axis_groups: return groups[value];
    case axis_length: return lengths[value];
    case axis_channels: return channels[value];
    case axis_batch: return batches[value];
    case axis_placement: return places[value];
    case axis_order: return name_of(static_cast<unit_order>(value));
    case axis_entries: return entries[value];
    case axis_values: return values[value];
    case axis_weight_arrangement: return weights[value];
    default: return "";
  }
}

/// Makes a random choice legal.
void legalise(choice& chosen) {
  const combination& types = combinations()[static_cast<std::size_t>(chosen[axis_combination])];
  if (chosen[axis_out_arrangement] == in_place_arrangement &&
      (types.input != types.output || chosen[axis_x_arrangement] == static_cast<int>(arrangement::broadcast))) {
    chosen[axis_out_arrangement] = static_cast<int>(arrangement::channel_last_sliced);
  }
  const std::int64_t least_dilation = chosen[axis_dilation] == 0 ? 1 : 2;
  if (!serves_width(types.input, types.output, types.activation, widths[chosen[axis_width]], least_dilation)) {
    chosen[axis_width] = 3;
  }
  if (chosen[axis_length] == 2 && chosen[axis_width] == 0) {
    chosen[axis_length] = 3;  // width 1 has no window
  }
}

/// Whether a value can occur at all where the combination is fixed; -1: it is not.
bool is_possible(int axis, int value, int fixed_combination) {
  if (fixed_combination < 0 || axis != axis_out_arrangement || value != in_place_arrangement) {
    return true;
  }
  const combination& types = combinations()[static_cast<std::size_t>(fixed_combination)];
  return types.input == types.output;
}

/// How often each value of each axis, and each pair of values, has occurred.
class coverage {
 public:
  coverage() : sizes_(axis_sizes()) {
    for (int a = 0; a < axis_count; ++a) {
      counts_[a].assign(static_cast<std::size_t>(sizes_[a]), 0);
    }
  }

  /// The best of several random choices: the one with most pairs that have not met.
  choice draw(random_source& random, int fixed_combination) const {
    choice best = {};
    int best_new = -1;
    for (int attempt = 0; attempt < 12; ++attempt) {
      choice chosen = {};
      for (int a = 0; a < axis_count; ++a) {
        chosen[a] = static_cast<int>(random.integer(0, sizes_[a] - 1));
      }
      if (fixed_combination >= 0) {
        chosen[axis_combination] = fixed_combination;
      }
      legalise(chosen);
      int unmet = 0;
      for (int a = 0; a < axis_count; ++a) {
        unmet += counts_[a][static_cast<std::size_t>(chosen[a])] == 0 ? axis_count : 0;
        for (int b = 0; b < a; ++b) {
          unmet += pairs_.count(key(a, chosen[a], b, chosen[b])) == 0 ? 1 : 0;
        }
      }
      if (unmet > best_new) {
        best_new = unmet;
        best = chosen;
      }
    }
    return best;
  }

  void count(const choice& chosen) {
    for (int a = 0; a < axis_count; ++a) {
      ++counts_[a][static_cast<std::size_t>(chosen[a])];
      for (int b = 0; b < a; ++b) {
        pairs_.insert(key(a, chosen[a], b, chosen[b]));
      }
    }
  }

  void print_and_check(int fixed_combination) const {
    std::size_t possible = 0;
    for (int a = 0; a < axis_count; ++a) {
      for (int b = 0; b < a; ++b) {
        possible += static_cast<std::size_t>(sizes_[a]) * static_cast<std::size_t>(sizes_[b]);
      }
    }
    for (int a = 0; a < axis_count; ++a) {
      std::printf("%s:", axis_names[a]);
      for (int value = 0; value < sizes_[a]; ++value) {
        const int times = counts_[a][static_cast<std::size_t>(value)];
        if (a == axis_combination && fixed_combination >= 0) {
          continue;
        }
        std::printf(" %s %d,", value_name(a, value).c_str(), times);
        EXPECT_TRUE(times > 0 || !is_possible(a, value, fixed_combination))
            << axis_names[a] << " " << value_name(a, value) << " did not occur";
      }
      std::printf("\n");
    }
    std::printf("pairs of values: %zu of %zu, impossible ones included\n", pairs_.size(), possible);
  }

 private:
  static std::int64_t key(int axis_a, int value_a, int axis_b, int value_b) {
    return ((std::int64_t{axis_a} * 64 + value_a) * 64 + axis_b) * 64 + value_b;
  }

  choice sizes_;
  std::array<std::vector<int>, axis_count> counts_;
  std::set<std::int64_t> pairs_;
};

std::int64_t draw_length(int which, std::int64_t window, random_source& random) {
  constexpr std::int64_t primes[] = {11, 13, 31, 61, 127, 251, 509, 1021};
  constexpr std::int64_t tiles[] = {8, 16, 64, 256, 512};
  switch (which) {
    case 0: return 0;
    case 1: return 1;
    case 2: return window > 1 ? random.integer(1, std::min<std::int64_t>(window - 1, 300)) : 1;
    case 3: return random.integer(2, 20);
    case 4: return primes[random.integer(0, 7)];
    case 5: return tiles[random.integer(0, 4)] + random.integer(-1, 1);
    default: return random.flip() ? 4096 + random.integer(-1, 1) : random.integer(513, 9000);
  }
}

std::int64_t draw_channels(int which, random_source& random) {
  constexpr std::int64_t primes[] = {3, 7, 13, 37, 61};
  switch (which) {
    case 0: return 1;
    case 1: return random.integer(2, 9);
    case 2: return (random.flip() ? 16 : 32) + random.integer(-1, 1);
    case 3: return 256 + random.integer(-1, 1);
    case 4: return primes[random.integer(0, 4)];
    default: return 8 * random.integer(1, 12);
  }
}

std::int64_t draw_rows(int which, std::int64_t channels, random_source& random) {
  if (which == 0) {
    return channels;
  }
  if (which == 1) {
    return 1;
  }
  std::vector<std::int64_t> divisors;
  for (std::int64_t rows = 1; rows <= channels; ++rows) {
    if (channels % rows == 0) {
      divisors.push_back(rows);
    }
  }
  return divisors[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(divisors.size()) - 1))];
}

strided_tensor draw_state(data_type type, const forward_problem& problem, std::int64_t entries, random_source& random) {
  const std::int64_t slots = problem.x.batch + (random.flip() ? 0 : random.integer(1, 2));
  const auto how = static_cast<arrangement>(random.integer(0, output_arrangements - 1));
  strided_tensor state = make_arranged(how, type, slots, problem.x.channels, entries, random);
  return state;
}

forward_problem make_problem(const choice& chosen, random_source& random) {
  const combination& types = combinations()[static_cast<std::size_t>(chosen[axis_combination])];
  const bool wild = chosen[axis_values] == 1;
  const std::int64_t width = widths[chosen[axis_width]];

  forward_problem problem;
  problem.activation = types.activation;
  const std::int64_t dilations[] = {1, 2, random.integer(3, 9), random.integer(50, 400)};
  problem.dilation = dilations[chosen[axis_dilation]];
  const std::int64_t window = (width - 1) * problem.dilation;
  std::int64_t length = draw_length(chosen[axis_length], window, random);
  std::int64_t channels = draw_channels(chosen[axis_channels], random);
  constexpr std::int64_t most_batches[] = {1, 4, 9};
  std::int64_t batch = random.integer(chosen[axis_batch] == 0   ? 1
                                      : chosen[axis_batch] == 1 ? 2
                                                                : 5,
                                      most_batches[chosen[axis_batch]]);
  // The reference is slow: shrink what does not make the case.
  const std::int64_t most_work = 600000;
  while (batch * channels * std::max<std::int64_t>(length * width, window) > most_work &&
         (batch > 1 || channels > 1 || length > 64)) {
    if (batch > 1) {
      batch = (batch + 1) / 2;
    } else if (channels > 1) {
      channels = (channels + 1) / 2;
    } else {
      length = (length + 1) / 2;
    }
  }

  const auto x_arrangement = static_cast<arrangement>(chosen[axis_x_arrangement]);
  problem.x = make_arranged(x_arrangement, types.input, batch, channels, length, random);
  fill_random(problem.x, random, wild);
  problem.in_place = chosen[axis_out_arrangement] == in_place_arrangement;
  problem.out = problem.in_place ? problem.x
                                 : make_arranged(static_cast<arrangement>(chosen[axis_out_arrangement]), types.output,
                                                 batch, channels, length, random);

  const std::int64_t rows = draw_rows(chosen[axis_groups], channels, random);
  const data_type weight_type = all_types[chosen[axis_weight_type]];
  constexpr int contiguous = 0;
  constexpr int taps_apart = 1;
  problem.weight = chosen[axis_weight_arrangement] == contiguous ? make_channel_first(weight_type, 1, rows, width)
                   : chosen[axis_weight_arrangement] == taps_apart
                       ? make_tensor(weight_type, 1, rows, width, 0, 1, rows + random.integer(0, 3))
                       : make_tensor(weight_type, 1, rows, width, 0, -(width + 1), -1);
  fill_random(problem.weight, random, wild);
  if (chosen[axis_bias] != 4) {
    problem.bias = make_tensor(all_types[chosen[axis_bias]], 1, channels, 1, 0, random.integer(-1, 2), 1);
    fill_random(problem.bias, random, wild);
  }

  enum { no_states, initial_only, final_only, both, one_buffer };
  const int states = chosen[axis_states];
  const data_type state_type = all_types[chosen[axis_state_type]];
  const std::int64_t more = chosen[axis_entries] == 0 ? 0 : random.integer(1, 6);
  if (states == initial_only || states == both || states == one_buffer) {
    problem.initial_state = draw_state(state_type, problem, window + more, random);
    fill_random(problem.initial_state, random, wild);
  }
  if (states == final_only || states == both) {
    problem.final_state = draw_state(states == both && random.flip() ? all_types[random.integer(0, 3)] : state_type,
                                     problem, window + (random.flip() ? more : random.integer(0, 9)), random);
  }
  if (states == one_buffer) {
    problem.final_state = problem.initial_state;
    problem.one_state = true;
  }
  return problem;
}

void run_problems(executor& where, int fixed_combination, int problems) {
  random_source random(static_cast<std::uint64_t>(fixed_combination + 1));
  coverage covered;
  // Tools that watch memory slow every call down a hundredfold: an eighth of the problems then, and no demand that
  // every value of every axis occurs among them.
  const int tried = memory_is_watched() ? problems / 8 : problems;
  for (int i = 0; i < tried && !::testing::Test::HasFailure(); ++i) {
    const choice chosen = covered.draw(random, fixed_combination);
    covered.count(chosen);
    const forward_problem problem = make_problem(chosen, random);
    where.set_unit_order({static_cast<unit_order>(chosen[axis_order]), random.bits()});
    expect_correct(where, problem, static_cast<placement>(chosen[axis_placement]));
  }
  where.set_unit_order({});
  if (!::testing::Test::HasFailure() && !memory_is_watched()) {
    covered.print_and_check(fixed_combination);
  }
}

class covering : public executor_test_with<int> {};

TEST_P(covering, random_problems) { run_problems(where(), GetParam(), 80); }

INSTANTIATE_TEST_SUITE_P(forward, covering, ::testing::Range(0, static_cast<int>(combinations().size())),
                         [](const ::testing::TestParamInfo<int>& parameter) {
                           return combination_name(combinations()[static_cast<std::size_t>(parameter.param)]);
                         });

class covering_array : public executor_test {};

TEST_F(covering_array, every_axis_value_occurs) { run_problems(where(), -1, 800); }

}  // namespace
}  // namespace causal_conv1d_test
