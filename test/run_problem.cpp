// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "run_problem.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

namespace causal_conv1d_test {
namespace {

erased_view view_of(const strided_tensor& tensor, void* data) {
  const std::int64_t before = tensor.origin * bytes_of(tensor.type);
  return {static_cast<char*>(data) + before,
          tensor.type,
          tensor.batch,
          tensor.channels,
          tensor.length,
          tensor.batch_stride,
          tensor.channel_stride,
          tensor.time_stride};
}

/// Calls function(typed pointer) for the type of a view.
template <class Function>
auto with_pointer(const erased_view& view, const Function& function) {
  switch (view.type) {
    case data_type::float32: return function(static_cast<float*>(view.data));
    case data_type::float64: return function(static_cast<double*>(view.data));
    case data_type::float16: return function(static_cast<causal_conv1d::half*>(view.data));
    case data_type::bfloat16: break;
  }
  return function(static_cast<causal_conv1d::bfloat16*>(view.data));
}

causal_conv1d::state_view state_of(const erased_view& view) {
  return with_pointer(view, [&](auto* data) {
    using T = std::remove_pointer_t<decltype(data)>;
    return causal_conv1d::state_view(typed<T>(view));
  });
}

/// An operand in the executor's memory, and the bytes that were put there.
struct placed_operand {
  std::unique_ptr<buffer> memory;
  std::vector<unsigned char> before;

  void place(executor& where, const strided_tensor& tensor, placement how, bool is_written_only) {
    if (!tensor.given) {
      return;
    }
    before = tensor.storage;
    memory = std::make_unique<buffer>(where.operand_memory(), before.size(),
                                      static_cast<std::size_t>(bytes_of(tensor.type)), how);
    // Gaps between elements are never written, and taken back all the same: they need a content.
    const bool has_gaps = before.size() != static_cast<std::size_t>(tensor.size() * bytes_of(tensor.type));
    if (!(is_written_only && memory_is_watched()) || has_gaps) {
      memory->upload(before);
    }
  }

  void expect_untouched(const char* what) const {
    if (memory != nullptr) {
      EXPECT_TRUE(memory->guards_are_intact()) << "memory beside " << what;
      EXPECT_TRUE(memory->download() == before) << what << " was written";
    }
  }

  /// What is there now; fails where a byte that is no element has changed.
  strided_tensor take_back(const strided_tensor& tensor, const char* what) const {
    strided_tensor now = tensor;
    if (memory == nullptr) {
      return now;
    }
    now.storage = memory->download();
    EXPECT_TRUE(memory->guards_are_intact()) << "memory beside " << what;
    if (memory_is_watched()) {
      return now;
    }
    strided_tensor gaps = now;
    const std::size_t bytes = static_cast<std::size_t>(bytes_of(tensor.type));
    gaps.for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) {
      const std::size_t at = gaps.byte_of(b, c, t);
      std::memcpy(&gaps.storage[at], &before[at], bytes);
    });
    EXPECT_TRUE(gaps.storage == before) << "a gap between elements of " << what << " was written";
    return now;
  }
};

std::string describe(const strided_tensor& tensor) {
  if (!tensor.given) {
    return "none";
  }
  std::ostringstream words;
  words << name_of(tensor.type) << " (" << tensor.batch << ", " << tensor.channels << ", " << tensor.length
        << ") strides (" << tensor.batch_stride << ", " << tensor.channel_stride << ", " << tensor.time_stride << ")";
  return words.str();
}

/// Compares elements by function(b, c, t) and reports the first few that differ.
template <class Function>
void for_each_reported(const strided_tensor& tensor, const char* what, const forward_problem& problem,
                       const Function& mismatch) {
  int reported = 0;
  tensor.for_each([&](std::int64_t b, std::int64_t c, std::int64_t t) {
    if (reported < 4) {
      const std::string words = mismatch(b, c, t);
      if (!words.empty()) {
        ++reported;
        ADD_FAILURE() << what << " (" << b << ", " << c << ", " << t << "): " << words << "\n" << describe(problem);
      }
    }
  });
}

std::string not_equal(data_type type, const void* found, const void* expected) {
  if (same_bits(type, found, expected)) {
    return {};
  }
  std::ostringstream words;
  words.precision(17);
  words << "found " << decode(type, found) << ", expected " << decode(type, expected);
  return words.str();
}

