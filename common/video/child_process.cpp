// SPDX-License-Identifier: MIT
#include "common/video/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

extern char** environ;

namespace convolab {
namespace {

constexpr std::size_t kMessagesKept = 4096;  // bytes

void check(int error, const char* what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Two ends that no other child inherits, neither of them numbered 0, 1 or 2.
struct PipeEnds {
    Descriptor read, write;
    PipeEnds() {
        int ends[2];
        check(::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
        read = above_standard(ends[0]);
        write = above_standard(ends[1]);
    }
    static Descriptor above_standard(int end) {
        if (end > STDERR_FILENO) return Descriptor(end);
        const int moved = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        const int error = errno;
        ::close(end);
        check(moved >= 0 ? 0 : error, "pipe");
        return Descriptor(moved);
    }
};

/// What the child finds on its descriptors 0, 1 and 2, and its signals as a shell gives them.
class SpawnPlan {
  public:
    SpawnPlan() {
        check(posix_spawn_file_actions_init(&files_), "posix_spawn");
        check(posix_spawnattr_init(&attributes_), "posix_spawn");
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    void connect(const Descriptor& end, int as) {
        check(posix_spawn_file_actions_adddup2(&files_, end.number(), as), "posix_spawn");
    }
    void connect_to_nothing(int as) {
        check(posix_spawn_file_actions_addopen(&files_, as, "/dev/null", O_RDWR, 0), "posix_spawn");
    }
    pid_t start(const std::vector<std::string>& arguments) {
        std::vector<char*> words;
        for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        pid_t process = 0;
        check(posix_spawnp(&process, words[0], &files_, &attributes_, words.data(), environ),
              words[0]);
        return process;
    }

  private:
    posix_spawn_file_actions_t files_;
    posix_spawnattr_t attributes_;
};

}  // namespace

void Descriptor::close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, Pipe pipe)
    : direction_(pipe) {
    if (pipe == Pipe::to_child) ::signal(SIGPIPE, SIG_IGN);  // write() says it by its error
    PipeEnds data, messages;
    SpawnPlan plan;
    const bool reads = pipe == Pipe::from_child;
    plan.connect_to_nothing(reads ? STDIN_FILENO : STDOUT_FILENO);
    plan.connect(reads ? data.write : data.read, reads ? STDOUT_FILENO : STDIN_FILENO);
    plan.connect(messages.write, STDERR_FILENO);
    process_ = plan.start(arguments);
    pipe_ = std::move(reads ? data.read : data.write);
    messages.write.close();
    collector_ = std::thread(&ChildProcess::collect_messages, this, std::move(messages.read));
}

void ChildProcess::collect_messages(Descriptor from) {
    char part[1024];
    ssize_t n = 0;
    while ((n = ::read(from.number(), part, sizeof part)) != 0) {
        if (n < 0 && errno != EINTR) break;
        if (n > 0)
            messages_.append(
                part, std::min(static_cast<std::size_t>(n), kMessagesKept - messages_.size()));
    }
}

std::size_t ChildProcess::read(void* to, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::read(pipe_.number(), static_cast<char*>(to) + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR)) break;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
    return done;
}

bool ChildProcess::write(const void* from, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n =
            ::write(pipe_.number(), static_cast<const char*>(from) + done, size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
    return true;
}

int ChildProcess::finish() {
    if (process_ == 0) return exit_code_;
    pipe_.close();
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    collector_.join();
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return exit_code_;
}

ChildProcess::~ChildProcess() {
    if (process_ != 0 && direction_ == Pipe::from_child) ::kill(-process_, SIGKILL);
    finish();
}

}  // namespace convolab
