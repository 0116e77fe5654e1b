// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/base/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"

namespace convolab {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
    std::string advice = "name another file";
    if (reason == ENOSPC || reason == EDQUOT) advice = "make room or name a file on another disk";
    if (reason == ENOENT || reason == ENOTDIR)
        advice = "make its folder first or name another file";
    if (reason == EACCES || reason == EPERM || reason == EROFS)
        advice = "choose a folder and a file you may write to";
    throw Error("File '" + path + "' cannot be written: " + std::strerror(reason) + "; " + advice +
                ".");
}

/// Holds back the signals that would end the program between the file's creation and its name.
class SignalsWait {
  public:
    SignalsWait() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;

  private:
    sigset_t before_;
};

/// 0, or the errno of the call that failed. Closes the file in any case.
int write_and_close(int file, const char* bytes, std::size_t size, bool to_disk) {
    int reason = 0;
    while (size > 0 && reason == 0) {
        const ssize_t n = ::write(file, bytes, size);
        if (n < 0 && errno != EINTR) reason = errno;
        if (n > 0) {
            bytes += n;
            size -= static_cast<std::size_t>(n);
        }
    }
    // EINVAL and ENOTSUP: a file system that has no fsync, and loses nothing by it.
    if (reason == 0 && to_disk && ::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP)
        reason = errno;
    if (::close(file) != 0 && reason == 0) reason = errno;
    return reason;
}

}  // namespace

void write_whole_file(const std::string& path, const void* bytes, std::size_t size) {
    const char* data = static_cast<const char*>(bytes);
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (path.empty() || path.back() == '/' || (exists && S_ISDIR(old.st_mode)))
        throw Error("File '" + path + "' cannot be written: it is a folder; add a file name.");

    const SignalsWait signals_wait;
    if (exists && !S_ISREG(old.st_mode)) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0) fail(path, errno);
        if (const int reason = write_and_close(file, data, size, false)) fail(path, reason);
        return;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, errno);

    // A link stays a link, to the new content.
    const std::string target = exists ? std::filesystem::canonical(path).string() : path;
    const mode_t mode = exists ? old.st_mode & 0777 : 0666;
    std::string draft;
    int file = -1;
    for (int attempt = 0; file < 0 && attempt < 100; ++attempt) {
        draft = target + ".part" + std::to_string(::getpid()) + "_" + std::to_string(attempt);
        file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno != EEXIST) fail(path, errno);
    }
    if (file < 0) fail(path, EEXIST);
    int reason = write_and_close(file, data, size, true);
    if (reason == 0 && ::rename(draft.c_str(), target.c_str()) != 0) reason = errno;
    if (reason != 0) {
        ::unlink(draft.c_str());
        fail(path, reason);
    }
}

}  // namespace convolab