void expect_exact_final_state(const forward_problem& problem, const forward_reference& reference,
                              const forward_outcome& outcome) {
  if (!problem.final_state.given) {
    return;
  }
  for_each_reported(outcome.final_state, "final_state", problem, [&](std::int64_t b, std::int64_t c, std::int64_t e) {
    if (b >= problem.x.batch) {
      return std::string();
    }
    unsigned char expected[8] = {};
    encode(outcome.final_state.type, reference.final_entry(b, c, e), expected);
    return not_equal(outcome.final_state.type, &outcome.final_state.storage[outcome.final_state.byte_of(b, c, e)],
                     expected);
  });
}

}  // namespace

std::string describe(const forward_problem& problem) {
  std::ostringstream words;
  words << "seed " << seed_of_this_run() << "\n  x " << describe(problem.x) << "\n  weight " << describe(problem.weight)
        << "\n  bias " << describe(problem.bias) << "\n  out "
        << (problem.in_place ? std::string("in place") : describe(problem.out)) << "\n  initial_state "
        << describe(problem.initial_state) << "\n  final_state "
        << (problem.one_state ? std::string("the initial state") : describe(problem.final_state)) << "\n  dilation "
        << problem.dilation << ", " << name_of(problem.activation);
  return words.str();
}

forward_outcome run_forward(executor& where, const forward_problem& problem, placement how) {
  SCOPED_TRACE(describe(problem));
  placed_operand x, weight, bias, out, initial_state, final_state;
  x.place(where, problem.x, how, false);
  weight.place(where, problem.weight, how, false);
  bias.place(where, problem.bias, how, false);
  initial_state.place(where, problem.initial_state, how, false);
  if (!problem.in_place) {
    out.place(where, problem.out, how, true);
  }
  if (!problem.one_state) {
    final_state.place(where, problem.final_state, how, problem.final_state.batch == problem.x.batch);
  }

  forward_call call;
  call.activation = problem.activation;
  call.dilation = problem.dilation;
  call.x = view_of(problem.x, x.memory->data());
  const erased_view filters = view_of(problem.weight, weight.memory->data());
  call.weight = with_pointer(filters, [&](auto* data) {
    return causal_conv1d::weight_view(data, filters.channels, filters.length, filters.channel_stride,
                                      filters.time_stride);
  });
  if (problem.bias.given) {
    const erased_view values = view_of(problem.bias, bias.memory->data());
    call.bias = with_pointer(
        values, [&](auto* data) { return causal_conv1d::bias_view(data, values.channels, values.channel_stride); });
  }
  if (problem.in_place) {
    call.out = call.x;
  } else if (problem.out.given) {
    call.out = view_of(problem.out, out.memory->data());
  } else {
    call.out.type = problem.x.type;
  }
  if (problem.initial_state.given) {
    call.initial_state = state_of(view_of(problem.initial_state, initial_state.memory->data()));
  }
  if (problem.one_state) {
    call.final_state = state_of(view_of(problem.initial_state, initial_state.memory->data()));
  } else if (problem.final_state.given) {
    call.final_state = state_of(view_of(problem.final_state, final_state.memory->data()));
  }

  std::unique_ptr<buffer> workspace;
  call.workspace_size = where.workspace_bytes(call);
  if (call.workspace_size != 0) {
    workspace = std::make_unique<buffer>(where.operand_memory(), call.workspace_size, 1);
    if (!memory_is_watched()) {
      workspace->upload(std::vector<unsigned char>(call.workspace_size, poison));
    }
    call.workspace = workspace->data();
  }

  forward_outcome outcome;
  outcome.status = where.forward(call);
  EXPECT_TRUE(outcome.status) << causal_conv1d::message(outcome.status).c_str();
  if (workspace != nullptr) {
    EXPECT_TRUE(workspace->guards_are_intact()) << "memory beside the workspace";
  }
  weight.expect_untouched("weight");
  bias.expect_untouched("bias");
  if (!problem.in_place) {
    x.expect_untouched("x");
  }
  if (!problem.one_state) {
    initial_state.expect_untouched("initial_state");
  }
  outcome.out = problem.in_place ? x.take_back(problem.x, "x in place") : out.take_back(problem.out, "out");
  outcome.final_state = problem.one_state ? initial_state.take_back(problem.initial_state, "the state")
                                          : final_state.take_back(problem.final_state, "final_state");
  return outcome;
}

