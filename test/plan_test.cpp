// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// The forward's plan as a value: sizes that no test machine holds are planned here as arithmetic.

#include <causal_conv1d/causal_conv1d.hpp>

#include "number.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace causal_conv1d_test {
namespace {

namespace detail = causal_conv1d::detail;

/// Addresses that are never followed, far apart.
constexpr std::uintptr_t x_address = std::uintptr_t{1} << 44;
constexpr std::uintptr_t out_address = std::uintptr_t{1} << 45;
constexpr std::uintptr_t initial_address = std::uintptr_t{1} << 46;
constexpr std::uintptr_t final_address = std::uintptr_t{1} << 47;

detail::tensor make_view(std::uintptr_t address, data_type type, std::int64_t batch, std::int64_t channels,
                         std::int64_t length, bool channel_last) {
  return {reinterpret_cast<const void*>(address),
          type,
          batch,
          channels,
          length,
          channels * length,
          channel_last ? 1 : length,
          channel_last ? channels : 1};
}

detail::forward_problem make_planned(data_type type, std::int64_t batch, std::int64_t channels, std::int64_t length,
                                     bool channel_last, std::int64_t width = 4, std::int64_t dilation = 1) {
  static const float weight[1] = {1.0f};
  detail::forward_problem problem;
  problem.x = make_view(x_address, type, batch, channels, length, channel_last);
  problem.out = make_view(out_address, type, batch, channels, length, channel_last);
  problem.weight = causal_conv1d::weight_view(weight, 1, width, 0, 0);
  problem.dilation = dilation;
  return problem;
}

/// The units cover every channel and token once: groups and chunks tile their axes without a rest or an empty one.
void expect_exact_cover(const detail::forward_problem& problem, const detail::forward_plan& plan) {
  const detail::tensor& x = problem.x;
  ASSERT_FALSE(plan.writes_nothing);
  EXPECT_EQ(plan.rows, x.batch);
  ASSERT_GT(plan.group_channels, 0);
  ASSERT_GT(plan.chunk_tokens, 0);
  EXPECT_EQ(plan.groups, (x.channels - 1) / plan.group_channels + 1);
  EXPECT_EQ(plan.chunks, (x.length - 1) / plan.chunk_tokens + 1);
  EXPECT_LE(plan.rows, std::numeric_limits<std::int64_t>::max() / plan.groups / plan.chunks);
  EXPECT_EQ(plan.units(), plan.rows * plan.groups * plan.chunks);
}

using parameters = std::tuple<detail::executor, bool, std::int64_t>;

class plan_of : public ::testing::TestWithParam<parameters> {
 protected:
  detail::executor where() const { return std::get<0>(GetParam()); }
  bool channel_last() const { return std::get<1>(GetParam()); }
  std::int64_t width() const { return std::get<2>(GetParam()); }

