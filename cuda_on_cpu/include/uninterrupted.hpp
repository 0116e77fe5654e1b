// SPDX-License-Identifier: MIT
// For a header that makes functions of other instructions, such as an mbarrier's.
#pragma once

namespace cuda_on_cpu {

/// As long as one of these lives, no other CUDA thread gets a turn.
class Uninterrupted {
  public:
    Uninterrupted();
    ~Uninterrupted();
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;
};

/// What the thread waits for in a loop: the report of a kernel that never ends names it.
struct MbarrierWait {
    const void* mbarrier;
    int parity;
    const int* missing;  ///< of its arrivals
    int arrivals;
    const char* file;
    int line;
};
void note_wait(const MbarrierWait* wait);  ///< nullptr: it waits no longer

}  // namespace cuda_on_cpu
