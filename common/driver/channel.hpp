// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A short queue between two threads: the faster one waits for the slower one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace convolab {

template <class T>
class Channel {
  public:
    explicit Channel(std::size_t capacity) : capacity_(capacity) {}

    /// Waits for a free place. False: the channel is closed, and the value is dropped.
    bool push(T value) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || queue_.size() < capacity_; });
        if (closed_) return false;
        queue_.push_back(std::move(value));
        changed_.notify_all();
        return true;
    }

    /// Waits for a value. Nothing: the channel is closed and empty.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        if (queue_.empty()) return {};
        T value = std::move(queue_.front());
        queue_.pop_front();
        changed_.notify_all();
        return value;
    }

    /// No more values; those that are in the queue can still be taken.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> queue_;
    std::size_t capacity_;
    bool closed_ = false;
};

}  // namespace convolab
