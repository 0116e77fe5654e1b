// SPDX-License-Identifier: MIT
// Another program, started without a shell, with a pipe from its standard output or to its standard
// input. It is always reaped; it never waits for someone to read its messages.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace convolab {

class ChildProcess {
  public:
    enum class Pipe { from_child, to_child };

    /// Starts arguments[0], found on the PATH, in a new process group: Ctrl-C reaches it only as
    /// the end of its pipe, so that it can complete its file. Throws std::system_error (ENOENT:
    /// there is no such program).
    ChildProcess(const std::vector<std::string>& arguments, Pipe pipe);

    /// Closes the pipe and waits. A child that is being read from is ended: the rest is not needed.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Reads until `size` bytes are there; fewer at the end of the pipe.
    std::size_t read(void* to, std::size_t size) const;
    /// False: the child reads no more.
    bool write(const void* from, std::size_t size) const;

    /// Closes the pipe, waits, and gives the exit code; 128 + the signal if one ended it. For a
    /// child whose output was read to its end, or that reads its input to the end.
    int finish();

    /// After finish(): the first 4096 bytes of what it wrote on standard error.
    const std::string& messages() const { return messages_; }

  private:
    Pipe direction_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors_;  ///< its standard error
    int pipe_ = -1;                                           ///< our end
    pid_t process_ = 0;                                       ///< 0: reaped
    int exit_code_ = 0;
    std::string messages_;
};

}  // namespace convolab
