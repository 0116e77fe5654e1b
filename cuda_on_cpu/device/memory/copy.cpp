// SPDX-License-Identifier: MIT
#include "device/memory/copy.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "device/base/asan.hpp"
#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "device/memory/variables.hpp"
#include "runtime_api.hpp"

namespace cuda_on_cpu {
namespace {

std::size_t extent(std::size_t width, std::size_t height, std::size_t pitch) {
    return height == 0 || width == 0 ? 0 : (height - 1) * pitch + width;
}

// Pinned and managed memory belongs to both sides. The end of pageable memory is unknown here; ASan
// checks it. A program easily overlooks the result of a copy, so an access past the end is
// reported.
bool fits(const char* verb, const void* pointer, std::size_t bytes, bool on_device) {
    if (pointer == nullptr) return false;
    const Allocation a = find_allocation(pointer);
    if (a.type == cudaMemoryTypeUnregistered && on_device)
        if (const Finding past = describe_past_end(pointer); !past.empty())
            report(verb + std::string("memory") + calling_line().text + ": the pointer " + past +
                   ".");
    if (a.type == cudaMemoryTypeUnregistered) return !on_device;
    if (a.type == cudaMemoryTypeDevice && !on_device) return false;
    if (a.is_freed) {
        report({Kind::freed, verb + describe(a) + calling_line().text +
                                 ", which cudaFreeAsync has freed before."});
        return false;
    }
    const std::size_t left = bytes_left(a, pointer);
    if (bytes <= left) return true;
    if (bytes > SIZE_MAX / 2) {
        report(verb + count_text(bytes) + calling_line().text + negative_size());
        return false;
    }
    Finding origin;
    if (a.memory != nullptr) origin = calling_place(a.memory->caller);
    if (!origin.empty()) origin = "; it was allocated" + origin;
    const bool is_set = std::string_view(verb).starts_with("cudaMemset");
    report({is_set ? Kind::set_past_end : Kind::copy_past_end,
            verb + count_text(bytes - left) + " past the end of " + describe(a) +
                calling_line().text + origin + "."});
    return false;
}

// Pageable memory is used before the call returns, so the caller's line is known.
bool fits_pageable(const char* verb, bool writes, const void* pointer, const Rows& rows,
                   std::size_t pitch) {
    if (find_allocation(pointer).type != cudaMemoryTypeUnregistered) return true;
    const auto report_past_end = [&](std::size_t bytes) {
        const CallingLine line = calling_line();
        Finding finding(Kind::past_host_memory, verb +
                                                    std::string("past the end of host memory of ") +
                                                    count_text(bytes) + line.text + ".");
        finding.take_advice();
        if (rows.height > 1 && pitch > rows.width)
            finding.causes.emplace_back(
                "the pitch of the host's rows is not that of cudaMallocPitch, but "
                "width * sizeof(the type)");
        report(finding);
        return line.code;
    };
    if (host_bytes_left != nullptr) {
        const std::size_t left = host_bytes_left(pointer);
        if (left >= extent(rows.width, rows.height, pitch)) return true;
        report_past_end(left);
        return false;
    }
    for (std::size_t y = 0; y < rows.height; ++y) {
        const char* const row = static_cast<const char*>(pointer) + y * pitch;
        const char* const wrong = first_poisoned(row, rows.width);
        if (wrong == nullptr) continue;
        asan_report(
            report_past_end(static_cast<std::size_t>(wrong - static_cast<const char*>(pointer))),
            wrong, writes, rows.width);
    }
    return true;
}

bool is_device(const void* pointer) {
    return find_allocation(pointer).type == cudaMemoryTypeDevice;
}

// Pinned and managed memory fits both sides.
bool fits_side(const void* pointer, bool on_device) {
    const cudaMemoryType type = find_allocation(pointer).type;
    return on_device ? type != cudaMemoryTypeUnregistered : type != cudaMemoryTypeDevice;
}

// Explains why the direction does not fit the two pointers.
bool is_direction_right(const void* to, const void* from, cudaMemcpyKind kind, bool of_symbol) {
    for (const void* const pointer : {to, from}) {
        const bool is_freed = find_allocation(pointer).begin == nullptr && was_freed(pointer);
        const Finding host_copy =
            of_symbol || kind == cudaMemcpyHostToHost ? "" : host_copy_at(pointer);
        if (pointer != nullptr && !is_freed && host_copy.empty()) continue;
        const bool is_of_host =
            kind == (pointer == to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
        Finding what =
            is_of_host ? Finding(Kind::null_pointer_of_host, "null") : origin_of_null("null");
        if (!host_copy.empty()) what = "to host memory" + host_copy;
        if (is_freed) what = "to memory" + where_freed(pointer);
        if (what.text.ends_with("MemoryAllocation")) return false;  // which the program's end tells
        report("a copy" + calling_place() + ": the " + (pointer == to ? "first" : "second") +
               " pointer is " + what + ".");
        return false;
    }
    if (kind == cudaMemcpyDefault) return true;
    static constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                            "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_fits = fits_side(to, to_device), from_fits = fits_side(from, from_device);
    if (to_fits && from_fits) return true;
    for (const void* const pointer : {to, from}) {
        const Finding past =
            (pointer == to ? to_fits : from_fits) ? "" : describe_past_end(pointer);
        if (past.empty()) continue;
        report("a copy" + calling_place() + ": the " + (pointer == to ? "first" : "second") +
               " pointer " + past + ".");
        return false;
    }
    const auto memory = [](bool device) { return device ? "device memory" : "host memory"; };
    Finding text = "a copy" + calling_place() + ": the direction is " +
                   names[static_cast<int>(kind)] + ", but ";
    if (!to_fits) text += std::string("the first pointer is to ") + memory(!to_device);
    if (!to_fits && !from_fits) text += " and ";
    if (!from_fits) text += std::string("the second is to ") + memory(!from_device);
    if (!to_fits && !from_fits)
        text += ": the two pointers are swapped, or the direction is the other one";
    Finding finding(!to_fits && !from_fits ? Kind::wrong_direction : Kind::wrong_side, text + ".");
    if (finding.kind == Kind::wrong_side)  // to swap the two pointers would not mend it
        finding.causes = {
            std::string("the direction: between these two it is ") +
                names[(to_fits == to_device ? 1 : 0) + (from_fits == from_device ? 2 : 0)],
            std::string("another pointer is meant, to ") +
                memory(to_fits ? from_device : to_device)};
    report(finding);
    return false;
}

std::set<int> devices_of(const void* to, const void* from) {
    std::set<int> devices;
    for (const void* const pointer : {to, from})
        if (is_device(pointer)) devices.insert(find_allocation(pointer).device);
    return devices;
}

std::shared_ptr<const PendingWork> pending_copy(void* to, const void* from, const Rows& rows) {
    using Range = PendingWork::Range;
    return std::make_shared<const PendingWork>(std::vector<Range>{
        {static_cast<char*>(to), extent(rows.width, rows.height, rows.to_pitch), true},
        {static_cast<const char*>(from), extent(rows.width, rows.height, rows.from_pitch), false}});
}

// Of memory that the host can read; nullptr if it is the device's alone.
std::shared_ptr<const PendingWork> pending_write(void* to, const Rows& rows, const char* name) {
    if (find_allocation(to).type == cudaMemoryTypeDevice) return nullptr;
    const PendingWork::Range range{static_cast<char*>(to),
                                   extent(rows.width, rows.height, rows.to_pitch), true};
    return std::make_shared<const PendingWork>(std::vector{range}, name);
}

// `pending`: the copy has waited in a stream, so the host has left the line that called it.
void copy_rows(void* to, const void* from, const Rows& rows, int device,
               const PendingWork* pending = nullptr) {
    tell(&Observer::read, from,
         [pending] { return pending == nullptr ? calling_frames() : pending->caller(); });
    const DeviceAccess access({to, from}, device);
    PendingWork::at_work = pending;
    for (std::size_t y = 0; y < rows.height; ++y)
        std::memcpy(static_cast<char*>(to) + y * rows.to_pitch,
                    static_cast<const char*>(from) + y * rows.from_pitch, rows.width);
    PendingWork::at_work = nullptr;
    if (observer != nullptr)
        observer->copied(static_cast<char*>(to), static_cast<const char*>(from), rows);
}

cudaError_t copy_in(cudaStream_t handle, void* to, const void* from, const Rows& rows,
                    cudaMemcpyKind kind, bool wait) {
    const auto stream = find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (rows.to_pitch < rows.width || rows.from_pitch < rows.width)
        return cudaErrorInvalidPitchValue;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const bool to_device = kind == cudaMemcpyDefault
                               ? is_device(to)
                               : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDefault ? is_device(from)
                                                       : kind == cudaMemcpyDeviceToHost ||
                                                             kind == cudaMemcpyDeviceToDevice;
    const std::size_t from_bytes = extent(rows.width, rows.height, rows.from_pitch);
    if (from_bytes == 0) return cudaSuccess;
    if (!is_direction_right(to, from, kind, rows.of_symbol)) return cudaErrorInvalidValue;
    const char* const reads = "a copy reads ";
    const char* const writes = "a copy writes ";
    if (!fits(writes, to, extent(rows.width, rows.height, rows.to_pitch), to_device) ||
        !fits(reads, from, from_bytes, from_device))
        return cudaErrorInvalidValue;
    if (!fits_pageable(reads, false, from, rows, rows.from_pitch) ||
        !fits_pageable(writes, true, to, rows, rows.to_pitch))
        return cudaErrorInvalidValue;
    const int number = current_device();

    const auto pageable = [](const void* p) {
        return find_allocation(p).type == cudaMemoryTypeUnregistered;
    };
    if (stream->capture != nullptr && !wait)
        return enqueue(handle, [=] {
            copy_rows(to, from, rows, number);
            return cudaSuccess;
        });
    cudaError_t error = cudaSuccess;
    const std::set<int> devices = devices_of(to, from);
    if (pageable(from) && !pageable(to) && !wait) {
        auto staged = std::make_shared<std::vector<char>>(rows.width * rows.height);
        const Rows packed{rows.width, rows.height, rows.width, rows.from_pitch};
        copy_rows(staged->data(), from, packed, number);
        keep_staged(staged->size());
        auto pending = pending_write(to, rows, "the copy");
        error = enqueue_between(devices, handle, [=, pending = std::move(pending)] {
            copy_rows(to, staged->data(), {rows.width, rows.height, rows.to_pitch, rows.width},
                      number);
            return cudaSuccess;
        });
    } else {
        const bool now = wait || pageable(to);
        auto pending = now ? nullptr : pending_copy(to, from, rows);
        error = enqueue_between(devices, handle, [=, pending = std::move(pending)] {
            copy_rows(to, from, rows, number, pending.get());
            return cudaSuccess;
        });
    }
    if (error != cudaSuccess) return error;
    if (wait) return run_stream(handle);
    const RunsByItself guard;
    return pageable(to) ? run_stream(handle) : cudaSuccess;
}

}  // namespace

cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind, bool wait,
                 cudaStream_t handle) {
    const cudaError_t error = copy_in(handle, to, from, rows, kind, wait);
    if (wait && error != cudaSuccess)  // what it would have waited for has not run because of that
        for (const PendingWork* const work : PendingWork::all()) work->is_reported = true;
    return error;
}

cudaError_t set_bytes(void* to, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                      cudaStream_t handle, bool wait) {
    const auto stream = find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (byte < -128 || byte > 255)
        report(
            {Kind::set_counts_bytes,
             "cudaMemset" + calling_place() + " sets bytes: of " + std::to_string(byte) +
                 " each gets " + std::to_string(byte & 255) + ", so an int becomes " +
                 std::to_string(static_cast<int>(0x01010101U * static_cast<unsigned>(byte & 255))) +
                 "."});
    if (width == 0 || height == 0) return cudaSuccess;
    if (pitch < width || !fits("cudaMemset writes ", to, extent(width, height, pitch), true))
        return cudaErrorInvalidValue;
    const Rows rows{width, height, pitch, pitch};
    // The host may read managed and pinned memory behind cudaMemset, but not behind cudaMemsetAsync.
    wait &= find_allocation(to).type != cudaMemoryTypeDevice;
    auto pending =
        wait || stream->capture != nullptr ? nullptr : pending_write(to, rows, "cudaMemset");
    const auto set = [=, pending = std::move(pending), device = current_device()] {
        const DeviceAccess access({to}, device);
        for (std::size_t y = 0; y < height; ++y)
            std::memset(static_cast<char*>(to) + y * pitch, byte, width);
        if (observer != nullptr) observer->copied(static_cast<char*>(to), nullptr, rows);
        return cudaSuccess;
    };
    const cudaError_t error = enqueue(handle, set);
    return wait && error == cudaSuccess ? run_stream(handle) : error;
}

}  // namespace cuda_on_cpu
