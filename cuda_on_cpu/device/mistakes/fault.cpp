// SPDX-License-Identifier: MIT
#include "device/mistakes/fault.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "device/base/asan.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "device/threads/block.hpp"
#include "device/threads/fibre.hpp"

namespace cuda_on_cpu {
namespace {

constexpr int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction before[NSIG];

// What the handler stores for end_thread(), which writes the message.
struct Fault {
    int signal;
    const void* address;  // nullptr also if the processor gives no address
    bool has_address;
    bool writes;
    const void* code;
} fault;

bool is_write(void* context) {
    [[maybe_unused]] const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return (machine.gregs[REG_ERR] & 2) != 0;
#else
    // Each record has at least 8 bytes: a magic number and the size. This one then contains the
    // syndrome.
    const auto* record = reinterpret_cast<const unsigned char*>(machine.__reserved);
    for (;;) {
        std::uint32_t head[2];
        std::memcpy(head, record, sizeof head);
        if (head[0] == 0 || head[1] == 0) return false;
        if (head[0] == 0x45535201) {  // ESR_MAGIC
            std::uint64_t syndrome = 0;
            std::memcpy(&syndrome, record + 8, sizeof syndrome);
            return (syndrome >> 6 & 1) != 0;
        }
        record += head[1];
    }
#endif
}

Finding what_happened() {
    if (fault.signal == SIGFPE)
        return {Kind::division_by_zero,
                "divides an integer by zero; if the thread is outside the data, a guard such as "
                "if (i < n) must keep it from dividing"};
    if (fault.signal == SIGILL)
        return {Kind::illegal_instruction,
                "executes an illegal instruction, or a trap of the compiler"};
    const std::string verb = fault.writes ? "writes " : "reads ";
    if (!fault.has_address)
        return {Kind::unset_pointer, "uses an invalid pointer, perhaps one that was never set"};
    if (is_stack_guard(running_block().fibre(), fault.address))
        return {Kind::stack_overflow, "overflows its stack of " +
                                          std::to_string(local_memory_bytes() / 1024) +
                                          " KiB for local variables and calls"};
    return verb + describe_address(fault.address);
}

void end_thread() {
    const cudaError_t error = fault.signal == SIGSEGV || fault.signal == SIGBUS
                                  ? cudaErrorIllegalAddress
                                  : cudaErrorLaunchFailure;
    running_block().stop(error, [] { return what_happened() + source_line(fault.code); });
}

// free, which delete also calls, reads the bytes before the memory that it frees.
bool is_in_free(void* context) {
    Dl_info info{};
    return dladdr(place_in_code(context), &info) != 0 && info.dli_sname != nullptr &&
           std::strstr(info.dli_sname, "free") != nullptr;
}

// Nothing is known about the host's own memory. The fault may lie in malloc, which holds its lock
// then, so this function allocates only if it lies in the program.
void report_host_pointer(const void* code) {
    if (!is_in_program(code)) return report_wrong_pointer();
    report(Weight::fatal,
           {Kind::host_pointer,
            "the host's code uses a wrong pointer or index" + source_line(code) +
                ". Compile with -Xcompiler -fsanitize=address to find out where it begins."});
}

// Reports faults in device memory and in copies; passes others on.
void report_host_fault(const siginfo_t& info, void* context) {
    const Allocation a = find_near(info.si_addr);
    const std::string verb = is_write(context) ? "writes " : "reads ";
    const bool is_ours = a.memory != nullptr || was_freed(info.si_addr);
    if (!is_ours && !host_copies()) {
        if (before[info.si_signo].sa_handler == SIG_DFL)
            report_host_pointer(place_in_code(context));
        return;
    }
    if (is_ours && is_in_free(context)) return report(Weight::fatal, wrong_free(a));
    Finding line = source_line(place_in_code(context));
    if (line.empty()) line = calling_line().text;
    const PendingWork* const copy = is_ours ? nullptr : PendingWork::at_work;
    if (copy != nullptr && copy->is_reported) return;  // that its memory is freed
    if (copy != nullptr)
        report(Weight::fatal, {Kind::freed_before_copy, copy->name() + " " + verb +
                                                            "memory of the host that was freed "
                                                            "before the copy has run."});
    else if (is_ours)
        report(
            Weight::fatal,
            "the host " + verb + describe_address(info.si_addr) + line + "." +
                (a.type == cudaMemoryTypeDevice
                     ? " Only kernels, launched with <<< >>>, can use it; copy it with cudaMemcpy."
                     : ""));
    else
        report(Weight::fatal, {Kind::no_host_memory,
                               "a copy " + verb + "host memory that does not exist" + line + "."});
}

void on_fault(int signal, siginfo_t* info, void* context) {
    const bool has_address = info->si_code > 0 && info->si_code != SI_KERNEL;
    const bool by_access = signal == SIGSEGV || signal == SIGBUS;
    if (running_block().is_in_kernel() && info->si_code > 0) {
        if (by_access && has_address &&
            open_on_demand(info->si_addr, !is_in_program(place_in_code(context))))
            return;
        fault = {signal, info->si_addr, has_address, is_write(context), place_in_code(context)};
        continue_in(end_thread, context);
        return;
    }
    if (signal == SIGFPE && info->si_code > 0 && before[signal].sa_handler == SIG_DFL &&
        is_in_program(place_in_code(context)))
        report(Weight::fatal, Finding(Kind::division_by_zero,
                                      "the host's code divides an integer "
                                      "by zero" +
                                          source_line(place_in_code(context)) + "."));
    if (by_access && has_address)
        report_host_fault(*info, context);
    else if (by_access && info->si_code > 0 && before[signal].sa_handler == SIG_DFL)
        report_host_pointer(place_in_code(context));
    sigaction(signal, &before[signal], nullptr);  // the fault recurs, for the previous handler
}

// A kernel's thread whose stack is full cannot run a handler on that stack.
void provide_stack() {
    constexpr std::size_t bytes = 64 * 1024;
    stack_t stack{};
    sigaltstack(nullptr, &stack);
    if ((stack.ss_flags & SS_DISABLE) == 0 && stack.ss_size >= bytes / 4) return;
    stack = {};  // it lives as long as the thread
    stack.ss_sp = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = bytes;
    if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
}

void watch_signals() {
    if (has_asan()) return;
    struct sigaction now {};
    sigaction(SIGSEGV, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault) return;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int signal : watched) {
        struct sigaction old {};
        sigaction(signal, &action, &old);
        if (old.sa_sigaction != on_fault) before[signal] = old;
    }
}

// Watches again each time, because a test framework may replace the handler; it is cheap.
struct FaultWatch final : Observer {
    // The host may fault before there is a kernel.
    void allocated(const Allocation&) override { watch_signals(); }
    // One of the kernels that this CPU thread runs may use up its stack.
    void begin_kernel(const Launch&) override {
        if (!has_asan()) provide_stack();
        watch_signals();
    }
};
[[gnu::constructor(101)]] void begin_fault_watch() { new FaultWatch; }

}  // namespace

void continue_in(void (*function)(), void* context) {
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
    const Fibre& fibre = running_block().fibre();
    unpoison(fibre.stack_bottom, fibre.stack_bytes);  // the function overwrites the frames there
    const auto top = reinterpret_cast<std::uintptr_t>(fibre.top) & ~std::uintptr_t{15};
#if defined(__x86_64__)
    machine.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // as after a call
    machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
#else
    machine.sp = top;
    machine.pc = reinterpret_cast<std::uintptr_t>(function);
#endif
}

const void* place_in_code(void* context) {
    const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#else
    return reinterpret_cast<const void*>(machine.pc);
#endif
}

}  // namespace cuda_on_cpu
