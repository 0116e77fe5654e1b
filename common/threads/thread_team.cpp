// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/threads/thread_team.hpp"

#include <cstring>
#include <string>

#include "common/base/error.hpp"
#include "common/threads/pinning.hpp"

namespace convolab {

// A barrier opens when all members have arrived. If the system refuses a later thread, an earlier
// one would wait there for ever. So the constructor keeps the mutex locked until it has created all
// threads, and only then do they reach the first barrier.
ThreadTeam::ThreadTeam(int count) {
    for (int i = 1; i < count; ++i) members_.push_back({this, i});
    int refused = 0;
    pthread_mutex_lock(&creating_);
    for (auto& member : members_) {
        pthread_t thread{};
        const ThreadAttributes attributes(static_cast<std::size_t>(member.index));
        refused = pthread_create(&thread, attributes.get(), start, &member);
        if (refused != 0) break;
        threads_.push_back(thread);
    }
    complete_ = refused == 0;
    if (complete_) {
        pthread_barrier_init(&begin_, nullptr, static_cast<unsigned>(count));
        pthread_barrier_init(&end_, nullptr, static_cast<unsigned>(count));
    }
    pthread_mutex_unlock(&creating_);
    if (complete_) return;
    join();
    throw Error("Thread " + std::to_string(threads_.size() + 2) + " of " + std::to_string(count) +
                " could not be created: " + std::strerror(refused) + "; use fewer --threads.");
}

ThreadTeam::~ThreadTeam() {
    work_ = nullptr;
    pthread_barrier_wait(&begin_);
    join();
    pthread_barrier_destroy(&begin_);
    pthread_barrier_destroy(&end_);
}

void ThreadTeam::join() {
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

void* ThreadTeam::start(void* argument) {
    const auto* member = static_cast<const Member*>(argument);
    member->team->serve(member->index);
    return nullptr;
}

void ThreadTeam::serve(int index) {
    pthread_mutex_lock(&creating_);
    pthread_mutex_unlock(&creating_);
    if (!complete_) return;
    while (true) {
        pthread_barrier_wait(&begin_);
        if (work_ == nullptr) return;
        (*work_)(index);
        pthread_barrier_wait(&end_);
    }
}

void ThreadTeam::run(const std::function<void(int)>& work) {
    run_on_first(1);
    if (threads_.empty()) return work(0);
    work_ = &work;
    pthread_barrier_wait(&begin_);
    work(0);
    pthread_barrier_wait(&end_);
}

}  // namespace convolab
