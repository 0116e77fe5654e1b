// SPDX-License-Identifier: MIT
#include "labs/02_pthread/shared/threads.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

/// Every thread begins here, because a POSIX thread runs a function from void* to void*.
void* call(void* work) {
    (*static_cast<std::function<void()>*>(work))();
    return nullptr;
}

}  // namespace

void Threads::start(std::function<void()> work) {
    Thread& thread = threads_.emplace_back(Thread{{}, std::move(work)});
    const int error = pthread_create(&thread.id, nullptr, call, &thread.work);
    if (error == 0) return;
    threads_.pop_back();
    throw Error("Thread " + std::to_string(threads_.size() + 1) +
                " could not be created: " + std::strerror(error) + "; use fewer --threads.");
}

void Threads::join() {
    for (const Thread& thread : threads_) pthread_join(thread.id, nullptr);
    threads_.clear();
}

}  // namespace convolab
