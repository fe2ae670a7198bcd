// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "forward_on_host.hpp"
#include "forward_types.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace causal_conv1d_test {

void unit_scheduler::run(std::int64_t n, void (*invoke)(const void*, std::int64_t), const void* context) const {
  switch (order) {
    case unit_order::ascending:
      for (std::int64_t i = 0; i < n; ++i) {
        invoke(context, i);
      }
      return;
    case unit_order::descending:
      for (std::int64_t i = n; i-- > 0;) {
        invoke(context, i);
      }
      return;
    case unit_order::shuffled: {
      std::vector<std::int64_t> units(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < units.size(); ++i) {
        units[i] = static_cast<std::int64_t>(i);
      }
      std::mt19937_64 engine(seed);
      for (std::size_t i = units.size(); i > 1; --i) {
        std::swap(units[i - 1], units[engine() % i]);
      }
      for (const std::int64_t unit : units) {
        invoke(context, unit);
      }
      return;
    }
    case unit_order::threads: {
      static causal_conv1d::host_thread_pool pool(4);
      pool(n, [&](std::int64_t i) { invoke(context, i); });
      return;
    }
  }
}

namespace {

class host_executor_type : public executor {
 public:
  const char* name() const override { return "host"; }
  bool is_host() const override { return true; }
  bool is_usable() const override { return true; }
  memory& operand_memory() override { return host_memory(); }
  void set_unit_order(const unit_scheduler& scheduler) override { scheduler_ = scheduler; }

  causal_conv1d::status forward(const forward_call& call) override {
    return with_input_and_activation(call, [&](auto* input, auto activation) {
      return forward_on_host<std::remove_pointer_t<decltype(input)>, decltype(activation)>(scheduler_, call);
    });
  }

  std::size_t workspace_bytes(const forward_call& call) override {
    return with_input_and_activation(call, [&](auto* input, auto activation) {
      return workspace_on_host<std::remove_pointer_t<decltype(input)>, decltype(activation)>(call);
    });
  }

 private:
  unit_scheduler scheduler_;
};

}  // namespace

executor& host_executor() {
  static host_executor_type the_executor;
  return the_executor;
}

}  // namespace causal_conv1d_test
