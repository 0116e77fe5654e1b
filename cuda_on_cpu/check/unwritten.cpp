// SPDX-License-Identifier: MIT
#include "unwritten.hpp"

#include <set>

#include "device/memory/guarded_bytes.hpp"
#include "names.hpp"
#include "words.hpp"

namespace cuda_on_cpu::check {
namespace {

// What is the likely cause, and what helps.
std::string advice(const Region& region, bool atomic) {
    const std::size_t bytes = region.end - region.begin;
    if (region.kind == Region::Kind::shared)
        return atomic ? "which no thread of the block has set before. Remedy: let one thread set "
                        "it to 0, then __syncthreads()."
                      : "which no thread of the block has written. Remedy: fill all of it before "
                        "it is read; shared memory is not 0 at first.";
    if (region.kind == Region::Kind::statics)
        return "which was never filled: it is 0. Remedy: cudaMemcpyToSymbol before the launch; it "
               "counts bytes, n * sizeof(the type).";
    const GuardedBytes* const memory =
        find_allocation(reinterpret_cast<const void*>(region.begin)).memory;
    if (region.bytes_copied > 0 && memory != nullptr && memory->pitch > memory->row_bytes)
        return "which was never written: a copy has filled " + count_text(region.bytes_copied) +
               " in one piece, but the rows of this memory are " + count_text(memory->pitch) +
               " apart. Remedy: cudaMemcpy2D(to, pitch, from, its pitch, width in bytes, height, "
               "direction), with the pitch that cudaMallocPitch has given.";
    if (region.bytes_copied > 0 && region.bytes_copied < bytes)
        return "which was never written: a copy has filled only " +
               count_text(region.bytes_copied) + " of " + std::to_string(bytes) + ". Remedy: " +
               (region.bytes_copied == sizeof(void*) ? "sizeof of a pointer is 8; a" : "a") +
               " copy counts bytes, n * sizeof(the type), not elements.";
    return "which was never written. Remedy: fill it before the launch, with cudaMemcpy or "
           "cudaMemset; cudaMalloc's memory is not 0.";
}

// The kernel only writes to what a copy has filled: it may have got them the wrong way round.
std::string swapped(const Launch& launch, const std::set<Region*>& written) {
    for (const Region* const region : written)
        for (const Address& argument : launch.addresses)
            if (region->is_input &&
                find_allocation(argument.value).begin == reinterpret_cast<char*>(region->begin))
                return " Argument " + std::to_string(argument.argument) +
                       " is filled, and the kernel writes to it without reading it: are the two "
                       "swapped?";
    return {};
}

}  // namespace

std::vector<std::string> Unwritten::take(const Launch& launch, const std::set<std::string>& but,
                                         const std::set<Region*>& written) {
    std::vector<std::string> texts;
    std::set<std::string> told;  // variables: their other lines have the same cause
    for (const Read& read : found_) {
        if (is_guard(*read.region, reinterpret_cast<std::uintptr_t>(read.access.address))) continue;
        if (but.contains(line_of(read.use.code))) continue;
        const std::string element =
            element_name(*read.region, reinterpret_cast<std::uintptr_t>(read.access.address),
                         read.access.bytes, launch);
        const auto of = element.rfind(" of ");
        const std::string variable = of == std::string::npos ? element : element.substr(of);
        if (read.region->is_told || !told.insert(variable).second) continue;
        if (!read.region->brought.empty()) {  // the copy was to fill it
            texts.push_back(read.region->brought);
            continue;
        }
        texts.push_back(
            launch_name(launch) + ": " + thread_name(launch, read.use.thread, read.block) +
            (read.use.atomic != 0 ? " uses an atomic function on " : " reads ") + element + " at " +
            line_of(read.use.code) + ", " + advice(*read.region, read.use.atomic != 0) +
            (read.region->kind == Region::Kind::device && read.region->bytes_copied == 0
                 ? swapped(launch, written)
                 : ""));
    }
    found_.clear();
    return texts;
}

}  // namespace cuda_on_cpu::check
