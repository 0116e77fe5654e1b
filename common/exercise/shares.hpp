// SPDX-License-Identifier: MIT
// Which threads read a picture: its pages are closed, and the first thread that comes to one opens
// it. Each thread waits there for all threads that are wanted, and later for those that have opened
// fewer pages; so how busy the machine is does not matter. From time to time all pages are closed
// again, and belong to who opens them then: a thread that only touches its share does not keep it.
// Not with a sanitizer.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "common/exercise/threads.hpp"

namespace convolab::exercise {

class Shares {
  public:
    Shares(const std::vector<std::uint8_t>& picture, int threads)
        : threads_(threads),
          bytes_((picture.size() + kPage - 1) / kPage * kPage),
          picture_(static_cast<std::uint8_t*>(
              mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
          owners_(new std::atomic<Worker*>[bytes_ / kPage]()),
          is_open_(new std::atomic<bool>[bytes_ / kPage]()) {
        std::memcpy(picture_, picture.data(), picture.size());
        mprotect(picture_, bytes_, PROT_NONE);
        watched = this;
        struct sigaction action {};
        action.sa_sigaction = [](int, siginfo_t* info, void*) {
            if (!watched->visit(static_cast<std::uint8_t*>(info->si_addr)))
                std::signal(SIGSEGV, SIG_DFL);  // the answer's mistake: it comes again
        };
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &action, nullptr);
    }
    ~Shares() {
        std::signal(SIGSEGV, SIG_DFL);
        is_done = nullptr;
        munmap(picture_, bytes_);
    }
    Shares(const Shares&) = delete;
    Shares& operator=(const Shares&) = delete;

    const std::uint8_t* data() const { return picture_; }

    /// Threads with at least a third of what each would have if all had the same; fewer if not all
    /// of them were there at the same time.
    int count() const {
        const int fair = static_cast<int>(bytes_ / kPage) / threads_;
        const auto all = std::count_if(workers_, workers_ + kMost, [&](const Worker& w) {
            return w.pages > 0 && 3 * w.pages >= fair;
        });
        return std::min<int>(all, together_);
    }

  private:
    struct Worker {
        std::atomic<int> pages = 0;
        std::atomic<bool> is_done = false;
    };
    static constexpr std::size_t kPage = 4096;
    static constexpr int kMost = 100;
    static inline Shares* watched = nullptr;
    static inline thread_local Worker* me = nullptr;

    /// Whether the address is one of the picture.
    bool visit(std::uint8_t* address) {
        if (address < picture_ || address >= picture_ + bytes_) return false;
        if (is_done == nullptr) {
            const int number = std::min(workers_there_++, kMost - 1);
            me = &workers_[number];
            is_done = &me->is_done;
        }
        const std::size_t page = (address - picture_) / kPage;
        while (std::chrono::steady_clock::now() < end_ && !is_open_[page] && is_ahead())
            usleep(100);
        if (std::chrono::steady_clock::now() >= end_ && workers_there_ < threads_)
            together_ = std::min<int>(together_, workers_there_);
        if (!is_open_[page].exchange(true)) {
            ++me->pages;
            if (Worker* const before = owners_[page].exchange(me))
                --before->pages;
            else if (++pages_opened_ % (bytes_ / kPage / 8) == 0) {
                std::fill_n(is_open_.get(), bytes_ / kPage, false);
                mprotect(picture_, bytes_, PROT_NONE);
                return true;  // the thread comes again
            }
        }
        mprotect(picture_ + page * kPage, kPage, PROT_READ);
        return true;
    }

    /// A thread has not come yet, or has opened far fewer pages and goes on.
    bool is_ahead() const {
        if (workers_there_ < threads_) return true;
        for (int i = 0; i < std::min<int>(workers_there_, kMost); ++i)
            if (!workers_[i].is_done && workers_[i].pages + 8 < me->pages) return true;
        return false;
    }

    const int threads_;
    const std::size_t bytes_;
    std::uint8_t* const picture_;
    const std::unique_ptr<std::atomic<Worker*>[]> owners_;
    const std::unique_ptr<std::atomic<bool>[]> is_open_;
    Worker workers_[kMost];
    std::atomic<std::size_t> pages_opened_ = 0;
    std::atomic<int> workers_there_ = 0, together_ = kMost;
    const std::chrono::steady_clock::time_point end_ =
        std::chrono::steady_clock::now() + std::chrono::seconds(3);
};

static int shares = 0;

/// call(picture), and what count_threads() says then.
template <class Call>
void count_shares(const Input& in, Call call) {
    threads_started = 0;
    if (!is_counted) return call(in.samples.data());
    const Shares picture(in.samples, threads_for(in));
    call(picture.data());
    shares = picture.count();
}

inline double count_threads(const CountGoal& goal) {
    return goal.figure == "threads started" ? int(threads_started) : shares;
}

}  // namespace convolab::exercise
