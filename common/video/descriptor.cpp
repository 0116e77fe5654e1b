// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/video/descriptor.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace convolab {
namespace {

/// While it lives, a broken pipe is an error of write() and no signal: of this thread only.
class NoBrokenPipeSignal {
  public:
    NoBrokenPipeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    ~NoBrokenPipeSignal() {
        const timespec now{0, 0};
        while (!was_pending_ && sigtimedwait(&signal_, nullptr, &now) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoBrokenPipeSignal(const NoBrokenPipeSignal&) = delete;
    NoBrokenPipeSignal& operator=(const NoBrokenPipeSignal&) = delete;

  private:
    sigset_t signal_, before_;
    bool was_pending_;
};

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

Descriptor::~Descriptor() { close(); }

int Descriptor::close() {
    const int number = std::exchange(number_, -1);
    return number > STDERR_FILENO && ::close(number) != 0 ? errno : 0;
}

Transfer read_fully(int descriptor, void* to, std::size_t size) {
    Transfer done;
    while (done.bytes < size) {
        const ssize_t n =
            ::read(descriptor, static_cast<char*>(to) + done.bytes, size - done.bytes);
        if (n == 0) break;
        if (n > 0) done.bytes += static_cast<std::size_t>(n);
        if (n < 0 && errno != EINTR) {
            done.error = errno;
            break;
        }
    }
    return done;
}

Transfer write_fully(int descriptor, const void* from, std::size_t size) {
    const NoBrokenPipeSignal no_signal;
    Transfer done;
    while (done.bytes < size) {
        const ssize_t n =
            ::write(descriptor, static_cast<const char*>(from) + done.bytes, size - done.bytes);
        if (n > 0) done.bytes += static_cast<std::size_t>(n);
        if (n < 0 && errno != EINTR) {
            done.error = errno;
            break;
        }
    }
    return done;
}

}  // namespace convolab
