// SPDX-License-Identifier: MIT
// The switch is written in assembler. setjmp/longjmp dies under _FORTIFY_SOURCE, and clang on
// aarch64 lacks the built-in pair. swapcontext makes a system call each time. Boost.Context is
// fast, but a dependency for one page of code (how_it_works.md).
#include "device/threads/fibre.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "device/base/asan.hpp"
#include "device/base/within.hpp"

namespace cuda_on_cpu {
namespace {

// Untouched pages cost nothing. ASan's red zones enlarge the frames. A frame may be larger than a
// page, so the guard must be too large to step over.
constexpr std::size_t guard_bytes = 1024 * 1024;
std::size_t usable_stack_bytes() {
    return (has_asan() ? 4 : 1) * (local_memory_bytes() + 64 * 1024);
}

void (*fibre_main)();
Fibre* left;  // the fibre that the last switch left

// Runs first on a new stack and after each switch. It tells ASan which stack runs now, and learns
// the bounds of the previous stack. For the CPU thread's own stack that is the only way to learn
// them.
void arrive(void* asan_stack) {
    if (has_asan())
        __sanitizer_finish_switch_fiber(asan_stack, &left->stack_bottom, &left->stack_bytes);
}

[[noreturn]] void enter() {
    arrive(nullptr);
    fibre_main();
    __builtin_trap();
}

}  // namespace

std::size_t local_memory_bytes() { return 512 * 1024; }

bool is_stack_guard(const Fibre& fibre, const void* address) {
    return within(address, static_cast<const char*>(fibre.stack_bottom) - guard_bytes, guard_bytes);
}

void* start_again(Fibre& fibre, void (*main)()) {
    fibre_main = main;
    constexpr std::size_t frames_of_main = 4096;
    unpoison(fibre.top - frames_of_main, frames_of_main);
    fibre.asan_stack = nullptr;
    fibre.ends = false;
    auto** stack = reinterpret_cast<void**>(fibre.top);
    *--stack = nullptr;  // enter's return address: stops debuggers, and aligns the stack
    *--stack = reinterpret_cast<void*>(&enter);
    return stack;
}

Fibre* create_fibre() {
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
    // If all stacks began at the same place of a page, they would compete for the same few cache
    // sets.
    fibre->top = bottom + usable - created++ * 320 % page / 16 * 16;
    return fibre;
}

void announce_switch_to_asan(Fibre& from, const Fibre& to) {
    left = &from;
    __sanitizer_start_switch_fiber(from.ends ? nullptr : &from.asan_stack, to.stack_bottom,
                                   to.stack_bytes);
}
void announce_arrival_to_asan(const Fibre& here) { arrive(here.asan_stack); }

}  // namespace cuda_on_cpu

// Saves the registers that a function must preserve, and the address at which to continue, on the
// running stack. Then it continues at the address that the other stack holds.
#if defined(__x86_64__)
asm(R"(
    .text
    .p2align 5
    .globl cuda_on_cpu_switch_stacks
    .type cuda_on_cpu_switch_stacks, @function
cuda_on_cpu_switch_stacks:
    endbr64
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    lea 1f(%rip), %rax
    push %rax
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %rax
    jmp *%rax
1:  endbr64
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size cuda_on_cpu_switch_stacks, . - cuda_on_cpu_switch_stacks
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .p2align 5
    .globl cuda_on_cpu_switch_stacks
    .type cuda_on_cpu_switch_stacks, %function
cuda_on_cpu_switch_stacks:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    adr x9, 1f
    str x9, [sp, #-16]!
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldr x9, [sp], #16
    ret x9  // br would need a landing pad
1:  ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    ret
    .size cuda_on_cpu_switch_stacks, . - cuda_on_cpu_switch_stacks
)");
#else
#error "CUDA on the CPU runs on x86-64 and aarch64"
#endif
