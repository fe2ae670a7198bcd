// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The reference of the forward, written from its definition and sharing nothing with the library: once in wide
/// arithmetic with an error bound, once in the promised order with fused multiply-adds, to the bit.
#pragma once

#include "strided_tensor.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace causal_conv1d_test {

enum class activation_kind : int { identity, silu, gain_by_channel };

inline const char* name_of(activation_kind kind) {
  return kind == activation_kind::identity ? "identity" : kind == activation_kind::silu ? "silu" : "gain_by_channel";
}

/// What gain_by_channel multiplies the even and the odd channels by.
constexpr double even_gain = 0.6875;
constexpr double odd_gain = -1.375;

/// A forward as the tests describe it. Operands that are not `given` are absent; weight has shape (1, rows, width),
/// bias (1, channels, 1), states (slots, channels, entries).
struct forward_problem {
  strided_tensor x;
  strided_tensor weight;
  strided_tensor bias;
  strided_tensor out;
  strided_tensor initial_state;
  strided_tensor final_state;
  std::int64_t dilation = 1;
  activation_kind activation = activation_kind::identity;
  bool in_place = false;   ///< out is x
  bool one_state = false;  ///< final_state is initial_state

  std::int64_t window() const { return (weight.length - 1) * dilation; }
};

class forward_reference {
 public:
  explicit forward_reference(const forward_problem& problem)
      : problem_(problem),
        x_(problem.x.values()),
        weight_(problem.weight.values()),
        bias_(problem.bias.given ? problem.bias.values() : std::vector<double>()),
        initial_(problem.initial_state.given ? problem.initial_state.values() : std::vector<double>()) {}

  /// h[c, t] of row b, t from -window on.
  double history(std::int64_t b, std::int64_t c, std::int64_t t) const {
    const strided_tensor& x = problem_.x;
    if (t >= 0) {
      return x_[static_cast<std::size_t>((b * x.channels + c) * x.length + t)];
    }
    const strided_tensor& state = problem_.initial_state;
    if (!state.given || state.length + t < 0) {
      return 0.0;
    }
    return initial_[static_cast<std::size_t>((b * state.channels + c) * state.length + state.length + t)];
  }

  /// The sum before the activation in the promised order, in float or double.
  template <class Accumulator>
  Accumulator exact_sum(std::int64_t b, std::int64_t c, std::int64_t t) const {
    Accumulator sum = static_cast<Accumulator>(bias(c));
    for (std::int64_t j = 0; j < problem_.weight.length; ++j) {
      sum = std::fma(static_cast<Accumulator>(tap(c, j)), static_cast<Accumulator>(history(b, c, source(t, j))), sum);
    }
    return sum;
  }

  /// The stored output to the bit, for activations that round once.
  double exact_output(std::int64_t b, std::int64_t c, std::int64_t t) const {
    return problem_.x.type == data_type::float64 ? exactly_activated(exact_sum<double>(b, c, t), c)
                                                 : exactly_activated(exact_sum<float>(b, c, t), c);
  }

  struct bounded_value {
    long double value;  ///< the output before it is stored
    long double error;  ///< how far a correct implementation may be from it, its rounding to the stored type aside
  };

  bounded_value wide_output(std::int64_t b, std::int64_t c, std::int64_t t) const {
    long double sum = bias(c);
    long double magnitudes = std::fabs(sum);
    for (std::int64_t j = 0; j < problem_.weight.length; ++j) {
      const long double term = static_cast<long double>(tap(c, j)) * history(b, c, source(t, j));
      sum += term;
      magnitudes += std::fabs(term);
    }
    const bool is_double = problem_.x.type == data_type::float64;
    const long double unit = is_double ? 0x1p-53L : 0x1p-24L;
    // One rounding per step, two for an operand that is rounded on load, products of tiny numbers beside that.
    const long double error =
        unit * static_cast<long double>(problem_.weight.length + 4) * magnitudes + (is_double ? 0x1p-1060L : 0x1p-130L);
    switch (problem_.activation) {
      case activation_kind::identity: return {sum, error};
      case activation_kind::gain_by_channel:
        return {sum * (c % 2 == 0 ? even_gain : odd_gain), 1.375L * error + 2 * unit * std::fabs(sum)};
      case activation_kind::silu: break;
    }
    const long double value = sum / (1.0L + std::exp(-sum));
    // silu's slope is at most 1.1; its own error is what activation.hpp states.
    return {value, 1.1L * error + (is_double ? 1e-15L : 2e-6L) * std::fabs(value) + (is_double ? 0.0L : 0x1p-120L)};
  }

  /// What stands in entry `entry` of the final state, unrounded.
  double final_entry(std::int64_t b, std::int64_t c, std::int64_t entry) const {
    const std::int64_t back = problem_.final_state.length - entry;  // 1 for the most recent value
    return history(b, c, problem_.x.length - back);
  }

 private:
  std::int64_t source(std::int64_t t, std::int64_t j) const {
    return t - (problem_.weight.length - 1 - j) * problem_.dilation;
  }
  double tap(std::int64_t c, std::int64_t j) const {
    const std::int64_t row = c / (problem_.x.channels / problem_.weight.channels);
    return weight_[static_cast<std::size_t>(row * problem_.weight.length + j)];
  }
  double bias(std::int64_t c) const { return problem_.bias.given ? bias_[static_cast<std::size_t>(c)] : 0.0; }

  template <class Accumulator>
  double exactly_activated(Accumulator sum, std::int64_t c) const {
    if (problem_.activation == activation_kind::gain_by_channel) {
      return sum * static_cast<Accumulator>(c % 2 == 0 ? even_gain : odd_gain);
    }
    return sum;
  }

  const forward_problem& problem_;
  std::vector<double> x_;
  std::vector<double> weight_;
  std::vector<double> bias_;
  std::vector<double> initial_;
};

}  // namespace causal_conv1d_test
