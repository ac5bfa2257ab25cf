// SPDX-License-Identifier: Apache-2.0
// Counts every allocation of the process, those of C libraries included: the definitions below
// replace the C library's (operator new calls malloc). Include it in one source file of a test
// executable. Sanitizers bring their own malloc: there is nothing to count then.
#pragma once

#include <atomic>
#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SALTUS_COUNTS_ALLOCATIONS 1

namespace saltus::test {
inline std::atomic<long> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t size);                     // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);  // NOLINT
void* __libc_realloc(void* old, std::size_t size);         // NOLINT

void* malloc(std::size_t size) {
  ++saltus::test::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++saltus::test::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++saltus::test::allocations;
  return __libc_realloc(old, size);
}
}
#endif
