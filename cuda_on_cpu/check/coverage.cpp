// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "coverage.hpp"

#include "source_line.hpp"
#include "unfinished.hpp"
#include "words.hpp"

namespace cuda_on_cpu::check {
namespace {

std::string range_text(std::size_t first, std::size_t last) {
    if (first == last) return "element " + std::to_string(first);
    return "elements " + std::to_string(first) + " to " + std::to_string(last);
}

constexpr const char* round_up =
    "Remedy: round the number of blocks up, (n + threads - 1) / threads, and guard the index: "
    "if (i < n).";

}  // namespace

void Coverage::begin_kernel(const Launch& launch) {
    ++launch_;
    threads_of_block_ = launch.block.x * launch.block.y * launch.block.z;
    threads_ = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z * threads_of_block_;
    kernel_ = launch_name(launch);
    written_.clear();
}

void Coverage::write(Region& region, const Access& access) {
    const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
    if (region.launch != launch_) {
        region.launch = launch_;
        region.kernel = kernel_;
        region.threads = threads_;
        region.threads_of_block = threads_of_block_;
        region.writes = 0;
        region.element_bytes = access.bytes;
        region.lowest = begin;
        region.highest = begin + access.bytes;
        written_.insert(&region);
    }
    ++region.writes;
    region.lowest = std::min(region.lowest, begin);
    region.highest = std::max(region.highest, begin + access.bytes);
}

// Where all has a value already, a copy does not show what the kernel has left out. One more than
// there are threads may be on purpose: offsets of rows end with that behind the last row.
std::string Coverage::end_kernel(const Launch& launch) {
    for (Region* const region : written_) {
        const std::size_t size = region->element_bytes;
        const std::size_t count = (region->end - region->begin) / size;
        if (region->kind == Region::Kind::shared || region->kind == Region::Kind::statics ||
            region->lowest != region->begin || region->highest != region->begin + threads_ * size ||
            region->writes != threads_ || count < threads_ + 2 ||
            count - threads_ >= threads_of_block_)
            continue;
        region->is_told = true;
        return launch_name(launch) + ": it has " + std::to_string(threads_) +
               " threads and writes an element with each, but " +
               describe(find_allocation(reinterpret_cast<const void*>(region->begin))) + " has " +
               std::to_string(count) + ": " + range_text(threads_, count - 1) +
               " stay as they were. " + round_up;
    }
    return {};
}

void Coverage::note_use(Region& region, std::uintptr_t from, std::size_t bytes) {
    if (region.kind != Region::Kind::device || region.kernel.empty() || region.is_used) return;
    const std::size_t size = region.element_bytes, all = region.highest - region.lowest;
    const bool is_pointer = bytes == sizeof(void*) && size != sizeof(void*);
    const bool is_count = bytes == (region.end - region.begin) / size && size > 1;
    region.is_used = from != region.begin || all <= bytes || (!is_pointer && !is_count);
    if (region.is_used || !region.bit.empty()) return;
    const std::string line = calling_line().text;
    region.bit = "a copy" + (line.empty() ? "" : line.substr(1)) + " brings only " +
                 count_text(bytes) + " of the " + std::to_string(all) + " that " + region.kernel +
                 ", has written, and nothing else reads the others. Remedy: " +
                 (is_pointer ? "sizeof of a pointer is 8; a" : "a") +
                 " copy counts bytes: n * sizeof(the type).";
}

std::string Coverage::copied(Region& region, std::uintptr_t from, std::size_t bytes) const {
    std::uintptr_t at = from, first = 0, last = 0;
    std::size_t unwritten = 0;
    region.for_each(from, bytes, [&](const Cell& cell, std::size_t size) {
        if (cell.write.block == Use::nobody) {
            if (unwritten == 0) first = at;
            last = at + size - 1;
            unwritten += size;
        }
        at += size;
    });
    if (unwritten == 0 || region.kind != Region::Kind::device || region.is_told) return {};
    std::string line = calling_line().text;
    if (!line.empty()) line.erase(0, 1);
    const Unfinished* const writer = Unfinished::writer_of(reinterpret_cast<void*>(region.begin));
    if (region.kernel.empty() && writer != nullptr) {
        region.is_told = true;
        return "a copy" + line + " brings device memory to the host before " + writer->name() +
               ", which writes it, has run. Remedy: cudaStreamSynchronize(stream) before the copy; "
               "one without a stream does not wait for a stream with cudaStreamNonBlocking.";
    }
    if (region.kernel.empty()) {
        region.is_told = true;
        return "a copy" + line +
               " brings device memory to the host that nobody has written. Remedy: cudaMemcpy "
               "(to, from, bytes, direction): are the two pointers swapped, or does no kernel "
               "write to it before?";
    }
    const std::size_t size = region.element_bytes;
    const std::size_t count = (region.end - region.begin) / size;
    std::string text = region.kernel + ": it has not written " +
                       range_text((first - region.begin) / size, (last - region.begin) / size) +
                       (unwritten < last + 1 - first ? " (with gaps)" : "") + " of the " +
                       std::to_string(bytes / size) + " that a copy" + line +
                       " brings to the host. ";
    if (region.writes < region.threads && region.threads < count)
        return text + "It writes only " + std::to_string(region.writes) + ", and has " +
               std::to_string(region.threads) +
               " threads. Remedy: copy only what it writes; or should each thread write?";
    if (region.threads < count)
        return text + "Its grid has only " + std::to_string(region.threads) + " threads. " +
               round_up;
    return text + "Its grid has " + std::to_string(region.threads) +
           " threads, enough for all. Remedy: should it write them? Then look at the guard, whose "
           "count may be too small, at the index, and at the launch: which size belongs to x and "
           "which to y? If not, copy less.";
}

}  // namespace cuda_on_cpu::check
