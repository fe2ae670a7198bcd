// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// What the checks say of memory, against every byte of small views: overlap, repetition, views that are one memory.

#include "random.hpp"

#include <causal_conv1d/causal_conv1d.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace causal_conv1d_test {
namespace {

namespace detail = causal_conv1d::detail;
using causal_conv1d::argument;
using causal_conv1d::data_type;
using causal_conv1d::rule;
using detail::tensor;

std::set<std::uintptr_t> bytes_of(const tensor& view, bool& repeats) {
  std::set<std::uintptr_t> bytes;
  const std::int64_t size = causal_conv1d::size_in_bytes(view.type);
  for (std::int64_t b = 0; b < view.batch; ++b) {
    for (std::int64_t c = 0; c < view.channels; ++c) {
      for (std::int64_t t = 0; t < view.length; ++t) {
        const std::int64_t element = b * view.batch_stride + c * view.channel_stride + t * view.time_stride;
        for (std::int64_t byte = 0; byte < size; ++byte) {
          const auto address =
              reinterpret_cast<std::uintptr_t>(view.data) + static_cast<std::uintptr_t>(element * size + byte);
          repeats = !bytes.insert(address).second || repeats;
        }
      }
    }
  }
  return bytes;
}

bool intersect(const std::set<std::uintptr_t>& a, const std::set<std::uintptr_t>& b) {
  for (const std::uintptr_t address : a) {
    if (b.count(address) != 0) {
      return true;
    }
  }
  return false;
}

class views : public ::testing::Test {
 protected:
  std::int64_t draw(std::int64_t first, std::int64_t last) { return random_.integer(first, last); }

  tensor draw_view() {
    const data_type types[] = {data_type::float32, data_type::float16, data_type::float64};
    tensor view;
    view.data = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(100000 + draw(-80, 80)));
    view.type = types[draw(0, 2)];
    view.batch = draw(0, 3);
    view.channels = draw(1, 4);
    view.length = draw(1, 4);
    view.batch_stride = draw(-14, 14);
    view.channel_stride = draw(-9, 9);
    view.time_stride = draw(-6, 6);
    return view;
  }

  random_source random_{301};
};

TEST_F(views, repetition_is_exact) {
  int repeated = 0;
  for (int i = 0; i < 20000; ++i) {
    const tensor view = draw_view();
    bool repeats = false;
    bytes_of(view, repeats);
    repeated += repeats ? 1 : 0;
    ASSERT_EQ(detail::repeats_elements(view), repeats)
        << view.batch << " " << view.channels << " " << view.length << " strides " << view.batch_stride << " "
        << view.channel_stride << " " << view.time_stride;
  }
  EXPECT_GT(repeated, 1000);
}

TEST_F(views, overlap_is_exact_with_a_view_without_holes_and_between_slices) {
  std::map<bool, int> found;
  for (int i = 0; i < 40000; ++i) {
    tensor a = draw_view();
    tensor b = draw_view();
    const bool slices = draw(0, 1) == 0;
    if (slices) {
      const void* const data = b.data;
      b = a;
      b.data = data;
    } else {
      a.batch_stride = a.channels * a.length;
      a.channel_stride = a.length;
      a.time_stride = 1;
    }
    bool ignored = false;
    const bool expected = intersect(bytes_of(a, ignored), bytes_of(b, ignored));
    ++found[expected];
    ASSERT_EQ(detail::certainly_overlap(a, b), expected) << (slices ? "slices" : "dense and any");
    ASSERT_EQ(detail::certainly_overlap(b, a), expected);
  }
  EXPECT_GT(found[true], 1000);
  EXPECT_GT(found[false], 1000);
}

TEST_F(views, overlap_is_never_claimed_where_there_is_none) {
  for (int i = 0; i < 40000; ++i) {
    const tensor a = draw_view();
    const tensor b = draw_view();
    bool ignored = false;
    if (detail::certainly_overlap(a, b)) {
      ASSERT_TRUE(intersect(bytes_of(a, ignored), bytes_of(b, ignored)));
    }
  }
}

/// x (1, 3, 40), width 4, out apart.
class memory_of_calls : public ::testing::Test {
 protected:
  memory_of_calls() {
    args_.x = causal_conv1d::channel_first(static_cast<const float*>(x_.data()), 1, 3, 40);
    args_.out = causal_conv1d::channel_first(out_.data(), 1, 3, 40);
    args_.weight = {weight_.data(), 3, 4};
  }

  rule broken() { return causal_conv1d::forward(causal_conv1d::host_execution{}, args_).rule; }

  std::vector<float> x_ = std::vector<float>(4096, 1.0f);
  std::vector<float> out_ = std::vector<float>(4096, 7.0f);
  std::vector<float> weight_ = std::vector<float>(12, 1.0f);
  causal_conv1d::forward_args<float> args_;
};

TEST_F(memory_of_calls, dense_out_between_the_rows_of_a_padded_x) {
  args_.x = {x_.data(), 1, 16, 64, 16 * 72, 72, 1};
  args_.out = causal_conv1d::channel_first(x_.data() + 3 * 72, 1, 16, 64);
  args_.weight = {weight_.data(), 1, 4};
  EXPECT_EQ(broken(), rule::no_overlap);
}

