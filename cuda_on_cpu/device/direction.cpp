// SPDX-License-Identifier: MIT
// Explains why a copy's direction does not fit its two pointers.
#include "device/copy.hpp"
#include "device/guarded_bytes.hpp"
#include "device/memory.hpp"
#include "device/report.hpp"
#include "device/source_line.hpp"

namespace cuda_on_cpu {
namespace {

// Pinned and managed memory fits both sides.
bool fits(const void* pointer, bool on_device) {
    const cudaMemoryType type = find_allocation(pointer).type;
    return on_device ? type != cudaMemoryTypeUnregistered : type != cudaMemoryTypeDevice;
}

/// " at lab.cu:12". Called only for a report, because it starts a process of addr2line.
std::string line() {
    const std::string text = calling_line().text;
    return text.empty() ? text : text.substr(1);
}

}  // namespace

bool is_direction_right(const void* to, const void* from, cudaMemcpyKind kind) {
    for (const void* const pointer : {to, from})
        if (find_allocation(pointer).begin == nullptr && was_freed(pointer)) {
            report("a copy" + line() + ": the " + (pointer == to ? "first" : "second") +
                   " pointer is to memory that was freed.");
            return false;
        }
    if (kind == cudaMemcpyDefault) return true;
    static constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                            "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_fits = fits(to, to_device), from_fits = fits(from, from_device);
    if (to_fits && from_fits) return true;
    const auto memory = [](bool device) { return device ? "device memory" : "host memory"; };
    std::string text =
        "a copy" + line() + ": the direction is " + names[static_cast<int>(kind)] + ", but ";
    if (!to_fits) text += std::string("the first pointer is to ") + memory(!to_device);
    if (!to_fits && !from_fits) text += " and ";
    if (!from_fits) text += std::string("the second is to ") + memory(!from_device);
    if (!to_fits && !from_fits)
        text += ": the two pointers are swapped, or the direction is the other one";
    report(text + ".");
    return false;
}

}  // namespace cuda_on_cpu
