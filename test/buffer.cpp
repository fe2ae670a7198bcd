// SPDX-FileCopyrightText: 2026 The causal_conv1d authors
// SPDX-License-Identifier: BSD-3-Clause

#include "buffer.hpp"

#include <cstdlib>
#include <cstring>

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace causal_conv1d_test {
namespace {

constexpr std::size_t guard_bytes = 512;
constexpr unsigned char guard_byte = 0xa5;
constexpr std::size_t alignment = 256;

class host_memory_type : public memory {
 public:
  void* allocate(std::size_t bytes) override {
    // aligned_alloc wants a multiple of the alignment, which would hide the exact end from AddressSanitizer.
    void* data = nullptr;
    return posix_memalign(&data, alignment, bytes) == 0 ? data : nullptr;
  }
  void release(void* data) override { std::free(data); }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
};

std::size_t page_bytes() {
#if defined(__unix__)
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

}  // namespace

memory& host_memory() {
  static host_memory_type the_memory;
  return the_memory;
}

bool memory_is_watched() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#else
  static const bool watched = [] {
    const char* value = std::getenv("CAUSAL_CONV1D_SANITIZER_RUN");
    return value != nullptr && std::strcmp(value, "1") == 0;
  }();
  return watched;
#endif
}

buffer::buffer(memory& where, std::size_t bytes, std::size_t element_bytes, placement how)
    : where_(where), bytes_(bytes) {
  const std::size_t shift = how == placement::misaligned ? element_bytes : 0;
  if (memory_is_watched()) {
    base_ = static_cast<unsigned char*>(where.allocate(shift + bytes > 0 ? shift + bytes : 1));
    data_ = base_ + shift;
    return;
  }
#if defined(__unix__)
  if (&where == &host_memory() && (how == placement::page_end || how == placement::page_begin)) {
    const std::size_t page = page_bytes();
    const std::size_t inside = (bytes + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    void* const pages = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
      std::abort();
    }
    base_ = static_cast<unsigned char*>(pages);
    if (mprotect(base_, page, PROT_NONE) != 0 || mprotect(base_ + page + inside, page, PROT_NONE) != 0) {
      std::abort();
    }
    data_ = how == placement::page_end ? base_ + page + inside - bytes : base_ + page;
    return;
  }
#endif
  allocated_ = 2 * guard_bytes + shift + bytes;
  base_ = static_cast<unsigned char*>(where.allocate(allocated_));
  data_ = base_ + guard_bytes + shift;
  const std::vector<unsigned char> guards(allocated_, guard_byte);
  where.upload(base_, guards.data(), allocated_);
}

buffer::~buffer() {
#if defined(__unix__)
  if (mapped_ != 0) {
    munmap(base_, mapped_);
    return;
  }
#endif
  where_.release(base_);
}

void buffer::upload(const std::vector<unsigned char>& bytes) {
  if (!bytes.empty()) {
    where_.upload(data_, bytes.data(), bytes.size());
  }
}

std::vector<unsigned char> buffer::download() const {
  std::vector<unsigned char> bytes(bytes_);
  if (bytes_ != 0) {
    where_.download(bytes.data(), data_, bytes_);
  }
  return bytes;
}

bool buffer::guards_are_intact() const {
  if (allocated_ == 0) {
    return true;
  }
  std::vector<unsigned char> all(allocated_);
  where_.download(all.data(), base_, allocated_);
  const std::size_t begin = static_cast<std::size_t>(data_ - base_);
  for (std::size_t i = 0; i < allocated_; ++i) {
    if ((i < begin || i >= begin + bytes_) && all[i] != guard_byte) {
      return false;
    }
  }
  return true;
}

}  // namespace causal_conv1d_test
