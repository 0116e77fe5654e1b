// SPDX-License-Identifier: MIT
#include "pitch.hpp"

#include <algorithm>

#include "device/memory/guarded_bytes.hpp"

namespace cuda_on_cpu::check {

Rows without_gaps(const void* from, const Rows& rows) {
    const Allocation a = find_allocation(from);
    if (a.memory == nullptr || a.memory->pitch == 0 || rows.height > 1 || rows.width != a.bytes)
        return rows;
    const std::size_t pitch = a.memory->pitch;
    return {a.memory->row_bytes, a.bytes / pitch, pitch, pitch};
}

std::string wrong_pitch(Region& source, const char* from, const Rows& copied) {
    const Rows rows = without_gaps(from, copied);
    const Allocation a = find_allocation(from);
    if (a.memory == nullptr || a.memory->pitch == a.memory->row_bytes || from != a.begin) return {};
    const std::size_t row = a.memory->row_bytes, pitch = a.memory->pitch;
    const std::size_t taken = rows.height == 1 ? rows.width : rows.from_pitch;
    const std::size_t end_of_gap = std::min(pitch, rows.width * rows.height);  // of the first row
    if (taken == pitch || end_of_gap <= row) return {};
    bool is_unused = true;  // a gap that was written is used on purpose
    source.for_each(reinterpret_cast<std::uintptr_t>(from) + row, end_of_gap - row,
                    [&is_unused](const Cell& cell, std::size_t) {
                        is_unused &= cell.write.block == Use::nobody;
                    });
    if (!is_unused) return {};
    return "takes " +
           (rows.height == 1 ? count_text(rows.width) + " in one piece"
                             : "rows that are " + count_text(taken) + " apart") +
           ", but the rows of this device memory are " + count_text(pitch) +
           " apart: cudaMallocPitch has made them longer than their " + count_text(row) +
           ". Remedy: cudaMemcpy2D(to, its pitch, from, pitch, width in bytes, height, direction), "
           "with the pitch that cudaMallocPitch has given.";
}

}  // namespace cuda_on_cpu::check
