// SPDX-License-Identifier: MIT
#include "gaps.hpp"

#include <algorithm>

#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"

namespace cuda_on_cpu::check {

Gaps::Gaps(Region& region, std::uintptr_t from, const Rows& rows)
    : width(rows.width), height(rows.height), pitch(rows.from_pitch) {
    std::size_t at = 0;
    for (std::size_t y = 0; y < height; ++y)
        region.for_each(from + y * rows.from_pitch, width, [&](const Cell& cell, std::size_t size) {
            if (!cell.is_written()) {
                if (parts.empty() || parts.back().second != at) parts.emplace_back(at, at);
                parts.back().second += size;
            }
            at += size;
        });
}

bool Gaps::are_of_members() const {
    if (parts.front().second == all() && parts.front().first == 0) return false;  // all are missing
    for (std::size_t size = 2; size <= 64; ++size) {
        const auto is_in_first = [=](const auto& part) { return part.second <= size; };
        const auto of_one = static_cast<std::size_t>(
            std::find_if_not(parts.begin(), parts.end(), is_in_first) - parts.begin());
        if (of_one == 0 || parts.size() * size != of_one * all()) continue;
        bool are_alike = true;
        for (std::size_t i = of_one; i < parts.size(); ++i)
            are_alike &= parts[i].first == parts[i - of_one].first + size &&
                         parts[i].second == parts[i - of_one].second + size;
        if (are_alike) return true;
    }
    return false;
}

namespace {

// How long a row is: known, or as long as from the first gap to the second, or 0.
std::size_t row_of(const Gaps& gaps) {
    if (gaps.height > 1) return gaps.width;
    return gaps.parts.size() > 1 ? gaps.parts[1].first - gaps.parts[0].first : 0;
}

}  // namespace

Cut cut_of(const Gaps& gaps) {
    const std::size_t width = row_of(gaps);
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

namespace {

using std::to_string;

// Numbers are of elements as the kernel writes them; of bytes, if the gaps do not fit those.
struct Missing {
    const Region& region;
    const Gaps& gaps;
    Cut cut;
    std::size_t unit = 1;
    std::size_t of_thread = 1;         ///< elements that a thread writes in one piece
    bool misses_columns, misses_rows;  ///< of a picture
    Missing(const Region& of, const Gaps& in) : region(of), gaps(in), cut(cut_of(in)) {
        misses_columns = cut.columns < cut.width;
        misses_rows = cut.rows < cut.height;
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
std::string what_of(const Missing& m) {
    const std::string rows =
        numbers("row", m.cut.rows, m.cut.height - 1) + " of the " + to_string(m.cut.height);
    if (m.misses_columns)
        return numbers("column", m.columns(), m.width() - 1) + " in each row of " +
               to_string(m.width()) + (m.misses_rows ? ", and " + rows + "," : "");
    if (m.misses_rows) return rows;
    return numbers(m.unit < m.region.element_bytes ? "byte" : "element",
                   m.gaps.parts.front().first / m.unit, (m.gaps.parts.back().second - 1) / m.unit) +
           (m.gaps.parts.size() > 1 ? " (with gaps)" : "") + " of the " + to_string(m.all());
}

// Whether the grid is a few threads too small, or the last elements are fewer than a thread writes.
bool is_at_edge(const Missing& m) {
    const dim3 &grid = m.region.grid, &block = m.region.block;
    // The first ones of `all` are `there`.
    const auto ends = [](std::size_t there, std::size_t all, std::size_t blocks,
                         std::size_t of_block, std::size_t of_thread) {
        const std::size_t left = all - there;
        return (blocks * of_block * of_thread <= there && left < of_block * of_thread) ||
               left < of_thread;
    };
    if (m.misses_columns || m.misses_rows)
        return (!m.misses_columns || ends(m.columns(), m.width(), grid.x, block.x, m.of_thread)) &&
               (!m.misses_rows || ends(m.cut.rows, m.cut.height, grid.y, block.y, 1));
    const auto& [from, to] = m.gaps.parts.front();
    return m.gaps.parts.size() == 1 && to == m.gaps.all() && from > 0 &&
           ends(from / m.unit, m.all(), std::size_t{grid.x} * grid.y * grid.z,
                std::size_t{block.x} * block.y * block.z, m.of_thread);
}

// Those that fit what is missing.
std::vector<std::string> causes_of(const Missing& m) {
    const dim3 &grid = m.region.grid, &block = m.region.block;
    const bool is_picture = m.misses_columns || m.misses_rows;
    const bool is_short = is_picture
                              ? (m.misses_columns && grid.x * block.x * m.of_thread < m.width()) ||
                                    (m.misses_rows && std::size_t{grid.y} * block.y < m.cut.height)
                              : m.region.threads * m.of_thread < m.all();
    std::vector<std::string> causes;
    if (is_short)
        causes.emplace_back("too few blocks: round their number up, (n + threads - 1) / threads" +
                            std::string(grid.y * block.y > 1 ? ", in each direction" : ""));
    causes.push_back(
        "the guard or the index leaves them out" +
        std::string(grid.y * block.y > 1 ? "; a width belongs to x, a height to y" : "") +
        (m.of_thread > 1 ? "; the last n % " + to_string(m.of_thread) + " elements fill no vector"
                         : ""));
    const bool is_end = m.gaps.parts.size() == 1 && m.gaps.parts[0].second == m.gaps.all();
    causes.emplace_back(is_picture || is_end
                            ? "the copy takes more than the kernel should write"
                            : "no cudaMemset has set to 0 what the kernel leaves as it was");
    return causes;
}

// "96 x 48", "256"
std::string size_text(const dim3& size) {
    std::string text = to_string(size.x);
    if (size.y > 1 || size.z > 1) text += " x " + to_string(size.y);
    return size.z > 1 ? text + " x " + to_string(size.z) : text;
}

}  // namespace

Uncovered uncovered(const Region& region, const Gaps& gaps, const Finding& line) {
    const PendingWork* const writer = PendingWork::writer_of(reinterpret_cast<void*>(region.begin));
    if (region.kernel.empty() && writer != nullptr)
        return {{Kind::copied_early, "a copy" + line + " brings device memory to the host before " +
                                         writer->name() + ", which writes it, has run."},
                true};
    if (region.kernel.empty())
        return {{Kind::copied_unwritten,
                 "a copy" + line + " brings device memory to the host that was never written."},
                false};
    const Missing m(region, gaps);
    Finding text = region.kernel + ": it has not written " + what_of(m) + " that a copy" + line +
                   " brings to the host. ";
    const std::size_t written = region.highest - region.lowest;
    if (gaps.height > 1 && gaps.pitch != gaps.width && region.lowest == region.begin &&
        written == gaps.all())
        return {{Kind::written_without_pitch,
                 text + "It writes rows of " + to_string(gaps.width) +
                     " bytes, one behind the other; the copy takes rows that are " +
                     to_string(gaps.pitch) + " bytes apart."},
                true};
    const dim3 &grid = region.grid, &block = region.block;
    text += "Its grid has " + size_text({grid.x * block.x, grid.y * block.y, grid.z * block.z}) +
            " threads (" + size_text(grid) +
            (region.threads > std::uint64_t{block.x} * block.y * block.z ? " blocks of "
                                                                         : " block of ") +
            size_text(block) + ")";
    if (m.of_thread > 1)
        text += "; each thread writes " + to_string(m.of_thread) +
                (m.unit < region.element_bytes ? " bytes" : " elements") + " at once";
    if (region.writes != region.threads)
        text += ", and it has written " + to_string(region.writes) + " times";
    Finding finding(Kind::not_written, text + ".");
    finding.causes = causes_of(m);
    return {finding, is_at_edge(m)};
}

Rows without_gaps(const void* from, const Rows& rows) {
    const Allocation a = find_allocation(from);
    if (a.memory == nullptr || a.memory->pitch == 0 || rows.height > 1 || rows.width != a.bytes)
        return rows;
    const std::size_t pitch = a.memory->pitch;
    return {a.memory->row_bytes, a.bytes / pitch, pitch, pitch};
}

Finding wrong_pitch(Region& source, const char* from, const Rows& copied) {
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
    return {Kind::copied_gaps,
            "takes " +
                (rows.height == 1 ? count_text(rows.width) + " in one piece"
                                  : "rows that are " + count_text(taken) + " apart") +
                ", but the rows of this device memory are " + count_text(pitch) +
                " apart: cudaMallocPitch has made them longer than their " + count_text(row) + "."};
}

}  // namespace cuda_on_cpu::check