  void expect_planned(std::int64_t batch, std::int64_t channels, std::int64_t length) {
    SCOPED_TRACE(std::to_string(batch) + " " + std::to_string(channels) + " " + std::to_string(length));
    for (const data_type type : all_types) {
      const detail::forward_problem problem = make_planned(type, batch, channels, length, channel_last(), width());
      const causal_conv1d::status answer = detail::check(problem);
      ASSERT_TRUE(answer) << causal_conv1d::message(answer).c_str();
      expect_exact_cover(problem, detail::plan_forward(problem, where()));
    }
  }
};

TEST_P(plan_of, small_and_odd_sizes) {
  for (const std::int64_t batch : {1, 3}) {
    for (const std::int64_t channels : {1, 2, 7, 8, 16, 255, 256, 257}) {
      for (const std::int64_t length : {1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097}) {
        expect_planned(batch, channels, length);
      }
    }
  }
}

TEST_P(plan_of, batches_beyond_16_bits) { expect_planned(70000, 8, 5); }

TEST_P(plan_of, batches_beyond_32_bits) { expect_planned(std::int64_t{5} << 32, 2, 3); }

TEST_P(plan_of, channels_beyond_16_bits) {
  expect_planned(1, 65535, 4);
  expect_planned(1, 65536, 4);
  expect_planned(1, 65537, 4);
}

TEST_P(plan_of, channels_beyond_32_bits) { expect_planned(1, (std::int64_t{1} << 33) + 1, 3); }

TEST_P(plan_of, long_rows) {
  expect_planned(1, 8, 9000000);
  expect_planned(1, 4096, 4177992);
  expect_planned(2, 3, (std::int64_t{1} << 34) + 5);
}

TEST_P(plan_of, more_than_2_to_the_32_elements) {
  expect_planned(2, 4096, 1048576 + 1);
  expect_planned(65537, 256, 257);
}

INSTANTIATE_TEST_SUITE_P(forward, plan_of,
                         ::testing::Combine(::testing::Values(detail::executor::host, detail::executor::gpu),
                                            ::testing::Bool(), ::testing::Values<std::int64_t>(4, 70)),
                         [](const ::testing::TestParamInfo<parameters>& parameter) {
                           return std::string(std::get<0>(parameter.param) == detail::executor::host ? "host" : "gpu") +
                                  (std::get<1>(parameter.param) ? "_channel_last" : "_channel_first") + "_width_" +
                                  std::to_string(std::get<2>(parameter.param));
                         });

TEST(plan, counts_every_unit_once) {
  const detail::forward_problem problem = make_planned(data_type::float32, 3, 700, 5000, true);
  const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::host);
  std::vector<int> times(static_cast<std::size_t>(plan.units()), 0);
  for (std::int64_t i = 0; i < plan.units(); ++i) {
    const detail::forward_unit unit = detail::host::unit_at(plan, i);
    ASSERT_TRUE(unit.row >= 0 && unit.row < plan.rows);
    ASSERT_TRUE(unit.group >= 0 && unit.group < plan.groups);
    ASSERT_TRUE(unit.chunk >= 0 && unit.chunk < plan.chunks);
    ++times[static_cast<std::size_t>((unit.row * plan.groups + unit.group) * plan.chunks + unit.chunk)];
  }
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; }));
}

TEST(plan, finds_the_last_unit_of_a_huge_problem) {
  const detail::forward_problem problem =
      make_planned(data_type::bfloat16, 70001, 65537, (std::int64_t{1} << 20) + 3, true);
  const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::host);
  const detail::forward_unit last = detail::host::unit_at(plan, plan.units() - 1);
  EXPECT_EQ(last.row, plan.rows - 1);
  EXPECT_EQ(last.group, plan.groups - 1);
  EXPECT_EQ(last.chunk, plan.chunks - 1);
}

TEST(plan, offsets_are_64_bit) {
  const auto offset = [](std::int64_t row, std::int64_t channel, std::int64_t time, std::int64_t batch_stride,
                         std::int64_t channel_stride, std::int64_t time_stride) {
    detail::tensor view;
    view.batch_stride = batch_stride;
    view.channel_stride = channel_stride;
    view.time_stride = time_stride;
    return detail::offset_of(view, row, channel, time);
  };
  EXPECT_EQ(offset(0, 1028, 4177991, 0, 4177992, 1), std::int64_t{1028} * 4177992 + 4177991);
  EXPECT_EQ(offset(0, 36863, 58001, 0, 1, 36864), std::int64_t{58001} * 36864 + 36863);
  EXPECT_EQ(offset(70000, 3, 2, 65536 * 3, 3, 1), std::int64_t{70000} * 65536 * 3 + 11) << "slots times pitch";
  EXPECT_EQ(offset(1, 0, 0, std::int64_t{1} << 32, 1, 1), std::int64_t{1} << 32);
  EXPECT_EQ(offset(3, 0, 5, -(std::int64_t{1} << 40), 1, -7), -(std::int64_t{3} << 40) - 35);
}

