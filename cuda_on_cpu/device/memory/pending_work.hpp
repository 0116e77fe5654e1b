// SPDX-License-Identifier: MIT
// Kernels and copies that still wait in a stream, and the host memory that they use. With them the
// emulator finds results that are read too early, and work that never runs.
#pragma once

#include <string>
#include <vector>

#include "device/base/device.hpp"
#include "device/base/source_line.hpp"
#include "kernel_launch.hpp"

namespace cuda_on_cpu {

class PendingWork {
  public:
    struct Range {
        const char* begin;
        std::size_t bytes;
        bool is_written;
    };
    /// A kernel with these pointers waits.
    PendingWork(const LaunchPlace& place, const std::vector<Address>& addresses);
    /// A copy or cudaMemset waits; the constructor stores its caller.
    explicit PendingWork(std::vector<Range> ranges, const char* name = "the copy");
    /// The work has run, or will never run.
    ~PendingWork();
    PendingWork(const PendingWork&) = delete;
    PendingWork& operator=(const PendingWork&) = delete;

    /// "kernel blur, launched at lab.cu:12", "the copy at lab.cu:13"
    Finding name() const;
    const Frames& caller() const { return caller_; }  ///< not for a kernel
    mutable bool is_reported = false;                 ///< the missing wait was reported
    /// The copy that runs now, if it has waited.
    static inline const PendingWork* at_work = nullptr;
    /// "cudaDeviceSynchronize()", for the work's device.
    std::string device_wait() const;
    bool is_kernel() const { return place_.file != nullptr; }

    /// Whether it uses these bytes in a way that conflicts (both reading them does not).
    bool uses(const void* begin, std::size_t bytes, bool writes) const;
    static bool any() { return !all().empty(); }
    /// The first waiting work that uses these bytes, or nullptr.
    static const PendingWork* user_of(const void* begin, std::size_t bytes, bool writes);
    /// The waiting kernel that has a non-const pointer to this device memory.
    static const PendingWork* writer_of(const void* begin);
    static const std::vector<const PendingWork*>& all();

  private:
    LaunchPlace place_;
    Frames caller_;
    const char* name_ = nullptr;
    int device_ = current_device();
    std::vector<Range> ranges_;
    std::vector<const char*> results_;  // the beginnings of device memory that it may write
};

}  // namespace cuda_on_cpu
