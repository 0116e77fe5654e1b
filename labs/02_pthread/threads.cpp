// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/02_pthread/threads.hpp"

#include <pthread.h>

#include <cstring>
#include <string>
#include <vector>

#include "common/base/error.hpp"

namespace convolab {
namespace {

struct Share {
    const std::function<void(int)>* work;
    int index;
};

void* start(void* argument) {
    const auto* share = static_cast<const Share*>(argument);
    (*share->work)(share->index);
    return nullptr;
}

}  // namespace

void on_threads(int count, const std::function<void(int)>& work) {
    std::vector<Share> shares;
    std::vector<pthread_t> threads;
    for (int i = 0; i < count; ++i) shares.push_back({&work, i});
    int refused = 0;
    for (auto& share : shares) {
        pthread_t thread{};
        refused = pthread_create(&thread, nullptr, start, &share);
        if (refused != 0) break;
        threads.push_back(thread);
    }
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
    if (refused != 0)
        throw Error("Thread " + std::to_string(threads.size() + 1) + " of " +
                    std::to_string(count) + " could not be created: " + std::strerror(refused) +
                    "; use fewer --threads.");
}

}  // namespace convolab