TEST(plan, states_only_for_what_has_no_output) {
  detail::forward_problem problem = make_planned(data_type::float32, 2, 3, 0, false);
  EXPECT_TRUE(detail::plan_forward(problem, detail::executor::gpu).writes_nothing);
  problem.final_state = make_view(final_address, data_type::float32, 2, 3, 5, false);
  for (const detail::executor where : {detail::executor::host, detail::executor::gpu}) {
    const detail::forward_plan plan = detail::plan_forward(problem, where);
    EXPECT_FALSE(plan.writes_nothing);
    EXPECT_EQ(plan.program, detail::forward_program::states);
    EXPECT_EQ(plan.rows, 2);
    EXPECT_GE(plan.groups * plan.group_channels, 3);
    EXPECT_EQ(plan.workspace.bytes, 0u);
  }
  problem.x.batch = 0;
  EXPECT_TRUE(detail::plan_forward(problem, detail::executor::host).writes_nothing);
}

TEST(plan, program_by_width_and_dilation) {
  const auto program = [](std::int64_t width, std::int64_t dilation) {
    return detail::plan_forward(make_planned(data_type::float32, 1, 8, 64, false, width, dilation),
                                detail::executor::host)
        .program;
  };
  for (std::int64_t width = 1; width <= 8; ++width) {
    EXPECT_EQ(program(width, 1), detail::forward_program::window) << width;
  }
  EXPECT_EQ(program(9, 1), detail::forward_program::general);
  EXPECT_EQ(program(1024, 1), detail::forward_program::general);
  EXPECT_EQ(program(2, 2), detail::forward_program::general);
  EXPECT_EQ(program(1, 77), detail::forward_program::window) << "width 1 has no taps to dilate";
}

TEST(plan, blocks_are_within_what_a_gpu_allows) {
  random_source random(110);
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t longest = random.flip() ? 100 : random.flip() ? 70000 : (std::int64_t{1} << 33);
    const detail::forward_problem problem =
        make_planned(all_types[random.integer(0, 3)], random.integer(1, random.flip() ? 4 : 70000),
                     random.integer(1, random.flip() ? 300 : 70000), random.integer(1, longest), random.flip(),
                     random.flip() ? 4 : 20);
    const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::gpu);
    const detail::forward_tile tile = detail::tile_of(detail::executor::gpu, plan.program, plan.order);
    EXPECT_GE(plan.block_fast, 1);
    EXPECT_GE(plan.block_slow, 1);
    EXPECT_LE(plan.block_fast * plan.block_slow, tile.threads);
    EXPECT_LE(tile.threads, 1024);
    EXPECT_EQ(tile.threads % 32, 0);
  }
}

// ---- Which layout: from pointers, strides and extents together
// ---------------------------------------------------------

detail::layout planned_layout(const detail::forward_problem& problem, detail::executor where) {
  return detail::plan_forward(problem, where).order;
}

TEST(plan_layout, contiguous_operands) {
  for (const detail::executor where : {detail::executor::host, detail::executor::gpu}) {
    for (const data_type type : all_types) {
      EXPECT_EQ(planned_layout(make_planned(type, 2, 64, 64, true), where), detail::layout::channel_last);
      EXPECT_EQ(planned_layout(make_planned(type, 2, 64, 64, false), where), detail::layout::channel_first);
    }
  }
}

TEST(plan_layout, layouts_that_differ_are_strided) {
  for (const detail::executor where : {detail::executor::host, detail::executor::gpu}) {
    detail::forward_problem problem = make_planned(data_type::float32, 2, 64, 64, true);
    problem.out = make_view(out_address, data_type::float32, 2, 64, 64, false);
    EXPECT_EQ(planned_layout(problem, where), detail::layout::strided);
    problem.out = problem.x;
    problem.out.channel_stride = -1;
    problem.x.channel_stride = -1;
    EXPECT_EQ(planned_layout(problem, where), detail::layout::strided);
  }
}