void expect_close(const forward_problem& problem, const forward_outcome& outcome) {
  const forward_reference reference(problem);
  if (outcome.out.given) {
    for_each_reported(outcome.out, "out", problem, [&](std::int64_t b, std::int64_t c, std::int64_t t) {
      const data_type type = outcome.out.type;
      const double found = outcome.out.get(b, c, t);
      const forward_reference::bounded_value expected = reference.wide_output(b, c, t);
      const double lowest = rounded_to(type, static_cast<double>(expected.value - expected.error));
      const double highest = rounded_to(type, static_cast<double>(expected.value + expected.error));
      if (found >= lowest && found <= highest) {
        return std::string();
      }
      std::ostringstream words;
      words.precision(17);
      words << "found " << found << ", expected " << static_cast<double>(expected.value) << " within " << lowest
            << " .. " << highest;
      return words.str();
    });
  }
  expect_exact_final_state(problem, reference, outcome);
}

void expect_exact(const forward_problem& problem, const forward_outcome& outcome) {
  const forward_reference reference(problem);
  if (outcome.out.given) {
    for_each_reported(outcome.out, "out", problem, [&](std::int64_t b, std::int64_t c, std::int64_t t) {
      unsigned char expected[8] = {};
      encode(outcome.out.type, reference.exact_output(b, c, t), expected);
      return not_equal(outcome.out.type, &outcome.out.storage[outcome.out.byte_of(b, c, t)], expected);
    });
  }
  expect_exact_final_state(problem, reference, outcome);
}

void expect_same(const forward_problem& problem, const forward_outcome& a, const forward_outcome& b) {
  const auto compare = [&](const strided_tensor& one, const strided_tensor& other, const char* what) {
    ASSERT_EQ(one.given, other.given);
    if (one.given) {
      for_each_reported(one, what, problem, [&](std::int64_t row, std::int64_t c, std::int64_t t) {
        return not_equal(one.type, &one.storage[one.byte_of(row, c, t)], &other.storage[other.byte_of(row, c, t)]);
      });
    }
  };
  compare(a.out, b.out, "out");
  compare(a.final_state, b.final_state, "final_state");
}

void expect_correct(executor& where, const forward_problem& problem, placement how) {
  const forward_outcome outcome = run_forward(where, problem, how);
  if (!outcome.status) {
    return;
  }
  expect_close(problem, outcome);
  if (problem.activation != activation_kind::silu) {
    expect_exact(problem, outcome);
  }
}

forward_problem make_problem(const plain_shape& shape, random_source& random) {
  const auto make = shape.channel_last ? make_channel_last : make_channel_first;
  forward_problem problem;
  problem.x = make(shape.type, shape.batch, shape.channels, shape.length);
  problem.out = make(shape.type, shape.batch, shape.channels, shape.length);
  problem.weight = make_channel_first(data_type::float32, 1, shape.channels, shape.width);
  problem.bias = make_channel_first(data_type::float32, 1, shape.channels, 1);
  problem.dilation = shape.dilation;
  fill_random(problem.x, random);
  fill_random(problem.weight, random);
  fill_random(problem.bias, random);
  return problem;
}

void give_states(forward_problem& problem, data_type type, std::int64_t entries, random_source& random) {
  problem.initial_state = make_channel_first(type, problem.x.batch, problem.x.channels, entries);
  fill_random(problem.initial_state, random);
  problem.final_state = make_channel_first(type, problem.x.batch, problem.x.channels, entries);
}

void executor_test::SetUp() {
  if (where().is_usable()) {
    return;
  }
  const char* required = std::getenv("CAUSAL_CONV1D_REQUIRE_GPU");
  if (required != nullptr && std::strcmp(required, "1") == 0) {
    FAIL() << "CAUSAL_CONV1D_REQUIRE_GPU=1, but no GPU can be used";
  }
  GTEST_SKIP() << "no GPU can be used";
}

}  // namespace causal_conv1d_test
