// SPDX-License-Identifier: MIT
#include "unwritten.hpp"

#include <set>

#include "device/memory/guarded_bytes.hpp"
#include "kernel_launch.hpp"
#include "names.hpp"
#include "words.hpp"

namespace cuda_on_cpu::check {
namespace {

// What is known of the memory, and why it may be unwritten.
std::string state_of(const Region& region, bool atomic) {
    const std::size_t bytes = region.end - region.begin;
    if (region.kind == Region::Kind::shared)
        return atomic ? "which no thread of the block has set before. Remedy: let one thread set "
                        "it to 0, then __syncthreads()."
                      : "which no thread of the block has written. Remedy: fill all of it before "
                        "it is read; shared memory is not 0 at first.";
    if (region.kind == Region::Kind::statics)
        return "which was never filled: it is 0. Remedy: cudaMemcpyToSymbol before the launch; it "
               "counts bytes, n * sizeof(the type).";
    if (region.bytes_copied == 0 || region.bytes_copied >= bytes)
        return "which was never written. Causes: no cudaMemcpy or cudaMemset has filled it before "
               "the launch; cudaMalloc's memory is not 0 | two arguments of the launch are "
               "swapped | an index that should be smaller";
    const GuardedBytes* const memory =
        find_allocation(reinterpret_cast<const void*>(region.begin)).memory;
    const std::string filled = "which was never written: a copy has filled only " +
                               count_text(region.bytes_copied) + " of " + std::to_string(bytes) +
                               " in one piece";
    if (memory != nullptr && memory->pitch > memory->row_bytes)
        return filled + ", and the rows of this memory are " + count_text(memory->pitch) +
               " apart. Remedy: cudaMemcpy2D(to, pitch, from, its pitch, width in bytes, height, "
               "direction), with the pitch that cudaMallocPitch has given.";
    return filled +
           ". Remedy: a copy counts bytes, n * sizeof(the type), not elements; sizeof of a pointer "
           "is 8.";
}

}  // namespace

std::vector<std::string> Unwritten::take(const Launch& launch, const std::set<std::string>& but) {
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
            line_of(read.use.code) + ", " + state_of(*read.region, read.use.atomic != 0));
    }
    found_.clear();
    return texts;
}

}  // namespace cuda_on_cpu::check

void cuda_on_cpu::fill_stack() {
    char below[4096];
    fill_undefined(below, below + sizeof below);
    asm volatile("" : : "r"(below) : "memory");  // it is not left out
}
