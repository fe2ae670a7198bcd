// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// From element types as values to the library's template arguments.
#pragma once

#include "executor.hpp"

#include <cstdlib>

namespace causal_conv1d_test {

/// Calls function(a pointer to the output type) for the call's output type, among the types instantiated.
template <class Input, class Activation, class Function>
auto with_output_type(const forward_call& call, const Function& function) {
  using causal_conv1d::element;
  constexpr data_type input = element<Input>::type;
  constexpr activation_kind kind = kind_of<Activation>::value;
  if constexpr (is_instantiated(input, data_type::float64, kind)) {
    if (call.out.type == data_type::float64) {
      return function(static_cast<double*>(nullptr));
    }
  }
  if constexpr (is_instantiated(input, data_type::float16, kind)) {
    if (call.out.type == data_type::float16) {
      return function(static_cast<causal_conv1d::half*>(nullptr));
    }
  }
  if constexpr (is_instantiated(input, data_type::bfloat16, kind)) {
    if (call.out.type == data_type::bfloat16) {
      return function(static_cast<causal_conv1d::bfloat16*>(nullptr));
    }
  }
  if constexpr (is_instantiated(input, data_type::float32, kind)) {
    if (call.out.type == data_type::float32) {
      return function(static_cast<float*>(nullptr));
    }
  }
  std::abort();
}

/// Calls function(pointer to the input type, activation) for the call's input type and activation.
template <class Input, class Function>
auto with_activation(const forward_call& call, const Function& function) {
  switch (call.activation) {
    case activation_kind::identity: return function(static_cast<Input*>(nullptr), causal_conv1d::identity{});
    case activation_kind::silu: return function(static_cast<Input*>(nullptr), causal_conv1d::silu{});
    case activation_kind::gain_by_channel: break;
  }
  return function(static_cast<Input*>(nullptr), gain_by_channel{});
}

template <class Function>
auto with_input_and_activation(const forward_call& call, const Function& function) {
  switch (call.x.type) {
    case data_type::float32: return with_activation<float>(call, function);
    case data_type::float64: return with_activation<double>(call, function);
    case data_type::float16: return with_activation<causal_conv1d::half>(call, function);
    case data_type::bfloat16: break;
  }
  return with_activation<causal_conv1d::bfloat16>(call, function);
}

}  // namespace causal_conv1d_test
