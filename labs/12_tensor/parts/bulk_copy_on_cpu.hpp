// SPDX-License-Identifier: MIT
// What the emulator makes of an mbarrier and its bulk copies (bulk_copy.hpp).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "uninterrupted.hpp"

namespace convolab {

class Mbarrier {
  public:
    void init(int arrivals) {
        arrivals_ = missing_ = arrivals;
        phase_ = expected_ = copies_ = 0;
        ready_ = kReady;
    }
    void arrive(int times = 1, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        if (!ends_phase(times, file, line)) return;
        // Whoever waits for it goes on first: what this thread does next may come too late.
        __nanosleep(0);
    }
    void arrive_expecting(int bytes, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
        const cuda_on_cpu::Uninterrupted step;
        check(file, line);
        expected_ += bytes;
        arrive(1, file, line);
    }
    void copy(void* s_to, const void* d_from, int bytes, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
        const cuda_on_cpu::Uninterrupted step;
        check(file, line);
        const auto stop_if = [&](bool is_wrong, cudaError_t error, const char* what,
                                 const char* remedy) {
            if (is_wrong) cuda_on_cpu::stop_kernel(error, what, file, line, remedy);
        };
        const auto is_odd = [](const void* address) {
            return reinterpret_cast<std::uintptr_t>(address) % 16 != 0;
        };
        stop_if(
            bytes % 16 != 0, cudaErrorIllegalInstruction,
            "makes a bulk copy (cp.async.bulk) of a number of bytes that is not a multiple of 16",
            "round it up, and let both rows have room for it");
        stop_if(is_odd(d_from), cudaErrorMisalignedAddress,
                "makes a bulk copy (cp.async.bulk) from an address of global memory that is not a "
                "multiple of 16",
                "let rows begin at multiples of 16 bytes");
        stop_if(is_odd(s_to), cudaErrorMisalignedAddress,
                "makes a bulk copy (cp.async.bulk) to an address of shared memory that is not a "
                "multiple of 16",
                "declare the array __align__(16), and let rows begin at multiples of 16 bytes");
        stop_if(copies_ == kMostCopies, cudaErrorLaunchFailure,
                "makes a ninth copy in a phase of an mbarrier",
                "the emulator keeps eight: copy more bytes at once, or wait in between");
        std::memset(s_to, 0xff, static_cast<std::size_t>(bytes));
        copy_[copies_++] = {s_to, d_from, bytes};
        __threadfence_block();  // before who finds no arrival missing
        atomicSub(&missing_, 0);
    }
    void wait(int parity, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        int in_vain = 0;
        if (has_ended(parity, in_vain, file, line)) return;
        const cuda_on_cpu::MbarrierWait wait{this, parity, &missing_, arrivals_, file, line};
        cuda_on_cpu::note_wait(&wait);
        while (!has_ended(parity, in_vain, file, line)) __nanosleep(0);
        cuda_on_cpu::note_wait(nullptr);
    }
    static void proxy_fence() {}

  private:
    bool ends_phase(int arrivals, const char* file, int line) {
        const cuda_on_cpu::Uninterrupted step;
        check(file, line);
        __threadfence_block();
        if (atomicSub(&missing_, arrivals) != arrivals || expected_ != 0) return false;
        begin_phase();
        return true;
    }
    static constexpr int kMostCopies = 8;
    static constexpr int kReady = 0x600d;  // unset shared memory has another value

    void check(const char* file, int line) const {
        if (ready_ != kReady)
            cuda_on_cpu::stop_kernel(cudaErrorLaunchFailure, "uses an mbarrier before its init",
                                     file, line, "put __syncthreads() behind init");
    }
    /// Whether the phase of this parity has ended. The last arrival ends it, or the last byte: then
    /// the first thread that asks makes the copies.
    bool has_ended(int parity, int& in_vain, const char* file, int line) {
        const cuda_on_cpu::Uninterrupted step;
        check(file, line);
        if (atomicAdd(&phase_, 0) % 2 != parity) return true;
        if (atomicAdd(&missing_, 0) != 0) return false;
        int brought = 0;
        for (int i = 0; i < copies_; ++i) brought += copy_[i].bytes;
        constexpr int kLong = 1000;  // turns of all others: whoever would copy more has done so
        if (brought != expected_ && ++in_vain > kLong) stop_waiting(brought, file, line);
        if (brought != expected_) return false;
        for (int i = 0; i < copies_; ++i)
            std::memcpy(copy_[i].s_to, copy_[i].d_from, static_cast<std::size_t>(copy_[i].bytes));
        copies_ = expected_ = 0;
        begin_phase();
        return true;
    }
    void stop_waiting(int brought, const char* file, int line) const {
        char text[128];
        std::snprintf(text, sizeof text,
                      "waits for %d bytes, as arrive_expecting says, but the copies bring %d: a "
                      "GPU waits for ever",
                      expected_, brought);
        cuda_on_cpu::stop_kernel(cudaErrorLaunchFailure, text, file, line,
                                 "make both numbers the same");
    }
    void begin_phase() {
        atomicExch(&missing_, arrivals_);
        __threadfence_block();
        atomicAdd(&phase_, 1);
    }

    int arrivals_, missing_, phase_, expected_, copies_, ready_;
    struct {
        void* s_to;
        const void* d_from;
        int bytes;
    } copy_[kMostCopies];
};

}  // namespace convolab
