// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/video/clip_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/base/error.hpp"
#include "common/video/video.hpp"

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

ClipReader::ClipReader(const std::string& path, const char* kind)
    : name_(path == "-" ? "Standard input" : "File '" + path + "'"),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (path == "-" && ::isatty(STDIN_FILENO) == 1)
        throw UsageError(std::string("Standard input is a terminal: send it ") + kind +
                         " through a pipe.");
    if (!descriptor_.is_open())
        throw Error(name_ + " cannot be read: " + std::strerror(errno) +
                    (errno == ENOENT ? "; check the name." : "; check its permissions."));
}

std::size_t ClipReader::read(void* to, std::size_t size) const {
    const Transfer done = read_fully(descriptor_.number(), to, size);
    if (done.error != 0) throw Error(name_ + " cannot be read: " + std::strerror(done.error) + ".");
    return done.bytes;
}

ClipWriter::ClipWriter(const std::string& path, const char* kind) : path_(path) {
    if (path == "-" && ::isatty(STDOUT_FILENO) == 1)
        throw UsageError(std::string("Standard output is a terminal: send ") + kind +
                         " to a pipe or a file.");
    if (path != "-") require_writable(path);
}

void ClipWriter::open() {
    constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    descriptor_ = Descriptor(path_ == "-" ? STDOUT_FILENO : ::open(path_.c_str(), kHow, 0666));
    if (!descriptor_.is_open()) fail(errno);
    struct stat status {};
    is_file_ =
        path_ != "-" && ::fstat(descriptor_.number(), &status) == 0 && S_ISREG(status.st_mode);
}

void ClipWriter::write(const void* bytes, std::size_t size) {
    if (!is_open()) open();
    const Transfer done = write_fully(descriptor_.number(), bytes, size);
    if (done.error != 0) {
        if (is_file_ && ::ftruncate(descriptor_.number(), whole_) != 0) fail(errno);
        fail(done.error);
    }
    whole_ += static_cast<off_t>(size);
}

void ClipWriter::write_frame(const void* bytes, std::size_t size) {
    write(bytes, size);
    ++frames_;
}

void ClipWriter::close() {
    if (const int reason = descriptor_.close()) fail(reason);
}

void ClipWriter::fail(int reason) const {
    const std::string why = reason == EPIPE ? "the program that reads it has ended"
                                            : std::string(std::strerror(reason));
    throw Error((path_ == "-" ? "Standard output" : "File '" + path_ + "'") +
                " cannot be written: " + why + "; it has " + std::to_string(frames_) +
                " whole frames.");
}

}  // namespace convolab