TEST_F(memory_of_calls, out_with_three_axes_that_meet) {
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(x_.data()), 2, 2, 2);
  args_.out = {out_.data(), 2, 2, 2, 1, 2, 3};
  args_.weight = {weight_.data(), 2, 4};
  EXPECT_EQ(broken(), rule::no_repeated_output);
}

TEST_F(memory_of_calls, weight_in_the_workspace) {
  alignas(256) static float workspace[65536];
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(out_.data()), 1, 1, 4096);
  args_.out = causal_conv1d::channel_first(out_.data(), 1, 1, 4096);
  args_.final_state = causal_conv1d::channel_first(x_.data(), 1, 1, 3);
  args_.weight = {workspace, 1, 4};
  args_.workspace = workspace;
  args_.workspace_size = sizeof workspace;
  EXPECT_EQ(broken(), rule::no_overlap);
}

TEST_F(memory_of_calls, a_refused_width_leaves_the_workspace_alone) {
  alignas(256) static unsigned char workspace[65536];
  for (unsigned char& byte : workspace) {
    byte = 0x5a;
  }
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(out_.data()), 1, 1, 4096);
  args_.out = causal_conv1d::channel_first(out_.data(), 1, 1, 4096);
  args_.final_state = causal_conv1d::channel_first(x_.data(), 1, 1, 4);
  args_.weight = {weight_.data(), 1, 5};
  args_.workspace = workspace;
  args_.workspace_size = sizeof workspace;
  const causal_conv1d::status answer =
      causal_conv1d::forward<causal_conv1d::only_width<4>>(causal_conv1d::host_execution{}, args_);
  EXPECT_EQ(answer.rule, rule::width_in_policy);
  for (const unsigned char byte : workspace) {
    ASSERT_EQ(byte, 0x5a);
  }
}

TEST_F(memory_of_calls, one_token_in_place_by_two_names_of_one_layout) {
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(out_.data()), 3, 8, 1);
  args_.out = causal_conv1d::channel_last(out_.data(), 3, 8, 1);
  args_.weight = {weight_.data(), 1, 4};
  EXPECT_EQ(broken(), rule::none);
}

TEST_F(memory_of_calls, one_state_by_two_names_of_one_layout) {
  args_.weight = {weight_.data(), 3, 2};
  args_.initial_state = causal_conv1d::channel_first(x_.data() + 1000, 1, 3, 1);
  args_.final_state = causal_conv1d::channel_last(x_.data() + 1000, 4, 3, 1);
  EXPECT_EQ(broken(), rule::none);
}

TEST_F(memory_of_calls, strides_of_an_empty_x_do_not_matter) {
  args_.x = {nullptr, 0, 1000, 5, INT64_MAX, INT64_MIN, 1};
  args_.out = {nullptr, 0, 1000, 5, INT64_MAX, INT64_MIN, 1};
  args_.weight = {weight_.data(), 1, 4};
  EXPECT_EQ(broken(), rule::none);
}

TEST_F(memory_of_calls, extents_whose_product_overflows) {
  const std::int64_t extent = std::int64_t{1} << 40;
  args_.x = causal_conv1d::channel_first(static_cast<const float*>(x_.data()), 1, extent, extent);
  args_.out = causal_conv1d::channel_first(out_.data(), 1, extent, extent);
  args_.weight = {weight_.data(), 1, 4};
  EXPECT_EQ(broken(), rule::fits_address_space);
}

TEST_F(memory_of_calls, biases_of_ends_count_as_given) {
  args_.final_end_bias = 3;
  EXPECT_EQ(broken(), rule::not_supported_yet);
  args_.final_end_bias = 0;
  args_.initial_end_bias = -1;
  EXPECT_EQ(broken(), rule::not_supported_yet);
}

/// An activation that looks its channel up.
struct gain_table {
  const float* gains;
  std::int64_t channels;
  bool* outside;
  float operator()(float value, std::int64_t channel) const {
    if (channel < 0 || channel >= channels) {
      *outside = true;
      return 0;
    }
    return value * gains[channel];
  }
};

TEST(activation_by_channel, sees_channels_that_exist) {
  for (const std::int64_t channels : {1, 15, 17, 33, 257}) {
    for (const int width : {2, 4, 9}) {
      for (const std::int64_t dilation : {1, 2}) {
        for (const bool last : {false, true}) {
          const std::int64_t length = 37;
          const std::vector<float> x(static_cast<std::size_t>(channels * length), 1.0f);
          std::vector<float> out(x.size());
          const std::vector<float> gains(static_cast<std::size_t>(channels), 2.0f);
          const std::vector<float> weight(static_cast<std::size_t>(width), 0.5f);
          bool outside = false;
          causal_conv1d::forward_args<float, float, gain_table> args;
          args.x = last ? causal_conv1d::channel_last(x.data(), 1, channels, length)
                        : causal_conv1d::channel_first(x.data(), 1, channels, length);
          args.out = last ? causal_conv1d::channel_last(out.data(), 1, channels, length)
                          : causal_conv1d::channel_first(out.data(), 1, channels, length);
          args.weight = {weight.data(), 1, width};
          args.dilation = dilation;
          args.activation = {gains.data(), channels, &outside};
          ASSERT_TRUE(causal_conv1d::forward(causal_conv1d::host_execution{}, args));
          EXPECT_FALSE(outside) << channels << " channels, width " << width << ", dilation " << dilation;
        }
      }
    }
  }
}

}  // namespace
}  // namespace causal_conv1d_test
