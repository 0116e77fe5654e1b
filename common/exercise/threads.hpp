// SPDX-License-Identifier: MIT
// Counts the threads that an answer starts: with pthread_create, std::thread or std::async.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <string>

#include "common/exercise/exercise.hpp"

namespace convolab::exercise {

[[maybe_unused]] static std::atomic<int> threads_started = 0;

/// 1 for a tall picture, 9 to 16 for a wide one, and for a small one 2 to 16: more than its rows.
inline int threads_for(const Input& in) {
    if (in.height > 4000) return 1;
    return in.width > 60 ? 9 + (in.width + in.height) % 8 : 2 + (in.width + in.height) % 15;
}
inline std::string with_threads(const Input& in) {
    const int threads = threads_for(in);
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}
/// A goal is for each thread that is wanted.
inline constexpr Unit kThreads = {"", [](const Input& in) { return double(threads_for(in)); }};

/// A thread that has a share of the work does no more of it: it ends, or waits for another one.
inline thread_local std::atomic<bool>* is_done = nullptr;

struct Start {
    void* (*function)(void*);
    void* argument;
};

struct Done {
    ~Done() {
        if (is_done) *is_done = true;
    }
};

inline void* run_thread(void* argument) {
    const Done done;
    const Start start = *static_cast<Start*>(argument);
    delete static_cast<Start*>(argument);
    return start.function(start.argument);
}

}  // namespace convolab::exercise

#ifdef CONVOLAB_ANSWER
/// A sanitizer's, which is called in the place of the library's, if there is one.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*,
                                                          void* (*)(void*), void*);
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" [[gnu::weak]] int __interceptor_pthread_join(pthread_t, void**);

extern "C" int pthread_create(pthread_t* id, const pthread_attr_t* attributes,
                              void* (*function)(void*), void* argument) noexcept {
    using namespace convolab::exercise;
    ++threads_started;
    if (__interceptor_pthread_create)
        return __interceptor_pthread_create(id, attributes, function, argument);
    static const auto library =
        reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return library(id, attributes, run_thread, new Start{function, argument});
}

extern "C" int pthread_join(pthread_t id, void** result) {
    using namespace convolab::exercise;
    if (__interceptor_pthread_join) return __interceptor_pthread_join(id, result);
    static const auto library =
        reinterpret_cast<decltype(&pthread_join)>(dlsym(RTLD_NEXT, "pthread_join"));
    if (is_done) *is_done = true;
    const int error = library(id, result);
    if (is_done) *is_done = false;
    return error;
}
#endif
