// SPDX-License-Identifier: MIT
#include "device/program_end.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/accesses.hpp"
#include "device/device.hpp"
#include "device/report.hpp"
#include "device/unfinished.hpp"
#include "device/unread.hpp"
#include "overlooked.hpp"

namespace cuda_on_cpu {
namespace {

// The first call whose error the program has not checked: the message, and the thread that called.
struct UncheckedCall {
    std::string sentence;
    const HostThread* thread = nullptr;
};
UncheckedCall& unchecked() {
    static auto& call = *new UncheckedCall;
    return call;
}
bool is_not_ready = false;  // that error is one that cudaGetLastError does not know

void tell_unfinished() {
    std::map<std::string, std::string> kernels, others;
    for (const Unfinished* work : Unfinished::all()) {
        if (work->is_told) return;  // the same wait is missing
        (work->is_kernel() ? kernels : others).emplace(work->name(), work->device_wait());
    }
    for (const auto& [name, wait] : kernels.empty() ? others : kernels)
        report(name + " never ran: the program ended, and nothing had waited for it. Call " + wait +
               " before the end.");
}

void tell(int status, void*) {
    // A program that ends after checking an error leaves later work undone on purpose.
    const bool succeeded = status == 0;
    if (device().broken != cudaSuccess || (!succeeded && device().has_failed)) return;
    if (!unchecked().sentence.empty()) report(unchecked().sentence);
    tell_unfinished();
    if (observer != nullptr) observer->end_work();
    // After a report, missing results are only a consequence of the reported mistake.
    if (reports() == 0)
        for (const std::string& sentence : unread_kernels()) report(sentence);
    if (observer != nullptr) observer->end_program(succeeded);
}

// Registered before the program's own static objects exist, so it runs after they are destroyed.
[[gnu::constructor(101)]] void tell_at_end() { on_exit(tell, nullptr); }

}  // namespace

Unchecked::Unchecked(const char* function, const char* file, int line)
    : function_(function),
      file_(file),
      line_(line),
      is_broken_(device().broken != cudaSuccess),
      told_(reports()) {}

void Unchecked::take(cudaError_t error) const {
    const std::lock_guard lock(device().mutex);
    // A program may query an event or a stream only for its side effect, so "not ready" is a
    // mistake only if a time is missing.
    const bool not_ready = error == cudaErrorNotReady;
    if (error == cudaSuccess || is_broken_ || told_ != reports() || !unchecked().sentence.empty() ||
        (not_ready && std::string_view(function_) != "cudaEventElapsedTime"))
        return;
    is_not_ready = not_ready;
    unchecked() = {std::string(function_) + " at " + file_ + ":" + std::to_string(line_) +
                       " returned " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) +
                       "), and the program did not check it. " +
                       (not_ready ? "Remedy: cudaEventSynchronize(the second event) before it: "
                                    "there is no time before the device has reached that event."
                                  : "Compare what each call returns with cudaSuccess."),
                   &host_thread()};
}

void tell_comma(const char* written, const char* remedy, const char* file, int line) {
    report(std::string(written) + " at " + file + ":" + std::to_string(line) +
           " keeps only the last of these values, as its x: a comma in parentheses drops the "
           "others. Write " +
           remedy + ".");
}

void forget_unchecked() {
    if (!is_not_ready && unchecked().thread == &host_thread()) unchecked() = {};
}

}  // namespace cuda_on_cpu
