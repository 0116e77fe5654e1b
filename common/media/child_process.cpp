// SPDX-License-Identifier: MIT
#include "common/media/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

extern char** environ;

namespace convolab {
namespace {

constexpr std::size_t kMessagesKept = 4096;  // bytes

/// Starts a program in a new process group, with signals as a shell gives them. 0, or why not.
int spawn(pid_t& process, const std::vector<std::string>& arguments,
          const posix_spawn_file_actions_t& files) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    std::vector<char*> variables;  // without those that make ffmpeg write other words
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (const std::string_view text = *variable;
            !text.starts_with("FFREPORT=") && !text.starts_with("AV_LOG_FORCE_COLOR="))
            variables.push_back(*variable);
    variables.push_back(nullptr);
    const int error =
        posix_spawnp(&process, words[0], &files, &attributes, words.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    return error;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, Pipe pipe)
    : direction_(pipe), errors_(std::tmpfile(), std::fclose) {
    if (pipe == Pipe::to_child) ::signal(SIGPIPE, SIG_IGN);  // write() says it by its error
    int ends[2];
    if (!errors_ || ::pipe2(ends, O_CLOEXEC) != 0)  // no other child inherits them
        throw std::system_error(errno, std::generic_category(), "pipe");
    const bool reads = pipe == Pipe::from_child;
    pipe_ = ends[reads ? 0 : 1];
    const int other_end = ends[reads ? 1 : 0];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, other_end, reads ? STDOUT_FILENO : STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, reads ? STDIN_FILENO : STDOUT_FILENO, "/dev/null",
                                     O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, ::fileno(errors_.get()), STDERR_FILENO);
    const int error = spawn(process_, arguments, files);
    posix_spawn_file_actions_destroy(&files);
    ::close(other_end);
    if (error == 0) return;
    ::close(pipe_);
    throw std::system_error(error, std::generic_category(), arguments[0]);
}

std::size_t ChildProcess::read(void* to, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::read(pipe_, static_cast<char*>(to) + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR)) break;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
    return done;
}

bool ChildProcess::write(const void* from, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::write(pipe_, static_cast<const char*>(from) + done, size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
    return true;
}

int ChildProcess::finish() {
    if (process_ == 0) return exit_code_;
    ::close(pipe_);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    std::rewind(errors_.get());
    messages_.resize(kMessagesKept);
    messages_.resize(std::fread(messages_.data(), 1, kMessagesKept, errors_.get()));
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return exit_code_;
}

ChildProcess::~ChildProcess() {
    if (process_ != 0 && direction_ == Pipe::from_child) ::kill(-process_, SIGKILL);
    finish();
}

}  // namespace convolab
