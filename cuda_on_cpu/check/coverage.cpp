// SPDX-License-Identifier: MIT
#include "coverage.hpp"

#include "words.hpp"

namespace cuda_on_cpu::check {
namespace {

std::string range_text(std::size_t first, std::size_t last) {
    if (first == last) return "element " + std::to_string(first);
    return "elements " + std::to_string(first) + " to " + std::to_string(last);
}

std::uint64_t product(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }

}  // namespace

void Coverage::begin_kernel(const Launch& launch) {
    ++launch_;
    grid_ = launch.grid;
    block_ = launch.block;
    kernel_ = launch_name(launch);
    uses_atomics_ = false;
    written_.clear();
}

void Coverage::write(Region& region, const Access& access, std::uint64_t thread) {
    const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
    const std::uintptr_t end = begin + access.bytes;
    if (region.launch != launch_) {
        region.launch = launch_;
        region.kernel = kernel_;
        region.grid = grid_;
        region.block = block_;
        region.threads = product(grid_) * product(block_);
        region.writes = region.group_bytes = region.group_end = 0;
        region.element_bytes = access.bytes;
        region.lowest = begin;
        region.highest = end;
        written_.insert(&region);
    }
    ++region.writes;
    region.lowest = std::min(region.lowest, begin);
    region.highest = std::max(region.highest, end);
    if (begin != region.group_end || thread != region.group_thread) {
        region.group_begin = begin;
        region.group_thread = thread;
    }
    region.group_end = end;
    region.group_bytes = std::max<std::size_t>(region.group_bytes, end - region.group_begin);
}

// If every element has a value, a copy does not show what the kernel has left out. One more than
// there are threads may be on purpose: offsets of rows end with that behind the last row.
std::string Coverage::end_kernel(const Launch& launch) {
    for (Region* const region : written_) {
        region->is_by_atomics = uses_atomics_;
        const std::size_t size = region->element_bytes;
        const std::size_t count = (region->end - region->begin) / size;
        const std::uint64_t threads = region->threads;
        if (region->kind == Region::Kind::shared || region->kind == Region::Kind::statics ||
            region->lowest != region->begin || region->highest != region->begin + threads * size ||
            region->writes != threads || count < threads + 2 ||
            count - threads >= product(launch.block))
            continue;
        region->is_told = true;
        return launch_name(launch) + ": it has " + std::to_string(threads) +
               " threads and writes an element with each, but " +
               describe(find_allocation(reinterpret_cast<const void*>(region->begin))) + " has " +
               std::to_string(count) + ": " + range_text(threads, count - 1) +
               " stay as they were. Causes: too few blocks: round their number up, (n + threads - "
               "1) / "
               "threads, and guard the index: if (i < n) | the memory is larger than the data";
    }
    return {};
}

void Coverage::note_use(Region& region, std::uintptr_t from, std::size_t bytes,
                        const std::function<std::string()>& line) {
    if (region.kind != Region::Kind::device || region.kernel.empty() || region.is_used) return;
    const std::size_t size = region.element_bytes, all = region.highest - region.lowest;
    const bool is_pointer = bytes == sizeof(void*) && size != sizeof(void*);
    const bool is_count = bytes == (region.end - region.begin) / size && size > 1;
    region.is_used = from != region.begin || all <= bytes || (!is_pointer && !is_count);
    if (region.is_used || !region.bit.empty()) return;
    region.bit = "a copy" + line() + " brings only " + count_text(bytes) + " of the " +
                 std::to_string(all) + " that " + region.kernel +
                 ", has written, and nothing else reads the others. Remedy: a copy counts bytes, "
                 "n * sizeof(the type); sizeof of a pointer is 8.";
}

}  // namespace cuda_on_cpu::check
