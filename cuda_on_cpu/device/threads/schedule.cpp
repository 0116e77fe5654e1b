// SPDX-License-Identifier: MIT
// The two most frequent waits, __syncthreads and the warp functions, in assembler of about forty
// instructions. This short way only notes which thread waits and continues with the next one. Other
// cases (no thread is ready, the last one arrives, ASan or an observer watches) go to Block
// with unchanged arguments. Processors other than x86-64 always take that longer way.
#include <cstddef>

#include "device/base/within.hpp"
#include "device/threads/block.hpp"

namespace cuda_on_cpu {

Schedule* schedule = nullptr;
volatile std::sig_atomic_t is_kernel_at_work = 0;
volatile std::sig_atomic_t uninterrupted = 0;

extern "C" {
[[gnu::visibility("hidden")]] void cuda_on_cpu_wait_at_barrier(const char* file, int line) {
    running_block().barrier(false, "__syncthreads", file, line);
}
[[gnu::visibility("hidden")]] WarpValues cuda_on_cpu_wait_for_warp(WarpFunction function,
                                                                   const char* name, unsigned mask,
                                                                   std::uint64_t value,
                                                                   const char* file, int line) {
    return running_block().exchange(function, name, mask, value, file, line);
}
}

#if defined(__x86_64__)

// The assembler relies on these offsets.
static_assert(offsetof(Thread, stack_pointer) == 0 && offsetof(Thread, index) == 8 &&
              offsetof(Thread, state) == 20 && offsetof(Thread, what) == 24 &&
              offsetof(Thread, file) == 32 && offsetof(Thread, line) == 40 &&
              offsetof(Thread, mask) == 44 && offsetof(Thread, present) == 48 &&
              offsetof(Thread, lane) == 52 && offsetof(Thread, warp) == 56 &&
              offsetof(Thread, received) == 64 && offsetof(Thread, function) == 72);
static_assert(offsetof(Schedule, current) == 0 && offsetof(Schedule, first_ready) == 8 &&
              offsetof(Schedule, last_ready) == 12 && offsetof(Schedule, arrived) == 16 &&
              offsetof(Schedule, line) == 20 && offsetof(Schedule, file) == 24 &&
              offsetof(Schedule, ready) == 32 && largest_block == 1024);
static_assert(offsetof(Warp, mask) == 0 && offsetof(Warp, function) == 4 &&
              offsetof(Warp, missing) == 8 && offsetof(Warp, waiting) == 12 &&
              offsetof(Warp, value) == 24);
static_assert(offsetof(ExchangedValues, value) == 0 && offsetof(ExchangedValues, holders) == 256);
static_assert(int(Thread::State::at_barrier) == 2 && int(Thread::State::at_warp) == 5 &&
              sizeof(WarpFunction) == 4 && sizeof(is_kernel_at_work) == 4);

asm(R"(
    .text
    .p2align 5
    .globl cuda_on_cpu_syncthreads, cuda_on_cpu_exchange
    .type cuda_on_cpu_syncthreads, @function
    .type cuda_on_cpu_exchange, @function

# rax: schedule, r10: the thread, r11: the next one, whose stack has on top where it continues.
    .macro GO_ON_WITH_NEXT where
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    lea \where(%rip), %rcx
    push %rcx
    mov %rsp, (%r10)
    mov 8(%rax), %ecx
    lea 1(%rcx), %r11d
    mov %r11d, 8(%rax)
    and $1023, %ecx
    mov 32(%rax, %rcx, 8), %r11
    mov %r11, (%rax)
    mov (%r11), %rsp
    mov 8(%r11), %rcx
    mov 16(%r11), %edx
    mov %rcx, threadIdx(%rip)
    mov %edx, threadIdx+8(%rip)
    pop %rcx
    jmp *%rcx
    .endm
    .macro TAKE_REGISTERS
    endbr64
    movl $1, cuda_on_cpu_is_kernel_at_work(%rip)
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    .endm

cuda_on_cpu_syncthreads:  # rdi: file, esi: line
    endbr64
    mov cuda_on_cpu_schedule(%rip), %rax
    cmp %esi, 20(%rax)
    jne cuda_on_cpu_wait_at_barrier
    cmp %rdi, 24(%rax)
    jne cuda_on_cpu_wait_at_barrier
    mov 8(%rax), %ecx
    cmp %ecx, 12(%rax)
    je cuda_on_cpu_wait_at_barrier
    mov (%rax), %r10
    incl 16(%rax)
    movb $2, 20(%r10)
    GO_ON_WITH_NEXT 1f
1:  TAKE_REGISTERS
    pop %rcx
    jmp *%rcx  # a ret would be predicted for the thread that came here last
    .size cuda_on_cpu_syncthreads, . - cuda_on_cpu_syncthreads

cuda_on_cpu_exchange:  # edi: function, rsi: name, edx: mask, rcx: value, r8: file, r9d: line
    endbr64
    push %rcx
    mov cuda_on_cpu_schedule(%rip), %rax
    mov 8(%rax), %r10d
    cmp %r10d, 12(%rax)
    je 3f
    mov (%rax), %r10
    mov 56(%r10), %r11
    cmp %edx, (%r11)
    jne 3f
    cmp %edi, 4(%r11)
    jne 3f
    mov 52(%r10), %ecx
    bt %ecx, 8(%r11)
    jnc 3f
    mov 8(%r11), %edi
    btr %ecx, %edi
    test %edi, %edi
    je 4f
    mov %edi, 8(%r11)
    mov 12(%r11), %edi
    bts %ecx, %edi
    mov %edi, 12(%r11)
    pop 24(%r11, %rcx, 8)
    mov 4(%r11), %edi
    mov %edi, 72(%r10)
    mov %edx, 44(%r10)
    mov 64(%r10), %rdx
    test %rdx, %rdx
    je 2f
    mov 256(%rdx), %edi
    btr %ecx, %edi
    mov %edi, 256(%rdx)
    movq $0, 64(%r10)
2:  movb $5, 20(%r10)
    mov %rsi, 24(%r10)
    mov %r8, 32(%r10)
    mov %r9d, 40(%r10)
    GO_ON_WITH_NEXT 1f
1:  TAKE_REGISTERS
    mov cuda_on_cpu_schedule(%rip), %rax
    mov (%rax), %rcx
    mov 64(%rcx), %rax
    mov 48(%rcx), %rdx
    pop %rcx
    jmp *%rcx
4:  mov 4(%r11), %edi
3:  pop %rcx
    jmp cuda_on_cpu_wait_for_warp
    .size cuda_on_cpu_exchange, . - cuda_on_cpu_exchange
    .globl cuda_on_cpu_end_of_waits
cuda_on_cpu_end_of_waits:
)");
extern "C" const char cuda_on_cpu_end_of_waits[];

bool is_in_wait(const void* code) {
    const auto* const begin = reinterpret_cast<const char*>(&cuda_on_cpu_syncthreads);
    return within(code, begin, static_cast<std::size_t>(cuda_on_cpu_end_of_waits - begin));
}

#else

extern "C" void cuda_on_cpu_syncthreads(const char* file, int line) {
    cuda_on_cpu_wait_at_barrier(file, line);
}
extern "C" WarpValues cuda_on_cpu_exchange(WarpFunction function, const char* name, unsigned mask,
                                           std::uint64_t value, const char* file, int line) {
    return cuda_on_cpu_wait_for_warp(function, name, mask, value, file, line);
}
bool is_in_wait(const void*) { return false; }

#endif

}  // namespace cuda_on_cpu
