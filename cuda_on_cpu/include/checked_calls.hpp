// SPDX-License-Identifier: MIT
// For `check`: what the program does by these functions, it does by accesses/. It comes before
// every declaration of the C library.
#pragma once

#if defined(CUDA_ON_CPU_CHECKED) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wbuiltin-declaration-mismatch"  // of fwrite, whose FILE is not known yet
extern "C" {
void* memcpy(void*, const void*, unsigned long) noexcept __asm__("cuda_on_cpu_memcpy");
void* memmove(void*, const void*, unsigned long) noexcept __asm__("cuda_on_cpu_memmove");
void* memset(void*, int, unsigned long) noexcept __asm__("cuda_on_cpu_memset");
unsigned long fwrite(const void*, unsigned long, unsigned long,
                     struct _IO_FILE*) __asm__("cuda_on_cpu_fwrite");
}
#pragma GCC diagnostic pop
#define __builtin_memcpy memcpy  // std::copy of the C++ library calls these
#define __builtin_memmove memmove
#define __builtin_memset memset
#endif
