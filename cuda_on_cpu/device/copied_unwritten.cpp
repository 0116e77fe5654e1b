// SPDX-License-Identifier: MIT
#include "device/copied_unwritten.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "device/accesses.hpp"
#include "device/guarded_bytes.hpp"
#include "device/memory.hpp"
#include "device/report.hpp"
#include "device/undefined.hpp"
#include "device/unfinished.hpp"
#include "device/unread.hpp"

namespace cuda_on_cpu {
namespace {

// Detects ints that fill an allocation and are all sums that did not begin at 0.
std::string undefined_sum(const Allocation& a, const char* from, const char* end) {
    // With more blocks, any number might look like such a sum.
    const auto blocks =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks_of_writer(a.begin), 1, 1024));
    const bool is_of_one = is_undefined_sum(from, end, 1);
    if (!is_of_one && !is_undefined_sum(from, end, blocks)) return {};
    const auto number = [](std::uint32_t word) {
        return std::to_string(static_cast<std::int32_t>(word));
    };
    std::uint32_t first = 0;
    std::memcpy(&first, from, sizeof first);
    return "brings the int " + number(first) + " to the host. Memory that was never written is " +
           number(undefined_word) + " here" +
           (is_of_one ? ""
                      : ", and the sum of " + std::to_string(blocks) + " blocks' is " +
                            number(blocks * undefined_word)) +
           ". Either a sum or a counter, perhaps in shared memory, was never set to 0, or a thread "
           "has read what another one had not written yet, because a __syncthreads() or, in a "
           "warp, a __syncwarp() is missing. `cuda-on-cpu check` finds out which.";
}

// Which of the copied bytes still look unwritten, e.g. "all of it is". Empty if they may be unused
// room for results whose number was unknown beforehand.
std::string unwritten_part(const Allocation& a, const char* from, const Rows& rows) {
    const std::size_t reach = (rows.height - 1) * rows.from_pitch + rows.width;
    if (rows.height == 1) {
        const char* const end = from + rows.width;
        const std::size_t unwritten = undefined_at_end(from, end);
        if (end != a.begin + a.bytes || unwritten == 0) return {};
        if (unwritten == rows.width) return "all of it is";
        return unwritten > rows.width / 2 ? "" : "the last " + count_text(unwritten) + " are";
    }
    std::size_t columns = rows.width, whole = 0;
    for (std::size_t y = 0; y < rows.height; ++y) {
        const char* const row = from + y * rows.from_pitch;
        const std::size_t unwritten = undefined_at_end(row, row + rows.width);
        whole = unwritten == rows.width ? whole + 1 : 0;
        // A row that is unwritten as a whole says nothing about columns, so it does not count here.
        if (whole == 0) columns = std::min(columns, unwritten);
    }
    if (whole == rows.height) return "all of it is";
    if (columns > 0 && columns < rows.width)
        return "the last " + count_text(columns) + " of each of its " +
               std::to_string(rows.height) + " rows are";
    if (whole == 0 || whole > rows.height / 2 || reach + rows.from_pitch <= a.bytes) return {};
    return "the last " + (whole == 1 ? "row is" : std::to_string(whole) + " rows are");
}

// Detects a copy from cudaMallocPitch memory that takes the gaps between rows for elements.
std::string wrong_pitch(const Allocation& a, const char* from, const Rows& rows) {
    if (a.memory == nullptr || a.memory->pitch == a.memory->row_bytes || from != a.begin) return {};
    const std::size_t row = a.memory->row_bytes, pitch = a.memory->pitch;
    const std::size_t taken = rows.height == 1 ? rows.width : rows.from_pitch;
    if (taken == pitch || (rows.height == 1 && taken <= row)) return {};
    const char* const end = from + std::min(pitch, rows.width * rows.height);
    const char* const gap = from + row;  // after the first row; part of a word does not show
    if (gap + 4 > end || undefined_at_end(gap, end) + 3 < static_cast<std::size_t>(end - gap))
        return {};  // the gap was written, so it is used on purpose
    return "takes " +
           (rows.height == 1 ? count_text(rows.width) + " in one piece"
                             : "rows that are " + count_text(taken) + " apart") +
           ", but the rows of this device memory are " + count_text(pitch) +
           " apart: cudaMallocPitch has made them longer than their " + count_text(row) +
           ". Remedy: cudaMemcpy2D(to, its pitch, from, pitch, width in bytes, height, direction), "
           "with the pitch that cudaMallocPitch has given.";
}

}  // namespace

Rows without_gaps(const void* from, const Rows& rows) {
    const Allocation a = find_allocation(from);
    if (a.memory == nullptr || a.memory->pitch == 0 || rows.height > 1 || rows.width != a.bytes)
        return rows;
    const std::size_t pitch = a.memory->pitch;
    return {a.memory->row_bytes, a.bytes / pitch, pitch, pitch};
}

void tell_unwritten(const void* address, const void* to, const Rows& copied,
                    const std::function<Frames()>& caller) {
    const auto* const from = static_cast<const char*>(address);
    const Rows rows = without_gaps(from, copied);
    const Allocation a = find_allocation(from);
    if (a.type != cudaMemoryTypeDevice || reports() > 0 ||
        find_allocation(to).type == cudaMemoryTypeDevice)
        return;
    const auto tell = [&](const std::string& what) {
        report("a copy" + calling_line(caller()).text + ", " + what);
    };
    const std::string pitch = wrong_pitch(a, from, rows);
    if (!pitch.empty()) return tell(pitch);
    if (observer != nullptr || is_checked()) return;  // `check` knows more
    const std::string part = unwritten_part(a, from, rows);
    const char* const end = from + rows.width;
    const bool is_whole = rows.height == 1 && end == a.begin + a.bytes;
    const std::string sum =
        is_whole && part.rfind("all", 0) != 0 ? undefined_sum(a, from, end) : "";
    if (!sum.empty()) return tell(sum);
    if (part.empty()) return;
    if (const Unfinished* const writer = Unfinished::writer_of(a.begin))
        return tell("brings " + describe(a) + " to the host, but " + writer->name() +
                    ", has not run. " + wait_before_copy);
    tell("brings " + describe(a) + " to the host, and " + part +
         " as in memory that was never written. `cuda-on-cpu check` finds why.");
}

}  // namespace cuda_on_cpu