/// The vectors of the GPU's programs need every row to begin at a multiple of their size.
bool rows_are_aligned(const detail::tensor& view, detail::layout order, std::int64_t bytes) {
  const std::int64_t element = bytes_of(view.type);
  const std::int64_t pitch = order == detail::layout::channel_last ? view.time_stride : view.channel_stride;
  return reinterpret_cast<std::uintptr_t>(view.data) % static_cast<std::uintptr_t>(bytes) == 0 &&
         pitch * element % bytes == 0 && view.batch_stride * element % bytes == 0;
}

TEST(plan_layout, gpu_vectors_only_where_every_row_is_aligned) {
  random_source random(111);
  for (int i = 0; i < 20000; ++i) {
    const data_type type = all_types[random.integer(0, 3)];
    const bool channel_last = random.flip();
    detail::forward_problem problem =
        make_planned(type, random.integer(1, 3), random.integer(1, 40), random.integer(1, 40), channel_last);
    for (detail::tensor* view : {&problem.x, &problem.out}) {
      view->data = static_cast<const char*>(view->data) + random.integer(0, 3) * random.integer(0, 8) * bytes_of(type);
      std::int64_t& pitch = channel_last ? view->time_stride : view->channel_stride;
      pitch += random.integer(0, 2) * random.integer(0, 8);
      view->batch_stride = pitch * 64 + random.integer(0, 1) * random.integer(0, 8);
    }
    const detail::forward_plan plan = detail::plan_forward(problem, detail::executor::gpu);
    if (plan.order == detail::layout::strided || plan.program == detail::forward_program::general) {
      continue;
    }
    // What one access moves: the tile's lanes along the unit-stride axis, 16 bytes at most.
    const detail::forward_tile tile = detail::tile_of(detail::executor::gpu, plan.program, plan.order);
    const int along = plan.order == detail::layout::channel_last ? tile.channels : tile.tokens;
    const std::int64_t bytes = std::min<std::int64_t>(16, std::int64_t{along} * bytes_of(type));
    EXPECT_TRUE(rows_are_aligned(problem.x, plan.order, bytes));
    EXPECT_TRUE(rows_are_aligned(problem.out, plan.order, bytes));
  }
}

TEST(plan_layout, a_slice_with_an_aligned_length_and_a_misaligned_base) {
  detail::forward_problem problem = make_planned(data_type::bfloat16, 1, 64, 64, false);
  problem.x.channel_stride = 72;
  problem.x.batch_stride = 64 * 72;
  ASSERT_EQ(planned_layout(problem, detail::executor::gpu), detail::layout::channel_first);
  problem.x.data = static_cast<const char*>(problem.x.data) + 2;
  EXPECT_EQ(planned_layout(problem, detail::executor::gpu), detail::layout::strided);
}

TEST(plan_layout, the_longer_axis_where_both_have_unit_stride) {
  detail::forward_problem problem = make_planned(data_type::float32, 4, 1, 4096, true);
  problem.x.channel_stride = problem.out.channel_stride = 1;
  EXPECT_EQ(planned_layout(problem, detail::executor::host), detail::layout::channel_first);
  problem = make_planned(data_type::float32, 4, 4096, 1, true);
  problem.x.time_stride = problem.out.time_stride = 1;
  EXPECT_EQ(planned_layout(problem, detail::executor::host), detail::layout::channel_last);
}

// ---- Workspace
// -----------------------------------------------------------------------------------------------------------

