// SPDX-License-Identifier: MIT
// Helpers that the emulator's tests share.
#pragma once

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>

#include "../device/base/report.hpp"
#include "buffers.hpp"
#include "catch.hpp"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define BUILT_WITH_ASAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define BUILT_WITH_ASAN
#endif

extern __shared__ unsigned char dynamic_shared[];

/// Resets the device before and after a test that breaks it.
struct FreshDevice {
    FreshDevice() {
        cudaDeviceReset();
        cuda_on_cpu::clear_report();
    }
    ~FreshDevice() { cudaDeviceReset(); }
};

/// Gives an environment variable another value for a while; nullptr removes it.
class ScopedSetting {
  public:
    ScopedSetting(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set(value);
    }
    ~ScopedSetting() { set(old_ ? old_->c_str() : nullptr); }
    ScopedSetting(const ScopedSetting&) = delete;
    ScopedSetting& operator=(const ScopedSetting&) = delete;

  private:
    void set(const char* value) const {
        value != nullptr ? setenv(name_, value, 1) : unsetenv(name_);
    }
    const char* name_;
    std::optional<std::string> old_;
};

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Whether the last finding is of this kind, with these words in its causes or its remedy.
inline bool is_told(cuda_on_cpu::Kind kind, const std::string& advice = {}) {
    const cuda_on_cpu::Finding& finding = cuda_on_cpu::last_finding();
    std::string all = finding.remedy;
    for (const std::string& cause : finding.causes) all += cause;
    return finding.kind == kind && contains(all, advice) && all.empty() == advice.empty();
}

struct Ending {
    int status;  ///< of waitpid
    std::string output;
    bool clean() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

/// Runs body in a child process; gives its exit status and what it wrote to stderr.
template <class Body>
Ending in_child(Body body) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        // exit() in the child must not run the destructors of the test program's reporter.
        on_exit([](int status, void*) { _exit(status); }, nullptr);
        std::signal(SIGABRT, SIG_DFL);  // a crash there is no crash of the test program
#ifndef BUILT_WITH_ASAN
        std::signal(SIGSEGV, SIG_DFL);
#endif
        body();
        _exit(0);
    }
    close(ends[1]);
    Ending ending{0, {}};
    char part[4096];
    for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;)
        ending.output.append(part, static_cast<std::size_t>(n));
    close(ends[0]);
    waitpid(child, &ending.status, 0);
    return ending;
}

/// Each order in which threads and blocks can run.
constexpr const char* every_order[] = {"forward", "reverse", "random", "random:2", "random:77"};
