// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace cuda_on_cpu::judge {
namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments, const Settings& settings) {
    for (const auto& [name, value] : settings) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> list;
    for (const std::string& argument : arguments)
        list.push_back(const_cast<char*>(argument.c_str()));
    list.push_back(nullptr);
    execv(list[0], list.data());
    const std::string text = std::string("cannot run ") + list[0] + ": " + std::strerror(errno);
    static_cast<void>(!write(2, text.data(), text.size()));
    _exit(127);
}

// The emulator writes it beside what the program writes (check/results.hpp).
void take_results(Ending& ending) {
    static const std::string mark = "CUDA on the CPU has results: ";
    const auto at = ending.errors.rfind(mark);
    if (at == std::string::npos) return;
    std::istringstream(ending.errors.substr(at + mark.size())) >> ending.results >>
        ending.largest_sum >> ending.has_list;
    ending.errors.erase(at, ending.errors.find('\n', at) - at + 1);
}

bool tells_wait = false;  // once

// Both to their ends, as they come.
void read_all(int output, int errors, Ending& ending) {
    pollfd ends[] = {{output, POLLIN, 0}, {errors, POLLIN, 0}};
    std::string* const texts[] = {&ending.output, &ending.errors};
    for (int open = 2; open > 0;) {
        const int ready = poll(ends, 2, tells_wait ? -1 : 15000);
        if (ready < 0 && errno != EINTR) return;
        if (ready == 0) {
            tells_wait = true;
            std::fputs(
                "cuda-on-cpu check: the program still runs; a kernel that never ends is stopped.\n",
                stderr);
        }
        for (int i = 0; i < 2; ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0) continue;
            char part[4096];
            const ssize_t count = read(ends[i].fd, part, sizeof part);
            if (count > 0) {
                texts[i]->append(part, static_cast<std::size_t>(count));
            } else {
                close(ends[i].fd);
                ends[i].fd = -1;
                --open;
            }
        }
    }
}

}  // namespace

std::string Ending::how() const {
    if (signal != 0) return std::string("a signal, \"") + strsignal(signal) + '"';
    return "exit code " + std::to_string(exit_code);
}

Ending run(const std::vector<std::string>& arguments, const Settings& settings, int input) {
    int output[2], errors[2];
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) {
        if (input >= 0) {
            lseek(input, 0, SEEK_SET);
            dup2(input, 0);
        }
        dup2(output[1], 1);
        dup2(errors[1], 2);
        become(arguments, settings);
    }
    close(output[1]);
    close(errors[1]);
    Ending ending;
    read_all(output[0], errors[0], ending);
    take_results(ending);
    int status = 0;
    waitpid(child, &status, 0);
    ending.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return ending;
}

}  // namespace cuda_on_cpu::judge