TEST(plan_workspace, parts_do_not_overlap_and_are_aligned) {
  random_source random(112);
  for (int i = 0; i < 4000; ++i) {
    const std::int64_t width = random.integer(1, 64);
    const std::int64_t dilation = random.integer(1, 20);
    const std::int64_t batch = random.integer(1, 5);
    const std::int64_t channels = random.integer(1, 300);
    detail::forward_problem problem =
        make_planned(data_type::bfloat16, batch, channels, random.integer(1, 20000), random.flip(), width, dilation);
    problem.initial_state = make_view(initial_address, data_type::float32, batch, channels,
                                      (width - 1) * dilation + random.integer(0, 3), false);
    problem.final_state = random.flip() ? problem.initial_state
                                        : make_view(final_address, data_type::float32, batch, channels,
                                                    (width - 1) * dilation + random.integer(0, 3), false);
    if (random.flip()) {
      problem.out = problem.x;
    }
    ASSERT_TRUE(detail::check(problem));
    const detail::executor where = random.flip() ? detail::executor::host : detail::executor::gpu;
    const detail::forward_workspace workspace = detail::plan_forward(problem, where).workspace;
    const detail::forward_plan plan = detail::plan_forward(problem, where);
    const std::int64_t halos = workspace.saves_halos ? batch * (plan.chunks - 1) * problem.window() * channels * 2 : 0;
    const std::int64_t tails = workspace.saves_tails ? batch * workspace.tail * channels * 2 : 0;
    const std::int64_t windows = workspace.saves_windows ? batch * problem.window() * channels * 4 : 0;
    struct part {
      std::int64_t begin;
      std::int64_t size;
    };
    const part parts[] = {{workspace.halos, halos}, {workspace.tails, tails}, {workspace.windows, windows}};
    for (const part& a : parts) {
      if (a.size == 0) {
        continue;
      }
      EXPECT_EQ(a.begin % 256, 0);
      EXPECT_LE(a.begin + a.size, static_cast<std::int64_t>(workspace.bytes));
      for (const part& b : parts) {
        if (&a != &b && b.size != 0) {
          EXPECT_TRUE(a.begin + a.size <= b.begin || b.begin + b.size <= a.begin);
        }
      }
    }
    // A chunk in place holds the window before the next one.
    if (workspace.saves_halos) {
      EXPECT_GE(plan.chunk_tokens, problem.window());
    }
  }
}

TEST(plan_workspace, halos_in_place_are_a_small_part_of_x) {
  for (const std::int64_t width : {2, 4, 8, 64, 256}) {
    for (const bool channel_last : {false, true}) {
      detail::forward_problem problem = make_planned(data_type::bfloat16, 2, 256, 100000, channel_last, width);
      problem.out = problem.x;
      const std::size_t bytes = detail::forward_workspace_bytes(problem, detail::executor::gpu);
      EXPECT_LE(bytes, std::size_t{2} * 256 * 100000 * 2 / 16 + 256);
    }
  }
}

TEST(plan_workspace, nothing_out_of_place_with_states_apart) {
  detail::forward_problem problem = make_planned(data_type::float32, 2, 64, 10000, true, 64, 9);
  problem.initial_state = make_view(initial_address, data_type::float32, 2, 64, 567, false);
  problem.final_state = make_view(final_address, data_type::float32, 2, 64, 567, false);
  EXPECT_EQ(detail::forward_workspace_bytes(problem, detail::executor::host), 0u);
  EXPECT_EQ(detail::forward_workspace_bytes(problem, detail::executor::gpu), 0u);
}

TEST(plan_workspace, nothing_for_what_check_refuses) {
  detail::forward_problem problem = make_planned(data_type::float32, 2, 64, 10000, true);
  problem.out = problem.x;
  problem.final_state = make_view(final_address, data_type::float32, 2, 64, 1, false);
  EXPECT_EQ(detail::forward_workspace_bytes(problem, detail::executor::host), 0u);
}

// ---- Memory that overlaps
// ---------------------------------------------------------------------------------------------------

/// Exactly, by listing every element.
bool truly_overlap(const detail::tensor& a, const detail::tensor& b) {
  const auto addresses = [](const detail::tensor& view) {
    std::vector<std::uintptr_t> bytes;
    for (std::int64_t i = 0; i < view.batch; ++i) {
      for (std::int64_t c = 0; c < view.channels; ++c) {
        for (std::int64_t t = 0; t < view.length; ++t) {
          const std::int64_t offset = i * view.batch_stride + c * view.channel_stride + t * view.time_stride;
          for (int byte = 0; byte < bytes_of(view.type); ++byte) {
            bytes.push_back(reinterpret_cast<std::uintptr_t>(view.data) +
                            static_cast<std::uintptr_t>(offset * bytes_of(view.type) + byte));
          }
        }
      }
    }
    std::sort(bytes.begin(), bytes.end());
    return bytes;
  };
  const std::vector<std::uintptr_t> bytes_a = addresses(a);
  const std::vector<std::uintptr_t> bytes_b = addresses(b);
  return std::any_of(bytes_a.begin(), bytes_a.end(), [&](std::uintptr_t address) {
    return std::binary_search(bytes_b.begin(), bytes_b.end(), address);
  });
}

