// SPDX-License-Identifier: MIT
#include "common/base/atomic_file.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int reason) {
    const bool is_full = reason == ENOSPC || reason == EDQUOT;
    const bool has_no_folder = reason == ENOENT || reason == ENOTDIR;
    throw Error("File '" + path + "' cannot be written: " + std::strerror(reason) + "; " +
                (is_full           ? "make room or name a file on another disk."
                 : reason == EFBIG ? "the shell limits the size of files: ulimit -f unlimited."
                 : has_no_folder   ? "make its folder first or name another file."
                                   : "name another file."));
}

/// Holds back the signals that would end the program between the draft's creation and its name. With
/// SIGXFSZ ignored, a write past the limit of a file's size fails.
class SignalsWait {
  public:
    SignalsWait() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
        too_large_ = ::signal(SIGXFSZ, SIG_IGN);
    }
    ~SignalsWait() {
        ::signal(SIGXFSZ, too_large_);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;

  private:
    sigset_t before_;
    void (*too_large_)(int);
};

/// 0, or the errno of the call that failed.
int write_to(const std::string& path, const void* bytes, std::size_t size, bool to_disk) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return errno;
    errno = 0;
    const bool is_written =
        std::fwrite(bytes, 1, size, file) == size && std::fflush(file) == 0 &&
        // EINVAL and ENOTSUP: a file system without fsync loses nothing by it.
        (!to_disk || ::fsync(::fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP);
    const int reason = is_written ? 0 : errno;
    return std::fclose(file) == 0 ? reason : errno;
}

}  // namespace

void write_whole_file(const std::string& path, const void* bytes, std::size_t size) {
    std::error_code ignored;
    const fs::file_status old = fs::status(path, ignored);
    if (path.empty() || path.back() == '/' || fs::is_directory(old))
        throw Error("File '" + path + "' cannot be written: it is a folder; add a file name.");
    if (fs::exists(old) && ::access(path.c_str(), W_OK) != 0) fail(path, errno);
    if (fs::is_other(old)) {
        if (const int reason = write_to(path, bytes, size, false)) fail(path, reason);
        return;
    }
    const SignalsWait signals_wait;
    // A link stays a link, to the new content.
    const std::string target = fs::exists(old) ? fs::canonical(path).string() : path;
    const std::string draft = target + ".part" + std::to_string(::getpid());
    int reason = write_to(draft, bytes, size, true);
    if (reason == 0 && fs::exists(old)) fs::permissions(draft, old.permissions(), ignored);
    if (reason == 0 && std::rename(draft.c_str(), target.c_str()) != 0) reason = errno;
    if (reason == 0) return;
    ::unlink(draft.c_str());
    fail(path, reason);
}

}  // namespace convolab
