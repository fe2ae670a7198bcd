// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "host_backend.hpp"
#include "stream.hpp"

#include <fstream>

namespace realtime_audio {
namespace {

std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (line.rfind("model name", 0) == 0) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown processor";
}

}  // namespace

executor_report run_on_host(const filter_design& design, const recording& audio) {
  // More threads than this wait for each other in chunks of 10 ms.
  const int most_threads = 8;
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  causal_conv1d::host_thread_pool pool(std::clamp(processors, 1, most_threads));
  std::printf("CPU: %s, %d threads\n", processor_name().c_str(), pool.size());

  std::vector<float> gains;
  executor_report report = run([&](std::int64_t, std::int64_t) { return host_backend(pool); }, design, audio,
                               [&](const tensor_view<const float>& gain) {
                                 for (std::int64_t band = 0; band < gain.channels; ++band) {
                                   gains.push_back(gain.data[band * gain.channel_stride + gain.length - 1]);
                                 }
                               });
  report.gains = gains;
  return report;
}

}  // namespace realtime_audio
