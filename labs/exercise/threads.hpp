// SPDX-License-Identifier: MIT
// What an answer does with its threads (pthread_create, std::thread, std::async) and locks. Their
// functions are called here before the library's. Nothing depends on when a thread runs.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <string>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

inline std::atomic<int> threads_started = 0;
/// Started and not joined, now and at most.
inline std::atomic<int> threads_now = 0, threads_at_once = 0;
/// CPU time, and that of it in which a thread had a lock.
inline std::int64_t all_ns = 0;
inline std::atomic<std::int64_t> locked_ns = 0;

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

inline double count_threads(const CountGoal& goal) {
    if (goal.figure == "threads started") return threads_started;
    return 100 * double(locked_ns) / double(all_ns);  // "percent of CPU time with a lock"
}

inline std::int64_t cpu_ns(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return 1'000'000'000 * std::int64_t(time.tv_sec) + time.tv_nsec;
}

/// call(), whose threads are to work at the same time; the caller may be one of them.
template <class Call>
void watch_threads(const Input& in, Call call) {
    threads_started = threads_at_once = 0;
    locked_ns = 0;
    const std::int64_t begin = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    call();
    all_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (is_counted && threads_at_once < threads_for(in) - 1)
        complain("Of " + std::to_string(threads_for(in)) + " threads, at most " +
                 std::to_string(threads_at_once) + (threads_at_once == 1 ? " works" : " work") +
                 " at a time.");
}

}  // namespace convolab::exercise

/// A sanitizer's function, which is called in the place of the library's, if there is one.
#define CONVOLAB_NEXT(name)     \
    (__interceptor_##name       \
         ? __interceptor_##name \
         : reinterpret_cast<decltype(&__interceptor_##name)>(dlsym(RTLD_NEXT, #name)))
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): their names
[[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*),
                                               void*);
[[gnu::weak]] int __interceptor_pthread_join(pthread_t, void**);
[[gnu::weak]] int __interceptor_pthread_mutex_lock(pthread_mutex_t*);
[[gnu::weak]] int __interceptor_pthread_mutex_unlock(pthread_mutex_t*);
// NOLINTEND(bugprone-reserved-identifier)

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
    using namespace convolab::exercise;
    static const auto create = CONVOLAB_NEXT(pthread_create);
    ++threads_started;
    threads_at_once = std::max<int>(threads_at_once, ++threads_now);
    return create(id, attributes, function, argument);
}

int pthread_join(pthread_t id, void** result) {
    static const auto join = CONVOLAB_NEXT(pthread_join);
    --convolab::exercise::threads_now;
    return join(id, result);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    using namespace convolab::exercise;
    static const auto lock = CONVOLAB_NEXT(pthread_mutex_lock);
    const int error = lock(mutex);
    if (is_counted) locked_ns -= cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    return error;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    using namespace convolab::exercise;
    static const auto unlock = CONVOLAB_NEXT(pthread_mutex_unlock);
    if (is_counted) locked_ns += cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    return unlock(mutex);
}
}
#undef CONVOLAB_NEXT
