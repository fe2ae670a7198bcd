// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The executor under test as a value: the same test bodies run on the CPU and on a GPU. Element types and activation
/// are values here; the library's templates are instantiated in files of their own.
#pragma once

#include "buffer.hpp"
#include "reference.hpp"

#include <causal_conv1d/causal_conv1d.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define CAUSAL_CONV1D_TEST_HOST_DEVICE __host__ __device__
#else
#define CAUSAL_CONV1D_TEST_HOST_DEVICE
#endif

namespace causal_conv1d_test {

/// A user's activation: has a parameter, takes the channel, and rounds once.
struct gain_by_channel {
  double even = even_gain;
  double odd = odd_gain;

  template <class T>
  CAUSAL_CONV1D_TEST_HOST_DEVICE T operator()(T value, std::int64_t channel) const {
    return value * static_cast<T>(channel % 2 == 0 ? even : odd);
  }
};

/// A tensor view whose element type is a value.
struct erased_view {
  void* data = nullptr;
  data_type type = data_type::float32;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t length = 0;
  std::int64_t batch_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t time_stride = 0;
};

/// forward_args whose element types are values.
struct forward_call {
  erased_view x;
  causal_conv1d::weight_view weight;
  causal_conv1d::bias_view bias;
  erased_view out;
  activation_kind activation = activation_kind::identity;
  std::int64_t dilation = 1;
  causal_conv1d::const_state_view initial_state;
  causal_conv1d::state_view final_state;
  void* workspace = nullptr;
  std::size_t workspace_size = 0;
};

template <class T>
causal_conv1d::tensor_view<T> typed(const erased_view& view) {
  return {static_cast<T*>(view.data), view.batch,          view.channels,   view.length,
          view.batch_stride,          view.channel_stride, view.time_stride};
}

template <class Input, class Output, class Activation>
causal_conv1d::forward_args<Input, Output, Activation> typed(const forward_call& call, const Activation& activation) {
  causal_conv1d::forward_args<Input, Output, Activation> args;
  args.x = typed<const Input>(call.x);
  args.weight = call.weight;
  args.bias = call.bias;
  args.out = typed<Output>(call.out);
  args.activation = activation;
  args.dilation = call.dilation;
  args.initial_state = call.initial_state;
  args.final_state = call.final_state;
  args.workspace = call.workspace;
  args.workspace_size = call.workspace_size;
  return args;
}

/// Which (input, output, activation) the tests instantiate: all pairs of types with identity; the other activations
/// with a pair or two per input type.
constexpr bool is_instantiated(data_type input, data_type output, activation_kind activation) {
  return activation == activation_kind::identity || input == output ||
         (activation == activation_kind::silu &&
          (output == data_type::float32 || (input == data_type::float32 && output == data_type::bfloat16)));
}

/// Widths 1 and 4 and the general program: what most combinations are compiled for, so that the tests build in minutes.
struct few_widths : causal_conv1d::any_shape {
  using unrolled_widths = causal_conv1d::width_list<1, 4>;
};

/// The combinations that are compiled for every width: one type for input and output, identity.
constexpr bool has_every_width(data_type input, data_type output, activation_kind activation) {
  return input == output && activation == activation_kind::identity;
}

/// Whether a combination serves a width with a dilation.
constexpr bool serves_width(data_type input, data_type output, activation_kind activation, std::int64_t width,
                            std::int64_t dilation) {
  return has_every_width(input, output, activation) || width == 1 || width == 4 || width > 8 || dilation > 1;
}

template <class Activation>
struct kind_of;
template <>
struct kind_of<causal_conv1d::identity> {
  static constexpr activation_kind value = activation_kind::identity;
};
template <>
struct kind_of<causal_conv1d::silu> {
  static constexpr activation_kind value = activation_kind::silu;
};
template <>
struct kind_of<gain_by_channel> {
  static constexpr activation_kind value = activation_kind::gain_by_channel;
};

template <class Input, class Output, class Activation>
using tested_policy =
    std::conditional_t<has_every_width(causal_conv1d::element<Input>::type, causal_conv1d::element<Output>::type,
                                       kind_of<Activation>::value),
                       causal_conv1d::any_shape, few_widths>;

/// In which order the CPU executor runs its units.
enum class unit_order : int { ascending, descending, shuffled, threads };
constexpr int unit_orders = 4;

inline const char* name_of(unit_order order) {
  constexpr const char* names[] = {"ascending", "descending", "shuffled", "threads"};
  return names[static_cast<int>(order)];
}

/// A user's parallel_for. One type for all orders, so that the library is instantiated once.
struct unit_scheduler {
  unit_order order = unit_order::ascending;
  std::uint64_t seed = 0;

  template <class Function>
  void operator()(std::int64_t n, const Function& function) const {
    run(
        n, [](const void* context, std::int64_t i) { (*static_cast<const Function*>(context))(i); }, &function);
  }

 private:
  void run(std::int64_t n, void (*invoke)(const void*, std::int64_t), const void* context) const;
};

class executor {
 public:
  virtual ~executor() = default;
  virtual const char* name() const = 0;
  virtual bool is_host() const = 0;
  /// Whether forwards can run here and now.
  virtual bool is_usable() const = 0;
  virtual memory& operand_memory() = 0;
  /// Runs a call on operands in this executor's memory and waits for it.
  virtual causal_conv1d::status forward(const forward_call& call) = 0;
  virtual std::size_t workspace_bytes(const forward_call& call) = 0;
  /// The CPU executor's order of units, until the next call of this function; elsewhere without effect.
  virtual void set_unit_order(const unit_scheduler&) {}
};

executor& host_executor();

/// The executor that this program tests; defined by each program.
executor& tested_executor();

}  // namespace causal_conv1d_test