detail::tensor random_view(random_source& random) {
  detail::tensor view;
  view.type = all_types[random.integer(0, 3)];
  view.batch = random.integer(1, 3);
  view.channels = random.integer(1, 4);
  view.length = random.integer(1, 5);
  const std::int64_t pitch = view.length + random.integer(0, 3);
  view.time_stride = random.integer(1, 2) * (random.flip() ? 1 : -1);
  view.channel_stride = pitch * random.integer(1, 2) * 2 * (random.flip() ? 1 : -1);
  view.batch_stride = pitch * view.channels * 4;
  if (random.integer(0, 5) == 0) {
    std::swap(view.time_stride, view.channel_stride);
  }
  view.data = reinterpret_cast<const void*>(x_address +
                                            static_cast<std::uintptr_t>(random.integer(0, 40) * bytes_of(view.type)));
  return view;
}

TEST(overlap, what_is_called_certain_is_true) {
  random_source random(113);
  int certain = 0;
  for (int i = 0; i < 20000; ++i) {
    const detail::tensor a = random_view(random);
    const detail::tensor b = random_view(random);
    if (detail::certainly_overlap(a, b)) {
      ++certain;
      EXPECT_TRUE(truly_overlap(a, b));
    }
  }
  EXPECT_GT(certain, 10);
}

TEST(overlap, of_slices_of_one_tensor_is_exact) {
  random_source random(114);
  int overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    detail::tensor a = random_view(random);
    // Nested axes, as slices of a tensor have.
    a.time_stride = random.integer(1, 3);
    a.channel_stride = a.time_stride * a.length + random.integer(0, 4);
    a.batch_stride = a.channel_stride * a.channels + random.integer(0, 4);
    detail::tensor b = a;
    b.data = static_cast<const char*>(a.data) + random.integer(-60, 60) * bytes_of(a.type);
    const bool found = detail::certainly_overlap(a, b);
    overlapping += found ? 1 : 0;
    EXPECT_EQ(found, truly_overlap(a, b));
  }
  EXPECT_GT(overlapping, 100);
}

TEST(overlap, a_repeated_element_is_found_and_true) {
  random_source random(115);
  int repeated = 0;
  for (int i = 0; i < 20000; ++i) {
    detail::tensor view = random_view(random);
    view.time_stride = random.integer(-3, 3);
    view.channel_stride = random.integer(-7, 7);
    view.batch_stride = random.integer(-40, 40);
    std::vector<std::int64_t> offsets;
    for (std::int64_t b = 0; b < view.batch; ++b) {
      for (std::int64_t c = 0; c < view.channels; ++c) {
        for (std::int64_t t = 0; t < view.length; ++t) {
          offsets.push_back(b * view.batch_stride + c * view.channel_stride + t * view.time_stride);
        }
      }
    }
    std::sort(offsets.begin(), offsets.end());
    const bool truly = std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
    const bool found = detail::repeats_elements(view);
    repeated += found ? 1 : 0;
    EXPECT_TRUE(!found || truly) << "strides " << view.batch_stride << " " << view.channel_stride << " "
                                 << view.time_stride;
  }
  EXPECT_GT(repeated, 100);
}

TEST(overlap, empty_views_touch_nothing) {
  detail::tensor empty = make_view(x_address, data_type::float32, 2, 3, 0, false);
  EXPECT_FALSE(detail::repeats_elements(empty));
  EXPECT_FALSE(detail::certainly_overlap(empty, empty));
}

}  // namespace
}  // namespace causal_conv1d_test
