// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <benchmark/benchmark.h>
#include <causal_conv1d/version.hpp>

#include <fstream>
#include <string>

namespace bench {

/// The processor's name as the operating system gives it.
inline std::string processor_name() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    if (line.rfind("model name", 0) == 0) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
}

/// Facts that belong to every record; Google Benchmark adds the date. The commit comes from the command line:
/// --benchmark_context=commit=...
inline void add_common_context() {
  benchmark::AddCustomContext("library_version", std::to_string(CAUSAL_CONV1D_VERSION_MAJOR) + "." +
                                                     std::to_string(CAUSAL_CONV1D_VERSION_MINOR) + "." +
                                                     std::to_string(CAUSAL_CONV1D_VERSION_PATCH));
  benchmark::AddCustomContext("processor", processor_name());
#if defined(__VERSION__)
  benchmark::AddCustomContext("compiler", __VERSION__);
#endif
}

}  // namespace bench
