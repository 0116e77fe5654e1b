// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device/program_end.hpp"

#include <cstdlib>
#include <set>
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

// The first call whose error nobody has looked at: the sentence, and the thread that made it.
struct UncheckedCall {
    std::string sentence;
    const HostThread* thread = nullptr;
};
UncheckedCall& unchecked() {
    static auto& call = *new UncheckedCall;
    return call;
}
bool is_not_ready = false;  // that one, which cudaGetLastError does not know

void tell_unfinished() {
    std::set<std::string> kernels, others;
    for (const Unfinished* work : Unfinished::all())
        if (!work->is_told) (work->is_kernel() ? kernels : others).insert(work->name());
    for (const std::string& name : kernels.empty() ? others : kernels)
        report(name +
               " never ran: the program ended, and nothing had waited for it. Call "
               "cudaDeviceSynchronize() before the end.");
}

void tell(int status, void*) {
    // A program that looks at an error and ends leaves undone what comes behind.
    const bool succeeded = status == 0;
    if (device().broken != cudaSuccess || (!succeeded && device().has_failed)) return;
    if (!unchecked().sentence.empty()) report(unchecked().sentence);
    tell_unfinished();
    if (observer != nullptr) observer->end_work();
    // Where something has been told, missing results follow from that.
    if (reports() == 0)
        for (const std::string& sentence : unread_kernels()) report(sentence);
    if (observer != nullptr) observer->end_program(succeeded);
}

// Before the program's own static objects are made, so after they are destroyed.
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
    // Only a time is missing then: to ask an event or a stream may be for its side effect.
    const bool not_ready = error == cudaErrorNotReady;
    if (error == cudaSuccess || is_broken_ || told_ != reports() || !unchecked().sentence.empty() ||
        (not_ready && std::string_view(function_) != "cudaEventElapsedTime"))
        return;
    is_not_ready = not_ready;
    unchecked() = {std::string(function_) + " at " + file_ + ":" + std::to_string(line_) +
                       " returned " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) +
                       "), and nobody looked. " +
                       (not_ready ? "Remedy: cudaEventSynchronize(the second event) before it: "
                                    "there is no time before the device has come to that event."
                                  : "Compare what each call returns with cudaSuccess."),
                   &host_thread()};
}

void tell_comma(const char* written, const char* remedy, const char* file, int line) {
    report(std::string(written) + " at " + file + ":" + std::to_string(line) +
           " has only the last of these values, as its x: a comma in parentheses drops the others. "
           "Write " +
           remedy + ".");
}

void forget_unchecked() {
    if (!is_not_ready && unchecked().thread == &host_thread()) unchecked() = {};
}

}  // namespace cuda_on_cpu
