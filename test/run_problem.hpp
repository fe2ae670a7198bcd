// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Runs a test's problem on an executor and compares what it wrote with the reference.
#pragma once

#include "executor.hpp"
#include "reference.hpp"

#include <gtest/gtest.h>

#include <string>

namespace causal_conv1d_test {

/// What a forward left behind.
struct forward_outcome {
  causal_conv1d::status status;
  strided_tensor out;
  strided_tensor final_state;
};

/// The problem's operands in words, for failure messages.
std::string describe(const forward_problem& problem);

/// Places the operands in the executor's memory, runs the forward and takes the outputs back. Fails the test where a
/// byte outside of the outputs' elements has changed: gaps, guards, inputs. The workspace has exactly the size asked
/// for.
forward_outcome run_forward(executor& where, const forward_problem& problem, placement how = placement::guarded);

/// Every output and final state against the wide reference, within its error bound and one rounding.
void expect_close(const forward_problem& problem, const forward_outcome& outcome);

/// Every output and final state against the reference in the promised order, to the bit. Not for silu.
void expect_exact(const forward_problem& problem, const forward_outcome& outcome);

/// Two outcomes of the same problem, to the bit.
void expect_same(const forward_problem& problem, const forward_outcome& a, const forward_outcome& b);

/// Runs, and compares with both references as far as they apply.
void expect_correct(executor& where, const forward_problem& problem, placement how = placement::guarded);

/// A dense problem with contiguous operands and random values; everything else is up to the caller.
struct plain_shape {
  data_type type = data_type::float32;
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  std::int64_t length = 1;
  std::int64_t width = 4;
  bool channel_last = false;
  std::int64_t dilation = 1;
};
forward_problem make_problem(const plain_shape& shape, random_source& random);

/// Gives a problem contiguous states of a type.
void give_states(forward_problem& problem, data_type type, std::int64_t entries, random_source& random);

/// Tests that run on the executor of the program; without a usable GPU they are skipped, or fail where
/// CAUSAL_CONV1D_REQUIRE_GPU=1 says that there must be one.
class executor_test : public ::testing::Test {
 protected:
  void SetUp() override;
  executor& where() { return tested_executor(); }
};

template <class Parameter>
class executor_test_with : public executor_test, public ::testing::WithParamInterface<Parameter> {};

}  // namespace causal_conv1d_test
