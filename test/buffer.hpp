// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

/// @file
/// Memory of an executor for one operand, placed so that a touch outside of it is noticed.
#pragma once

#include <cstddef>
#include <vector>

namespace causal_conv1d_test {

/// Where an executor's memory comes from.
class memory {
 public:
  virtual ~memory() = default;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* data) = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
};

memory& host_memory();

enum class placement : int {
  guarded,     ///< between two zones of known bytes, at a multiple of 256 bytes
  misaligned,  ///< the same, at an odd multiple of the element size
  page_end,    ///< host: the last byte is followed by a page that cannot be touched; elsewhere as guarded
  page_begin,  ///< host: the first byte is preceded by such a page; elsewhere as guarded
};
constexpr int placements = 4;

/// True where a tool watches the memory itself (AddressSanitizer, or CAUSAL_CONV1D_SANITIZER_RUN=1): then every
/// allocation has its exact size and what is only written begins uninitialised, so that the tool sees all.
bool memory_is_watched();

class buffer {
 public:
  buffer(memory& where, std::size_t bytes, std::size_t element_bytes, placement how = placement::guarded);
  ~buffer();
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }

  void upload(const std::vector<unsigned char>& bytes);
  std::vector<unsigned char> download() const;

  /// Whether the zones around the operand still hold what was put there.
  bool guards_are_intact() const;

 private:
  memory& where_;
  std::size_t bytes_ = 0;
  std::size_t allocated_ = 0;  ///< of `base_`, guards included; 0 where pages are mapped
  std::size_t mapped_ = 0;
  unsigned char* base_ = nullptr;
  unsigned char* data_ = nullptr;
};

}  // namespace causal_conv1d_test
