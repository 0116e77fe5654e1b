// SPDX-License-Identifier: MIT
#include "device/host_free.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "device/report.hpp"
#include "device/source_line.hpp"

namespace cuda_on_cpu {

std::string wrong_free(const Allocation& a) {
    return "the host frees " + (a.memory == nullptr ? "memory that cudaFree freed" : describe(a)) +
           " with free or delete" + calling_line().text + ". Only " +
           (a.type == cudaMemoryTypeHost ? "cudaFreeHost" : "cudaFree") + " frees it.";
}

void stop_wrong_free(const void* memory) {
    const Allocation a = find_allocation(memory);
    if (a.begin != memory || a.memory == nullptr) return;
    report(wrong_free(a));
    std::abort();
}

}  // namespace cuda_on_cpu

// Weak, because `check` has its own version. The next one is the C library's or a sanitizer's.
extern "C" [[gnu::weak]] void free(void* memory) noexcept {
    static void (*next)(void*) = nullptr;
    static bool is_asked_for = false;
    cuda_on_cpu::before_free(memory);
    if (next == nullptr) {
        if (is_asked_for) return;  // dlsym itself frees a few bytes
        is_asked_for = true;
        next = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "free"));
    }
    next(memory);
}
