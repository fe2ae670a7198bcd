// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Operands beyond 2^32 elements, and others too large for the CPU's reference. Filled and checked by kernels of their
/// own, every output to the bit.

#include "forward_on_gpu.hpp"
#include "run_problem.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace causal_conv1d_test {
namespace {

using causal_conv1d::bfloat16;

/// A view of bfloat16 memory in device code.
struct large_view {
  std::uint16_t* data = nullptr;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::int64_t length = 0;
  std::int64_t batch_stride = 0;
  std::int64_t channel_stride = 0;
  std::int64_t time_stride = 0;

  std::int64_t size() const { return batch * channels * length; }
  std::int64_t span() const {
    return (batch - 1) * batch_stride + (channels - 1) * channel_stride + (length - 1) * time_stride + 1;
  }
  __device__ std::int64_t offset(std::int64_t b, std::int64_t c, std::int64_t t) const {
    return b * batch_stride + c * channel_stride + t * time_stride;
  }
};

/// Small integers that bfloat16 holds, from a mix of the coordinates.
__host__ __device__ int pattern(std::int64_t b, std::int64_t c, std::int64_t t) {
  std::uint64_t mixed = static_cast<std::uint64_t>(b) * 0x9e3779b97f4a7c15u ^
                        static_cast<std::uint64_t>(c) * 0xbf58476d1ce4e5b9u ^
                        static_cast<std::uint64_t>(t) * 0x94d049bb133111ebu;
  mixed ^= mixed >> 29;
  return static_cast<int>((mixed * 0xd6e8feb86659fd93u) >> 61) - 4;  // -4 .. 3
}

/// Small integers, halves and quarters are exact in bfloat16, so that its upper half is all there is to store.
__device__ std::uint16_t stored(float value) { return static_cast<std::uint16_t>(__float_as_uint(value) >> 16); }

constexpr float tap_values[4] = {0.5f, -1.0f, 2.0f, 1.0f};

/// The sums are multiples of a half below 32: exact in bfloat16.
__device__ float expected_value(std::int64_t b, std::int64_t c, std::int64_t t) {
  const float taps[4] = {0.5f, -1.0f, 2.0f, 1.0f};
  float sum = 0;
  for (int j = 0; j < 4; ++j) {
    const std::int64_t source = t - 3 + j;
    sum += taps[j] * static_cast<float>(source >= 0 ? pattern(b, c, source) : pattern(b, c, source + 1000));
  }
  return sum;
}

struct coordinates {
  std::int64_t b;
  std::int64_t c;
  std::int64_t t;
};

/// Neighbouring indices are neighbours in memory.
__device__ coordinates at(const large_view& view, std::int64_t index) {
  if (view.channel_stride < view.time_stride) {
    return {index / view.channels / view.length, index % view.channels, index / view.channels % view.length};
  }
  return {index / view.length / view.channels, index / view.length % view.channels, index % view.length};
}

__global__ void fill_kernel(large_view view, std::int64_t size, std::int64_t time_shift) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const coordinates where = at(view, i);
    view.data[view.offset(where.b, where.c, where.t)] =
        stored(static_cast<float>(pattern(where.b, where.c, where.t + time_shift)));
  }
}

__global__ void count_wrong_outputs_kernel(large_view view, std::int64_t size, unsigned long long* wrong) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const coordinates where = at(view, i);
    if (view.data[view.offset(where.b, where.c, where.t)] != stored(expected_value(where.b, where.c, where.t))) {
      atomicAdd(wrong, 1ull);
    }
  }
}

/// Entry e of the final state is token length - 3 + e.
__global__ void count_wrong_entries_kernel(large_view view, std::int64_t size, std::int64_t length,
                                           unsigned long long* wrong) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const coordinates where = at(view, i);
    const float expected = static_cast<float>(pattern(where.b, where.c, length - 3 + where.t));
    if (view.data[view.offset(where.b, where.c, where.t)] != stored(expected)) {
      atomicAdd(wrong, 1ull);
    }
  }
}

class large_problem : public executor_test {
 protected:
  void TearDown() override {
    for (void* data : allocations_) {
      cudaFree(data);
    }
    cudaGetLastError();
  }

