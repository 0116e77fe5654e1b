// SPDX-License-Identifier: MIT
#include "device/memory/pending_work.hpp"

#include <algorithm>

#include "device/base/report.hpp"
#include "device/base/within.hpp"
#include "device/memory/allocations.hpp"

namespace cuda_on_cpu {
namespace {

std::vector<const PendingWork*>& list() {
    static auto& all = *new std::vector<const PendingWork*>;
    return all;
}

}  // namespace

PendingWork::PendingWork(const LaunchPlace& place, const std::vector<Address>& addresses)
    : place_(place) {
    for (const Address& address : addresses) {
        const Allocation a = find_allocation(address.value);
        if (address.is_volatile && a.type != cudaMemoryTypeDevice) continue;  // a stop flag
        if (a.type == cudaMemoryTypeHost || a.type == cudaMemoryTypeManaged)
            ranges_.push_back({static_cast<const char*>(address.value),
                               bytes_left(a, address.value), address.is_writable});
        else if (address.is_writable)
            results_.push_back(a.begin);
    }
    list().push_back(this);
}

PendingWork::PendingWork(std::vector<Range> ranges, const char* name)
    : caller_(calling_frames()), name_(name), ranges_(std::move(ranges)) {
    list().push_back(this);
}

PendingWork::~PendingWork() { std::erase(list(), this); }

Finding PendingWork::name() const {
    return is_kernel() ? name_of(place_) : name_ + calling_place(caller_);
}

std::string PendingWork::device_wait() const {
    const std::string call = "cudaDeviceSynchronize()";
    if (device_ == current_device()) return call;
    return "cudaSetDevice(" + std::to_string(device_) + ") and " + call +
           ", which waits for the current device only,";
}

bool PendingWork::uses(const void* begin, std::size_t bytes, bool writes) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [=](const Range& range) {
        return overlap(begin, bytes, range.begin, range.bytes) && (writes || range.is_written);
    });
}

const PendingWork* PendingWork::user_of(const void* begin, std::size_t bytes, bool writes) {
    const auto user = std::find_if(list().begin(), list().end(), [=](const PendingWork* work) {
        return work->uses(begin, bytes, writes);
    });
    return user == list().end() ? nullptr : *user;
}

const PendingWork* PendingWork::writer_of(const void* begin) {
    for (const PendingWork* work : list())
        if (std::find(work->results_.begin(), work->results_.end(), begin) != work->results_.end())
            return work;
    return nullptr;
}

const std::vector<const PendingWork*>& PendingWork::all() { return list(); }

}  // namespace cuda_on_cpu
