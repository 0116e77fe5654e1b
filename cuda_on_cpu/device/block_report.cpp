// SPDX-License-Identifier: MIT
// Describes the threads of a block that cannot continue.
#include <cstdio>
#include <string>
#include <vector>

#include "device/block.hpp"
#include "device/report.hpp"

namespace cuda_on_cpu {

using State = Thread::State;

// "__syncthreads at file:line"
std::string Block::place(const Thread& waiting) const {
    const bool is_of_first = waiting.state == State::at_barrier && &waiting != schedule_.current;
    const Thread& thread = is_of_first ? *first_at_barrier_ : waiting;
    std::string text = thread.what;
    text += " at ";
    text += thread.file;
    text += ":";
    text += std::to_string(thread.line);
    return text;
}

// "36 threads, e.g. (0,0,0), wait in __syncthreads at file:line; 28 threads, e.g. (4,4,0), have
// returned"
std::string Block::who_waits() {
    for (unsigned i = next_start_; i < started_.size(); ++i) started_[i]->state = State::unstarted;
    for (unsigned i = schedule_.first_ready; i != schedule_.last_ready; ++i)
        schedule_.ready[i % largest_block]->state = State::running;
    struct Group {
        std::string doing;
        const Thread* example;
        unsigned count;
    };
    std::vector<Group> groups;
    for (const Thread& thread : threads_) {
        std::string doing = "run or are still to run";
        if (thread.state == State::returned) doing = "have returned";
        if (thread.state >= State::at_barrier && thread.state < State::returned)
            doing = "wait in " + place(thread);
        bool known = false;
        for (Group& group : groups)
            if (group.doing == doing) {
                ++group.count;
                known = true;
            }
        if (!known) groups.push_back({doing, &thread, 1});
    }
    std::string text;
    for (const Group& group : groups) {
        if (!text.empty()) text += "; ";
        text += std::to_string(group.count);
        text += group.count == 1 ? " thread, " : " threads, e.g. ";
        text += text_of(group.example->index);
        text += ", ";
        text += group.doing;
    }
    return text;
}

std::string Block::failure_text() {
    if (failure_ == Failure::missing) return "not all threads arrive: " + who_waits();
    if (failure_ == Failure::different_barriers)
        return "threads of a block wait at different barriers: " + who_waits();
    std::string text = "thread ";
    text += text_of(schedule_.current->index);
    text += " calls ";
    text += place(*schedule_.current);
    if (failure_ == Failure::mask) {
        char hex[16];
        std::snprintf(hex, sizeof hex, "0x%08x", schedule_.current->mask);
        text += " with the mask ";
        text += hex;
        text += ", which does not contain it";
    }
    return text;
}

}  // namespace cuda_on_cpu
