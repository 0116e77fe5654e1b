// SPDX-License-Identifier: MIT
// The threads of an answer get the picture row by row from read_row(), which sees who asks for a row
// and how often. Nothing depends on when a thread runs.
#pragma once

#include <unistd.h>

#include <atomic>
#include <string>

#include "labs/exercise/exercise.hpp"

/// What the answer declares: reads row y, width samples of 8 bits. Any thread may call it.
void read_row(int y, std::uint8_t* row);

namespace convolab::exercise {

/// What read_row() reads. A judge's page sets it before it calls the answer.
inline const Input* picture = nullptr;
/// In the count: calls of read_row(), and the threads that have called it.
inline std::atomic<int> rows_read = 0, threads_reading = 0;
/// Lets the first row that is read in the count take until all others have been read. rows_left is
/// what the other threads have left then.
inline bool has_slow_row = false;
inline std::atomic<int> rows_left = 0;

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

inline double count_rows(const CountGoal& goal) {
    if (goal.figure == "rows that wait for a slow one") return rows_left;
    if (goal.figure == "threads that read rows") return threads_reading;
    return rows_read - picture->height;  // "rows read more than once"
}

/// Waits until `counter` has reached `wanted`, or has not changed for seconds. Returns its value.
inline int wait_for(const std::atomic<int>& counter, int wanted) {
    int before = counter;
    for (int ms = 0; ms < 3000 && counter < wanted; ++ms) {
        usleep(1000);
        if (counter != before) ms = 0;
        before = counter;
    }
    return counter;
}

/// Lets a thread's first row take until all threads have asked for one.
inline void wait_for_all_threads() {
    thread_local bool has_waited = false;
    if (has_waited) return;
    has_waited = true;
    ++threads_reading;
    const int wanted = threads_for(*picture), reading = wait_for(threads_reading, wanted);
    if (reading < wanted)
        complain("Of " + std::to_string(wanted) + " threads, at most " + std::to_string(reading) +
                 (reading == 1 ? " works" : " work") + " at a time.");
}

}  // namespace convolab::exercise

void read_row(int y, std::uint8_t* row) {
    using namespace convolab::exercise;
    if (y < 0 || y >= picture->height)
        complain("read_row is asked for row " + std::to_string(y) + "; the picture has rows 0 to " +
                 std::to_string(picture->height - 1) + '.');
    const auto* in = &picture->samples[std::size_t(y) * picture->width];
    std::copy(in, in + picture->width, row);
    if (!is_counted) return;
    const bool is_first = rows_read++ == 0;
    wait_for_all_threads();
    if (is_first && has_slow_row)
        rows_left = picture->height - wait_for(rows_read, picture->height);
}
