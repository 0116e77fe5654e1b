// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Counts the threads that an answer starts: with pthread_create, std::thread or std::async.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>

namespace convolab::exercise {

inline std::atomic<int> threads_started = 0;

}  // namespace convolab::exercise

/// A sanitizer's, which is called in the place of the library's, if there is one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*,
                                                          void* (*)(void*), void*);

extern "C" int pthread_create(pthread_t* id, const pthread_attr_t* attributes,
                              void* (*function)(void*), void* argument) noexcept {
    ++convolab::exercise::threads_started;
    if (__interceptor_pthread_create)
        return __interceptor_pthread_create(id, attributes, function, argument);
    static const auto library =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return library(id, attributes, function, argument);
}
