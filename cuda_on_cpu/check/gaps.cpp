// SPDX-License-Identifier: MIT
#include "gaps.hpp"

#include <algorithm>

#include "device/memory/guarded_bytes.hpp"
#include "device/streams/pending_work.hpp"

namespace cuda_on_cpu::check {

Gaps::Gaps(Region& region, std::uintptr_t from, const Rows& rows)
    : width(rows.width), height(rows.height), pitch(rows.from_pitch) {
    std::size_t at = 0;
    for (std::size_t y = 0; y < height; ++y)
        region.for_each(from + y * rows.from_pitch, width, [&](const Cell& cell, std::size_t size) {
            if (cell.write.block == Use::nobody) {
                if (parts.empty() || parts.back().second != at) parts.emplace_back(at, at);
                parts.back().second += size;
            }
            at += size;
        });
}

namespace {

// How long a row is: known, or as long as from the first gap to the second, or 0.
std::size_t row_of(const Gaps& gaps, std::size_t rows) {
    if (gaps.height > 1) return gaps.width;
    const auto& [from, to] = gaps.parts.front();
    if (gaps.parts.size() > 1) return gaps.parts[1].first - from;
    return to == gaps.all() && rows > 1 && from % rows == 0 ? from / rows : 0;
}

}  // namespace

Cut cut_of(const Gaps& gaps, std::size_t rows) {
    if (gaps.parts.empty()) return {};
    const std::size_t width = row_of(gaps, rows);
    if (width == 0 || gaps.all() % width != 0) return {};
    Cut cut{width, gaps.all() / width, gaps.parts.front().first % width, 0};
    if (cut.columns == 0) cut.columns = width;
    std::size_t row = cut.columns == width ? gaps.parts.front().first / width : 0;
    for (const auto& [from, to] : gaps.parts) {
        const bool is_last = to == gaps.all();
        if (cut.columns < width && from != row * width + cut.columns) return {};
        if (!is_last && (cut.columns == width || to != (row + 1) * width)) return {};
        ++row;
        if (is_last) cut.rows = cut.columns == width ? from / width : row;
    }
    return cut.rows == 0 ? Cut{} : cut;
}

std::size_t pictures_of(const Gaps& gaps, std::size_t there) {
    if (there < 2 || gaps.parts.size() != 1) return 0;
    const auto& [from, to] = gaps.parts.front();
    if (to != gaps.all() || from == 0 || from % there != 0) return 0;
    const std::size_t picture = from / there;
    return to % picture == 0 ? to / picture : 0;
}

namespace {

using std::to_string;

// Numbers are of elements as the kernel writes them; of bytes, if the gaps do not fit those.
struct Missing {
    const Region& region;
    const Gaps& gaps;
    Cut cut;
    std::size_t unit = 1;
    std::size_t of_thread = 1;         ///< elements that a thread writes in one piece
    std::size_t x = 1, y = 1, z = 1;   ///< threads of the grid
    bool misses_columns, misses_rows;  ///< of a picture
    std::size_t depth = 0;             ///< pictures of a volume whose last ones are missing
    Missing(const Region& of, const Gaps& in) : region(of), gaps(in) {
        x = std::size_t{region.grid.x} * region.block.x;
        y = std::size_t{region.grid.y} * region.block.y;
        z = std::size_t{region.grid.z} * region.block.z;
        cut = cut_of(gaps, y);
        misses_columns = cut.columns < cut.width;
        misses_rows = cut.rows < cut.height && (gaps.height > 1 || y > 1);
        depth = pictures_of(gaps, z);
        if (depth > 0) misses_columns = misses_rows = false;
        const std::size_t size = region.element_bytes;
        const auto fits = [size](const auto& part) {
            return part.first % size == 0 && part.second % size == 0;
        };
        if (gaps.width % size == 0 && std::all_of(gaps.parts.begin(), gaps.parts.end(), fits))
            unit = size;
        of_thread = std::max<std::size_t>(1, region.group_bytes / unit);
    }
    std::size_t width() const { return cut.width / unit; }
    std::size_t columns() const { return cut.columns / unit; }
    std::size_t all() const { return gaps.all() / unit; }
};

std::string numbers(const std::string& name, std::size_t first, std::size_t last) {
    if (first == last) return name + " " + to_string(first);
    return name + "s " + to_string(first) + " to " + to_string(last);
}

// "elements 768 to 999 of the 1000"
std::string what_of(const Missing& m, std::uintptr_t from) {
    const std::string rows =
        numbers("row", m.cut.rows, m.cut.height - 1) + " of the " + to_string(m.cut.height);
    if (m.misses_columns)
        return numbers("column", m.columns(), m.width() - 1) + " in each row of " +
               to_string(m.width()) + (m.misses_rows ? ", and " + rows + "," : "");
    if (m.misses_rows) return rows;
    const std::size_t skipped = m.gaps.height > 1 ? 0 : from - m.region.begin;
    const std::size_t first = skipped + m.gaps.parts.front().first;
    const std::size_t last = skipped + m.gaps.parts.back().second - 1;
    return numbers(m.unit < m.region.element_bytes ? "byte" : "element", first / m.unit,
                   last / m.unit) +
           (m.gaps.parts.size() > 1 ? " (with gaps)" : "") + " of the " + to_string(m.all());
}

/// A direction in which elements are missing: of `all` that a copy takes, the first `there` are
/// there.
struct Axis {
    const char* name;
    std::size_t there, all, blocks;
    std::size_t of_block, of_thread;  ///< threads of a block, elements that a thread writes
    std::size_t threads() const { return blocks * of_block; }
    /// The grid is a few threads too small, or the last elements are fewer than a thread writes.
    bool is_at_edge() const {
        const std::size_t left = all - there;
        return there > 0 && ((threads() * of_thread <= there && left < of_block * of_thread) ||
                             left < of_thread);
    }
};

std::vector<Axis> axes_of(const Missing& m) {
    const dim3 &grid = m.region.grid, &block = m.region.block;
    std::vector<Axis> axes;
    if (m.misses_columns)
        axes.push_back({" in x", m.columns(), m.width(), grid.x, block.x, m.of_thread});
    if (m.misses_rows) axes.push_back({" in y", m.cut.rows, m.cut.height, grid.y, block.y, 1});
    if (m.depth > 0) axes.push_back({" in z", m.z, m.depth, grid.z, block.z, 1});
    const auto& [from, to] = m.gaps.parts.front();
    if (axes.empty() && m.gaps.parts.size() == 1 && to == m.gaps.all())
        axes.push_back({"", from / m.unit, m.all(), std::size_t{grid.x} * grid.y * grid.z,
                        std::size_t{block.x} * block.y * block.z, m.of_thread});
    return axes;
}

// "96 threads in x (6 blocks of 16) and 48 threads in y (3 blocks of 16)"
std::string threads_of(const Missing& m, const std::vector<Axis>& axes) {
    if (axes.empty()) return to_string(m.region.threads) + " threads";
    std::string text;
    for (const Axis& axis : axes)
        text += (text.empty() ? "" : " and ") + to_string(axis.threads()) + " threads" + axis.name +
                " (" + to_string(axis.blocks) + (axis.blocks == 1 ? " block of " : " blocks of ") +
                to_string(axis.of_block) + ")";
    return text;
}

constexpr const char* causes =
    " Causes: too few blocks: round their number up, (n + threads - 1) / threads, in each direction"
    " | the guard or the index leaves them out; a width belongs to x, a height to y"
    " | the copy takes more than the kernel should write";

}  // namespace

Uncovered uncovered(const Region& region, const Gaps& gaps, std::uintptr_t from,
                    const std::string& line) {
    const PendingWork* const writer = PendingWork::writer_of(reinterpret_cast<void*>(region.begin));
    if (region.kernel.empty() && writer != nullptr)
        return {"a copy" + line + " brings device memory to the host before " + writer->name() +
                    ", which writes it, has run. " + wait_before_copy,
                true};
    if (region.kernel.empty())
        return {"a copy" + line +
                    " brings device memory to the host that was never written. Causes: the two "
                    "pointers of cudaMemcpy(to, from, bytes, direction) are swapped | no kernel "
                    "has written to it before",
                false};
    const Missing m(region, gaps);
    std::string text = region.kernel + ": it has not written " + what_of(m, from) + " that a copy" +
                       line + " brings to the host. ";
    const std::size_t written = region.highest - region.lowest;
    if (gaps.height > 1 && gaps.pitch != gaps.width && region.lowest == region.begin &&
        written == gaps.all())
        return {text + "It writes rows of " + to_string(gaps.width) +
                    " bytes, one behind the other; the copy takes rows that are " +
                    to_string(gaps.pitch) +
                    " bytes apart. Remedy: row y begins y * pitch bytes behind the first, "
                    "(T*)((char*)d + y * pitch), in the kernel, too.",
                true};
    const std::vector<Axis> axes = axes_of(m);
    text += "Its grid has " + threads_of(m, axes);
    if (m.of_thread > 1)
        text += "; each thread writes " + to_string(m.of_thread) +
                (m.unit < region.element_bytes ? " bytes" : " elements") + " at once";
    if (region.writes < region.threads && (axes.empty() || *axes[0].name == 0))
        text += ", and it has written " + to_string(region.writes) + " times";
    return {text + "." + causes,
            !axes.empty() && std::all_of(axes.begin(), axes.end(),
                                         [](const Axis& axis) { return axis.is_at_edge(); })};
}

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