  /// Device memory, or null where there is too little of it.
  void* allocate(std::int64_t bytes) {
    std::size_t available = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess || available < static_cast<std::size_t>(bytes)) {
      return nullptr;
    }
    void* data = nullptr;
    if (cudaMalloc(&data, static_cast<std::size_t>(bytes)) != cudaSuccess) {
      return nullptr;
    }
    allocations_.push_back(data);
    return data;
  }

  static erased_view erased(const large_view& view) {
    return {view.data,   data_type::bfloat16, view.batch,          view.channels,
            view.length, view.batch_stride,   view.channel_stride, view.time_stride};
  }

  static causal_conv1d::tensor_view<bfloat16> state_of(const large_view& view) {
    return {reinterpret_cast<bfloat16*>(view.data),
            view.batch,
            view.channels,
            view.length,
            view.batch_stride,
            view.channel_stride,
            view.time_stride};
  }

  /// Runs the forward of x with states that begin where `initial` and `final` say, and checks everything written.
  /// `out` may be x.
  void expect_right(large_view x, large_view out, large_view initial, large_view final_state) {
    const bool in_place = out.data == nullptr && out.batch == 0;
    x.data = static_cast<std::uint16_t*>(allocate(x.span() * 2));
    if (in_place) {
      out = x;
    } else {
      out.data = static_cast<std::uint16_t*>(allocate(out.span() * 2));
    }
    initial.data = static_cast<std::uint16_t*>(allocate(initial.span() * 2));
    final_state.data = static_cast<std::uint16_t*>(allocate(final_state.span() * 2));
    float* const weight = static_cast<float*>(allocate(sizeof tap_values));
    auto* const wrong = static_cast<unsigned long long*>(allocate(sizeof(unsigned long long)));
    if (x.data == nullptr || out.data == nullptr || initial.data == nullptr || final_state.data == nullptr ||
        weight == nullptr || wrong == nullptr) {
      GTEST_SKIP() << "needs more device memory: " << (x.span() + (in_place ? 0 : out.span())) * 2 / (1 << 30)
                   << " GiB";
    }
    ASSERT_EQ(cudaMemcpy(weight, tap_values, sizeof tap_values, cudaMemcpyHostToDevice), cudaSuccess);
    if (!in_place) {
      ASSERT_EQ(cudaMemset(out.data, poison, static_cast<std::size_t>(out.span() * 2)), cudaSuccess);
    }
    ASSERT_EQ(cudaMemset(final_state.data, poison, static_cast<std::size_t>(final_state.span() * 2)), cudaSuccess);
    fill_kernel<<<4096, 256>>>(x, x.size(), 0);
    fill_kernel<<<4096, 256>>>(initial, initial.size(), 1000 - 3);  // token t < 0 is pattern(t + 1000)
    forward_call call;
    call.x = erased(x);
    call.out = erased(out);
    call.weight = causal_conv1d::weight_view(weight, 1, 4);
    call.initial_state = state_of(initial);
    call.final_state = state_of(final_state);
    call.workspace_size = where().workspace_bytes(call);
    if (call.workspace_size != 0) {
      call.workspace = allocate(static_cast<std::int64_t>(call.workspace_size));
      ASSERT_NE(call.workspace, nullptr);
    }
    const causal_conv1d::status answer = where().forward(call);
    ASSERT_TRUE(answer) << causal_conv1d::message(answer).c_str();
    unsigned long long count = 0;
    ASSERT_EQ(cudaMemset(wrong, 0, sizeof *wrong), cudaSuccess);
    count_wrong_outputs_kernel<<<4096, 256>>>(out, out.size(), wrong);
    ASSERT_EQ(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(count, 0u) << "outputs of " << out.size();
    ASSERT_EQ(cudaMemset(wrong, 0, sizeof *wrong), cudaSuccess);
    large_view used = final_state;
    used.batch = x.batch;
    count_wrong_entries_kernel<<<4096, 256>>>(used, used.size(), x.length, wrong);
    ASSERT_EQ(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(count, 0u) << "state entries of " << used.size();
  }

  static large_view channel_first(std::int64_t batch, std::int64_t channels, std::int64_t length) {
    return {nullptr, batch, channels, length, channels * length, length, 1};
  }
  static large_view channel_last(std::int64_t batch, std::int64_t channels, std::int64_t length) {
    return {nullptr, batch, channels, length, channels * length, 1, channels};
  }

 private:
  std::vector<void*> allocations_;
};

TEST_F(large_problem, more_than_2_to_the_32_elements_channel_first) {
  const std::int64_t length = (std::int64_t{1} << 21) + 8;
  expect_right(channel_first(1, 2050, length), channel_first(1, 2050, length), channel_first(1, 2050, 3),
               channel_first(1, 2050, 3));
}

TEST_F(large_problem, more_than_2_to_the_32_elements_channel_last) {
  const std::int64_t length = (std::int64_t{1} << 21) + 8;
  expect_right(channel_last(1, 2050, length), channel_last(1, 2050, length), channel_first(1, 2050, 3),
               channel_last(1, 2050, 3));
}

TEST_F(large_problem, more_than_2_to_the_32_elements_in_place) {
  const std::int64_t length = (std::int64_t{1} << 21) + 8;
  expect_right(channel_last(1, 2050, length), {}, channel_first(1, 2050, 3), channel_first(1, 2050, 3));
}

TEST_F(large_problem, more_than_2_to_the_32_elements_strided) {
  // Odd row pitches: no vectors.
  const std::int64_t length = (std::int64_t{1} << 21) + 7;
  large_view x = channel_first(1, 2050, length);
  expect_right(x, channel_first(1, 2050, length), channel_first(1, 2050, 3), channel_first(1, 2050, 3));
}

TEST_F(large_problem, batch_stride_of_2_to_the_32) {
  large_view x = channel_last(2, 64, 1000);
  x.batch_stride = std::int64_t{1} << 32;
  expect_right(x, channel_last(2, 64, 1000), channel_first(2, 64, 3), channel_first(2, 64, 3));
}

TEST_F(large_problem, row_pitch_times_tokens_beyond_2_to_the_31) {
  large_view x = channel_last(1, 4096, 60000);
  x.time_stride = 36864;
  x.batch_stride = 60000 * x.time_stride;
  expect_right(x, channel_last(1, 4096, 60000), channel_first(1, 4096, 3), channel_first(1, 4096, 3));
}

TEST_F(large_problem, channels_times_a_very_long_row) {
  expect_right(channel_first(1, 1030, 4177992), channel_first(1, 1030, 4177992), channel_first(1, 1030, 3),
               channel_first(1, 1030, 3));
}

TEST_F(large_problem, slots_times_slot_pitch_beyond_2_to_the_31) {
  large_view initial = channel_first(70000, 8, 3);
  initial.batch_stride = 40000;
  large_view final_state = initial;
  expect_right(channel_last(70000, 8, 5), channel_last(70000, 8, 5), initial, final_state);
}

TEST_F(large_problem, nine_million_tokens) {
  expect_right(channel_first(1, 8, 9000000), channel_first(1, 8, 9000000), channel_first(1, 8, 3),
               channel_first(1, 8, 3));
  expect_right(channel_last(1, 8, 9000000), channel_last(1, 8, 9000000), channel_first(1, 8, 3),
               channel_first(1, 8, 3));
}

TEST_F(large_problem, many_channels_and_an_odd_length) {
  expect_right(channel_last(1, 10240, 4099), channel_last(1, 10240, 4099), channel_first(1, 10240, 3),
               channel_first(1, 10240, 3));
  expect_right(channel_first(1, 10240, 4099), channel_first(1, 10240, 4099), channel_first(1, 10240, 3),
               channel_first(1, 10240, 3));
}

TEST_F(large_problem, batches_and_channels_beyond_16_bits) {
  expect_right(channel_first(140000, 8, 5), channel_first(140000, 8, 5), channel_first(140000, 8, 3),
               channel_first(140000, 8, 3));
  expect_right(channel_first(3, 1100000, 9), channel_first(3, 1100000, 9), channel_first(3, 1100000, 3),
               channel_first(3, 1100000, 3));
  expect_right(channel_last(3, 1100000, 9), channel_last(3, 1100000, 9), channel_first(3, 1100000, 3),
               channel_first(3, 1100000, 3));
}

}  // namespace
}  // namespace causal_conv1d_test
