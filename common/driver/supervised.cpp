// SPDX-License-Identifier: MIT
// The child: notes what its threads run, and asks what happened to earlier children.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/driver/supervisor.hpp"

namespace convolab {

Shared* shared = nullptr;

namespace {

constexpr const char* kMemory = "CONVOLAB_SUPERVISOR";

template <std::size_t n>
void copy_text(char (&to)[n], const std::string& from) {
    const std::size_t length = std::min(from.size(), n - 1);
    std::memcpy(to, from.data(), length);
    to[length] = 0;
}

Shared* map_memory(int file) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory);
}

/// The memory of the supervisor that started this process, by way of others; nullptr: there is
/// none.
Shared* memory() {
    static const bool looked = [] {
        const char* path = shared == nullptr ? std::getenv(kMemory) : nullptr;
        const int file = path != nullptr ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
        if (file < 0) return true;
        struct stat info {};
        if (::fstat(file, &info) == 0 && info.st_size == sizeof(Shared)) shared = map_memory(file);
        ::close(file);
        return true;
    }();
    static_cast<void>(looked);
    return shared;
}

}  // namespace

int make_shared_memory() {
    const int file = ::memfd_create("supervisor", MFD_CLOEXEC);
    if (file >= 0 && ::ftruncate(file, sizeof(Shared)) == 0) shared = map_memory(file);
    const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file);
    if (shared != nullptr) ::setenv(kMemory, path.c_str(), 1);
    return file;
}

void drop_shared_memory(int file) {
    ::munmap(std::exchange(shared, nullptr), sizeof(Shared));
    ::close(file);
    ::unsetenv(kMemory);
}

double now_s() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

bool note_failure(const std::string& variant, const std::string& job, const std::string& how) {
    const std::size_t n = shared->failed_count;
    if (n == std::size(shared->failed) || earlier_failure(variant)) return false;
    copy_text(shared->failed[n].variant, variant);
    copy_text(shared->failed[n].job, job);
    copy_text(shared->failed[n].how, how);
    shared->failed_count = n + 1;
    return true;
}

RunningVariant::RunningVariant(const std::string& variant, const std::string& job, double limit_s)
    : slot_(nullptr) {
    if (memory() == nullptr) return;
    for (ThreadSlot& slot : shared->slots) {
        bool free = false;
        if (!slot.busy.compare_exchange_strong(free, true)) continue;
        slot_ = &slot;
        break;
    }
    if (slot_ == nullptr) return;  // more threads than slots
    copy_text(slot_->variant, variant);
    copy_text(slot_->job, job);
    slot_->limit_s = limit_s;
    slot_->ends_at_s = now_s() + limit_s;
}

RunningVariant::~RunningVariant() {
    if (slot_ != nullptr) slot_->busy = false;
}

std::optional<EarlierFailure> earlier_failure(const std::string& variant) {
    if (memory() == nullptr) return {};
    for (std::size_t i = 0; i < shared->failed_count; ++i)
        if (variant == shared->failed[i].variant)
            return EarlierFailure{shared->failed[i].job, shared->failed[i].how};
    return {};
}

bool is_one_at_a_time() { return memory() != nullptr && shared->one_at_a_time; }

bool is_finished(std::size_t number) {
    return memory() != nullptr && number < std::size(shared->finished) &&
           shared->finished[number] != 0;
}

void set_finished(std::size_t number) {
    if (memory() != nullptr && number < std::size(shared->finished)) shared->finished[number] = 1;
}

int hand_over(int code) {
    if (memory() == nullptr) return code;
    shared->exit_code = code;
    shared->has_exit_code = true;
    return 0;
}

void start_again_without(const std::string& variant, const std::string& job,
                         const std::string& how) {
    if (memory() != nullptr && note_failure(variant, job, how)) ::_exit(1);
}

}  // namespace convolab
