// SPDX-License-Identifier: MIT
// Reports about the threads of a kernel, and those that its own code asks for.
#include <errno.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "device/base/report.hpp"
#include "device/base/undefined.hpp"
#include "device/threads/block.hpp"
#include "keywords.hpp"
#include "overlooked.hpp"
#include "warp.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

Finding waiting_place(const Thread& thread) {
    return thread.what + (" at " + at(thread.file + (":" + std::to_string(thread.line))));
}

Finding describe_threads(const std::vector<Thread>& threads) {
    struct Group {
        Finding doing;
        const Thread* example;
        unsigned count;
    };
    std::vector<Group> groups;
    for (const Thread& thread : threads) {
        Finding doing = "run or are still to run";
        if (thread.state == State::returned) doing = "have returned";
        if (thread.state >= State::at_barrier && thread.state < State::returned)
            doing = "wait in " + waiting_place(thread);
        bool known = false;
        for (Group& group : groups)
            if (group.doing.text == doing.text) {
                ++group.count;
                known = true;
            }
        if (!known) groups.push_back({doing, &thread, 1});
    }
    Finding text;
    for (const Group& group : groups)
        text += (text.empty() ? "" : "; ") + std::to_string(group.count) +
                (group.count == 1 ? " thread, " : " threads, e.g. ") +
                text_of(group.example->index) + ", " + group.doing;
    return text;
}

// The emulator's own work meanwhile does not count as the kernel's.
void report_once(const std::string& place, const Finding& what) {
    is_kernel_at_work = 0;
    static auto& reported = *new std::set<std::string>;
    if (reported.insert(place).second)
        report(what.weight, name_of(*launch_at_work) + ": block " + text_of(blockIdx) +
                                ": thread " + text_of(running_block().current().index) + " " +
                                what);
    is_kernel_at_work = 1;
}

namespace {

void report_shuffle(const ShuffleCall& call, const std::string& what, Kind kind = Kind::none) {
    const Finding place = call.name + (" at " + at(call.file + (":" + std::to_string(call.line))));
    Finding finding(kind, "calls " + place + ": " + what);
    if (kind == Kind::long_shuffle || kind == Kind::undefined_shuffle)
        finding.weight = Weight::note;
    report_once(place.text + what.substr(0, 5), finding);
}

}  // namespace

// A lane outside the mask may be read: only who uses its value makes a mistake.
void report_inactive_lane(const ShuffleCall& call, unsigned lane, void* value, std::size_t bytes) {
    fill_undefined(static_cast<char*>(value), static_cast<char*>(value) + bytes);
    const Thread& thread = running_block().current();
    const unsigned number = thread.number - thread.lane + lane;
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", call.mask);
    const bool is_named = (call.mask >> lane & 1U) != 0;
    std::string why = std::string("is not in the mask ") + mask;
    if (number >= running_block().threads())
        why = "does not exist: the block has " + std::to_string(running_block().threads()) +
              " threads";
    else if (is_named)
        why = std::string("is in the mask ") + mask + ", but has returned";
    report_shuffle(call,
                   "lane " + std::to_string(thread.lane) + " reads lane " + std::to_string(lane) +
                       ", which " + why + "; on a GPU the value is undefined.",
                   is_named ? Kind::absent_lane : Kind::undefined_shuffle);
}

void report_wrong_width(const ShuffleCall& call, unsigned width) {
    report_shuffle(call,
                   "the width is " + std::to_string(static_cast<int>(width)) +
                       ", but must be 1, 2, 4, 8, 16 or 32; on a GPU the value is undefined.");
}

void report_long_distance(const ShuffleCall& call, unsigned distance) {
    report_shuffle(call,
                   "the distance is " + std::to_string(static_cast<int>(distance)) +
                       "; its five lowest bits count, so it is " + std::to_string(distance & 31U) +
                       ".",
                   Kind::long_shuffle);
}

void tell_same_array(const char* first, const char* second, const char* file, int line) {
    const std::string names = std::string(first) + " and " + second,
                      place = std::string(file) + ":" + std::to_string(line);
    Finding finding(
        Kind::same_array,
        "uses " + names + " at " + at(place) +
            ", but both begin at the same address: there is one dynamic shared memory.");
    finding.remedy = std::string("declare one array, and let the second begin behind the first: ") +
                     second + " = " + first + " + the first's count.";
    report_once(place, finding);
}

void stop_kernel(cudaError_t error, const char* what, const char* file, int line,
                 const char* remedy) {
    const struct {
        const char *what, *file, *remedy;
        int line;
    } place{what, file, remedy, line};
    running_block().stop(error, [&place] {
        return place.what + (" at " + at(place.file + (":" + std::to_string(place.line)))) + ": " +
               place.remedy;
    });
}

}  // namespace cuda_on_cpu

// assert() in a kernel prints CUDA's message and causes cudaErrorAssert. C's assert calls this
// function, which the linker finds before the C library's; for the host it does the same.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
    cuda_on_cpu::Block& block = cuda_on_cpu::running_block();
    struct {
        const char *expression, *file;
        unsigned line;
        const char* function;
    } const place{expression, file, line, function};
    if (block.is_in_kernel())
        block.stop(cudaErrorAssert, [&place] {
            return cuda_on_cpu::Finding(
                cuda_on_cpu::Kind::failed_assert,
                "fails assert(" + std::string(place.expression) + ") at " +
                    cuda_on_cpu::at(place.file + (":" + std::to_string(place.line))) + " in " +
                    place.function);
        });
    std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name,
                 file, line, function, expression);
    std::abort();
}
