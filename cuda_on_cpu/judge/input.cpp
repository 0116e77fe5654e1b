// SPDX-License-Identifier: MIT
#include "input.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "run.hpp"

namespace cuda_on_cpu::judge {

Input::Input() : kind_(Kind::none) {
    struct stat status {};
    if (fstat(0, &status) != 0) return;
    kind_ = S_ISREG(status.st_mode)    ? Kind::file
            : S_ISFIFO(status.st_mode) ? Kind::pipe
            : S_ISSOCK(status.st_mode) ? Kind::socket
                                       : Kind::none;  // somebody types it, or there is none
    if (kind_ == Kind::file) begin_ = lseek(0, 0, SEEK_CUR);
}

int Input::begin_run() {
    if (kind_ == Kind::file) lseek(0, begin_, SEEK_SET);
    if (kind_ != Kind::pipe && kind_ != Kind::socket) return -1;
    if (kept_ >= 0) {
        lseek(kept_, 0, SEEK_SET);
        return kept_;
    }
    kept_ = memory_file("input");
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
    from_ = ends[0];
    to_ = ends[1];
    signal(SIGPIPE, SIG_IGN);
    pass();
    return from_;
}

// Takes from the judge's input what the run has read. False if it has not read all.
bool Input::take() {
    int unread = 0;
    if (ioctl(from_, FIONREAD, &unread) != 0) fail("cannot ask a pipe");
    char part[4096];
    while (passed_ > static_cast<std::size_t>(unread)) {
        const std::size_t most = std::min(sizeof part, passed_ - static_cast<std::size_t>(unread));
        const ssize_t count = read(0, part, most);
        if (count <= 0) fail("cannot read the input");
        if (write(kept_, part, static_cast<std::size_t>(count)) != count)
            fail("cannot keep the input");
        passed_ -= static_cast<std::size_t>(count);
    }
    return unread == 0;
}

// The bytes stay in the judge's input until the run has read them.
void Input::pass() {
    if (to_ < 0 || !take()) return;
    char part[4096];
    ssize_t count = 0;
    if (kind_ == Kind::pipe) {
        count = tee(0, to_, 1 << 16, SPLICE_F_NONBLOCK);
    } else {
        count = recv(0, part, sizeof part, MSG_PEEK | MSG_DONTWAIT);
        if (count > 0) count = write(to_, part, static_cast<std::size_t>(count));
    }
    if (count > 0) passed_ = static_cast<std::size_t>(count);
    if (count != 0) return;  // there is nothing now
    close(to_);
    to_ = -1;
}

void Input::end_run() {
    if (from_ < 0) return;
    take();
    close(from_);
    if (to_ >= 0) close(to_);
    from_ = to_ = -1;
}

}  // namespace cuda_on_cpu::judge
