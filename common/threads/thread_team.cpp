// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/threads/thread_team.hpp"

#include <cstring>
#include <string>

#include "common/base/error.hpp"

namespace convolab {

ThreadTeam::ThreadTeam(int count, std::function<void(int)> work) : work_(std::move(work)) {
    for (int i = 1; i < count; ++i) members_.push_back({this, i});
    for (auto& member : members_) {
        pthread_t thread{};
        const int refused = pthread_create(&thread, nullptr, start, &member);
        if (refused != 0) {
            stop();
            throw Error("Thread " + std::to_string(threads_.size() + 2) + " of " +
                        std::to_string(count) + " could not be created: " + std::strerror(refused) +
                        "; use fewer --threads.");
        }
        threads_.push_back(thread);
    }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() {
    pthread_mutex_lock(&mutex_);
    stopping_ = true;
    pthread_cond_broadcast(&begin_);
    pthread_mutex_unlock(&mutex_);
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
    threads_.clear();
}

void* ThreadTeam::start(void* argument) {
    const auto* member = static_cast<const Member*>(argument);
    member->team->serve(member->index);
    return nullptr;
}

void ThreadTeam::serve(int index) {
    long seen = 0;
    pthread_mutex_lock(&mutex_);
    while (true) {
        while (round_ == seen && !stopping_) pthread_cond_wait(&begin_, &mutex_);
        if (stopping_) break;
        seen = round_;
        pthread_mutex_unlock(&mutex_);
        work_(index);
        pthread_mutex_lock(&mutex_);
        if (--working_ == 0) pthread_cond_signal(&end_);
    }
    pthread_mutex_unlock(&mutex_);
}

void ThreadTeam::run() {
    pthread_mutex_lock(&mutex_);
    ++round_;
    working_ = threads_.size();
    pthread_cond_broadcast(&begin_);
    pthread_mutex_unlock(&mutex_);
    work_(0);
    pthread_mutex_lock(&mutex_);
    while (working_ > 0) pthread_cond_wait(&end_, &mutex_);
    pthread_mutex_unlock(&mutex_);
}

}  // namespace convolab
