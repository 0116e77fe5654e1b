// SPDX-License-Identifier: MIT
#include "common/threads/thread_team.hpp"

#include <string>
#include <utility>

#include "common/base/error.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {

ThreadTeam::ThreadTeam(int count) : begin_(count), end_(count) {
    try {
        for (int i = 1; i < count; ++i) threads_.emplace_back([this, i] { serve(i); });
    } catch (const std::exception& refused) {
        const auto created = std::ssize(threads_);
        // For this thread and those that are missing: the others pass, find no work, and end.
        static_cast<void>(begin_.arrive(count - created));
        throw Error("Thread " + std::to_string(created + 2) + " of " + std::to_string(count) +
                    " could not be created: " + refused.what() + "; use fewer threads.");
    }
}

ThreadTeam::~ThreadTeam() {
    work_ = nullptr;
    static_cast<void>(begin_.arrive());
}

void ThreadTeam::serve(int index) {
    pin_member(static_cast<std::size_t>(index));
    while (true) {
        begin_.arrive_and_wait();
        if (work_ == nullptr) return;
        do_work(index);
        end_.arrive_and_wait();
    }
}

void ThreadTeam::do_work(int index) {
    try {
        (*work_)(index);
    } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!trouble_) trouble_ = std::current_exception();
    }
}

void ThreadTeam::run(const std::function<void(int)>& work) {
    run_on_first(1);
    if (threads_.empty()) return work(0);
    work_ = &work;
    begin_.arrive_and_wait();
    do_work(0);
    end_.arrive_and_wait();
    if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

}  // namespace convolab
