// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include <causal_conv1d/causal_conv1d.cuh>

#include "gpu_backend.cuh"
#include "stream.hpp"

namespace realtime_audio {

bool run_on_gpu(const filter_design& design, const recording& audio, executor_report& report) {
  causal_conv1d::device_facts device;
  if (const causal_conv1d::status found = causal_conv1d::query_device(device); !found) {
    std::printf("GPU: not used (%s)\n", causal_conv1d::message(found).c_str());
    return false;
  }
  cudaDeviceProp properties;
  require(cudaGetDeviceProperties(&properties, device.ordinal));
  std::printf("GPU: %s, %d multiprocessors\n", properties.name, device.multiprocessors);

  report = run([&](std::int64_t ears, std::int64_t longest) { return gpu_backend(device, ears, longest); }, design,
               audio, [](const tensor_view<const float>&) {});
  return true;
}

}  // namespace realtime_audio
