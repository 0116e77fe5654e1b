// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The switch is this page of assembler and not setjmp/longjmp (dies under _FORTIFY_SOURCE; the
// built-in pair is missing from clang on aarch64), swapcontext (a system call each time) or
// Boost.Context (fast, but a dependency for one page): README.md, How it works.
#include "fibre.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "sanitizers.hpp"

#ifdef __SANITIZE_THREAD__
#error "build the emulator itself without -fsanitize=thread (README.md, Sanitizers)"
#endif

namespace cuda_on_cpu {
namespace {

// Pages that nobody touches cost nothing. ASan's red zones make frames larger. A frame may be
// larger than a page, and must not step over the guard.
constexpr std::size_t guard_bytes = 1024 * 1024;
std::size_t usable_stack_bytes() {
    return (has_asan() ? 4 : 1) * (local_memory_bytes() + 64 * 1024);
}

void (*fibre_main)();
Fibre* left;  // the fibre that the last switch left

// The first thing that runs on a stack, and the first after each switch: tell ASan where we are and
// learn the bounds of the stack we came from (the only way to know the CPU thread's own).
void arrive(void* asan_stack) {
    if (has_asan())
        __sanitizer_finish_switch_fiber(asan_stack, &left->stack_bottom, &left->stack_bytes);
}

[[noreturn]] void enter() {
    arrive(nullptr);
    fibre_main();
    __builtin_trap();
}

// Saves what a function must preserve, and where to go on, on this stack; takes the same from the
// other. Registers that only the compiler knows to be in use are in the clobber list, so that it
// saves them itself. noipa: the caller must not conclude which registers survive.
#if defined(__clang__)
#define CUDA_ON_CPU_OPAQUE [[gnu::noinline]]
#else
#define CUDA_ON_CPU_OPAQUE [[gnu::noinline, gnu::noipa]]
#endif

CUDA_ON_CPU_OPAQUE void swap_stacks(void** save, void* next) {
#if defined(__x86_64__)
    asm volatile(
        "leaq -128(%%rsp), %%rsp\n\t"  // keep clear of the red zone
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %1, %%rsp\n\t"
        "popq %%rax\n\t"
        "popq %%rbp\n\t"
        "jmpq *%%rax\n"
        "1:\n\t"
        "leaq 128(%%rsp), %%rsp\n\t"
        : "+D"(save), "+S"(next)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "memory", "cc");
#elif defined(__aarch64__)
    register void** save_in asm("x0") = save;
    register void* next_in asm("x1") = next;
    asm volatile(
        "stp x29, x30, [sp, #-32]!\n\t"
        "adr x9, 1f\n\t"
        "str x9, [sp, #16]\n\t"
        "mov x9, sp\n\t"
        "str x9, [%0]\n\t"
        "mov sp, %1\n\t"
        "ldr x9, [sp, #16]\n\t"
        "ldp x29, x30, [sp], #32\n\t"
        "ret x9\n"  // ret, not br: no landing pad is needed
        "1:\n\t"
        : "+r"(save_in), "+r"(next_in)
        :
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
          "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30",
          "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "memory", "cc");
#else
#error "CUDA on the CPU runs on x86-64 and aarch64"
#endif
}

}  // namespace

std::size_t local_memory_bytes() { return 512 * 1024; }

bool is_stack_guard(const Fibre& fibre, const void* address) {
    const auto* const bottom = static_cast<const char*>(fibre.stack_bottom);
    return address >= bottom - guard_bytes && address < bottom;
}

void restart_fibre(Fibre& fibre, void (*main)()) {
    fibre_main = main;
    unpoison(fibre.stack_bottom, fibre.stack_bytes);
    auto** stack = reinterpret_cast<void**>(fibre.top);
    auto* entry = reinterpret_cast<void*>(&enter);
#if defined(__x86_64__)
    *--stack = nullptr;  // enter's return address: the end for debuggers, and its alignment
    *--stack = nullptr;  // rbp
    *--stack = entry;
#else
    *--stack = nullptr;
    *--stack = entry;
    *--stack = nullptr;  // x30
    *--stack = nullptr;  // x29
#endif
    fibre.stack_pointer = stack;
    fibre.asan_stack = nullptr;
}

Fibre* create_fibre(void (*main)()) {
    static unsigned created = 0;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = usable_stack_bytes();
    void* memory = mmap(nullptr, guard_bytes + usable, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* bottom = static_cast<char*>(memory) + guard_bytes;
    if (mprotect(bottom, usable, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    auto* fibre = new Fibre;
    fibre->stack_bottom = bottom;
    fibre->stack_bytes = usable;
    VALGRIND_STACK_REGISTER(bottom, bottom + usable);
    // Tops at the same place of a page would all want the same few cache sets.
    fibre->top = bottom + usable - created++ * 320 % page / 16 * 16;
    restart_fibre(*fibre, main);
    return fibre;
}

void switch_fibre(Fibre& from, Fibre& to) {
    left = &from;
    if (has_asan())
        __sanitizer_start_switch_fiber(&from.asan_stack, to.stack_bottom, to.stack_bytes);
    swap_stacks(&from.stack_pointer, to.stack_pointer);
    arrive(from.asan_stack);
}

}  // namespace cuda_on_cpu
