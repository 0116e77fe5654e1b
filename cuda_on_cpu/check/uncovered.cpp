// SPDX-License-Identifier: MIT
// Why a copy brings elements to the host that no kernel has written, and what helps.
#include <algorithm>

#include "coverage.hpp"
#include "device/streams/pending_work.hpp"
#include "words.hpp"

namespace cuda_on_cpu::check {
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

// Each thread writes a float4, for instance, and the last elements are fewer than four.
Uncovered tail(const Missing& m) {
    const std::size_t count = m.misses_columns ? m.width() : m.all();
    const std::size_t done = m.misses_columns ? m.columns() : m.gaps.parts.front().first / m.unit;
    const bool is_end =
        m.misses_columns ? !m.misses_rows
                         : m.gaps.parts.size() == 1 && m.gaps.parts.front().second == m.gaps.all();
    if (!is_end || m.of_thread < 2 || done % m.of_thread != 0 || count - done >= m.of_thread ||
        done == 0)
        return {};
    const std::size_t threads = m.misses_columns ? m.x : m.region.threads, left = count - done;
    const bool is_bytes = m.unit < m.region.element_bytes;
    const auto of = [is_bytes](std::size_t number) {
        return to_string(number) + (is_bytes ? " byte" : " element") + (number == 1 ? "" : "s");
    };
    return {"Each thread writes " + of(m.of_thread) + " at once, and " + of(left) +
                (left == 1 ? " is" : " are") + " left at the end" +
                (m.misses_columns ? " of each row" : "") + ". " +
                (threads * m.of_thread >= count ? "The grid is large enough. " : "") +
                "Remedy: let threads write the rest one by one, behind the last whole group of " +
                of(m.of_thread) + ".",
            true};
}

Uncovered rows_without_pitch(const Missing& m) {
    const std::size_t pitch = m.gaps.pitch, written = m.region.highest - m.region.lowest;
    if (m.gaps.height == 1 || pitch == m.gaps.width || m.region.lowest != m.region.begin ||
        written != m.gaps.all())
        return {};
    return {"It writes rows of " + to_string(m.gaps.width) +
                " bytes, one behind the other; the copy takes rows that are " + to_string(pitch) +
                " bytes apart. Remedy: row y begins y * pitch bytes behind the first, "
                "(T*)((char*)d + y * pitch), in the kernel, too.",
            true};
}

std::string threads_in(const char* axis, std::size_t all, unsigned blocks, unsigned of_block) {
    return to_string(all) + " threads in " + axis + " (" + to_string(blocks) +
           (blocks == 1 ? " block of " : " blocks of ") + to_string(of_block) + ")";
}

std::string more_blocks(const char* axis, const char* size, unsigned of_block) {
    return std::string("the number of blocks in ") + axis + " up, (" + size + " + " +
           to_string(of_block) + " - 1) / " + to_string(of_block);
}

// The last pictures of a volume.
Uncovered volume(const Missing& m) {
    const unsigned of_block = m.region.block.z;
    return {"Its grid has only " + threads_in("z", m.z, m.region.grid.z, of_block) +
                ". Remedy: round " + more_blocks("z", "depth", of_block) +
                ", and guard it: if (z < depth).",
            m.depth - m.z < of_block};
}

// The last columns or rows of a picture.
Uncovered picture(const Missing& m) {
    const dim3 &grid = m.region.grid, &block = m.region.block;
    const std::size_t reach = m.x * m.of_thread;
    const bool in_x = m.misses_columns && reach <= m.columns();
    const bool in_y = m.misses_rows && m.y <= m.cut.rows;
    if (!in_x && !in_y)
        return {"Its grid has " + to_string(m.x) + " threads in x and " + to_string(m.y) +
                    " in y, enough for all. Remedy: look at the guard, if (x < width && y < "
                    "height): are the two numbers right? And at the index, y * width + x.",
                false};
    std::string text = "Its grid has only ";
    if (in_x) text += threads_in("x", m.x, grid.x, block.x) + (in_y ? " and " : ". ");
    if (in_y) text += threads_in("y", m.y, grid.y, block.y) + ". ";
    const bool swapped = (in_x && !in_y && m.y >= m.cut.height + block.y) ||
                         (in_y && !in_x && reach >= m.width() + block.x);
    if (swapped)
        return {text +
                    "Remedy: the width belongs to x, the height to y: are the two swapped in the "
                    "launch: dim3 grid(blocks for the width, blocks for the height)?",
                true};
    return {text + "Remedy: round " + (in_x ? more_blocks("x", "width", block.x) : "") +
                (in_x && in_y ? ", and " : "") + (in_y ? more_blocks("y", "height", block.y) : "") +
                ", and guard both: if (x < width && y < height).",
            (!in_x || m.width() - reach < block.x * m.of_thread) &&
                (!in_y || m.cut.height - m.y < block.y)};
}

Uncovered row(const Missing& m) {
    if (m.depth > 0) return volume(m);
    const Region& r = m.region;
    const std::size_t reach = r.threads * m.of_thread;
    if (r.writes < r.threads && reach < m.all())
        return {"It writes only " + to_string(r.writes) + ", and has " + to_string(r.threads) +
                    " threads. Remedy: copy only what it writes; or should each thread write?",
                false};
    const std::size_t of_block = std::size_t{r.block.x} * r.block.y * r.block.z * m.of_thread;
    if (reach < m.all())
        return {"Its grid has only " + to_string(r.threads) + " threads" +
                    (m.of_thread > 1 ? ", which write " + to_string(m.of_thread) + " each" : "") +
                    ". Remedy: round the number of blocks up, (n + threads - 1) / threads, and "
                    "guard the index: if (i < n).",
                r.lowest == r.begin && r.highest == r.begin + reach * m.unit &&
                    m.all() - reach < of_block};
    return {"Its grid has " + to_string(r.threads) +
                " threads, enough for all. Remedy: should it write them? Then look at the guard, "
                "whose count may be too small, at the index, and at the launch: which size belongs "
                "to x and which to y? If not, copy less.",
            false};
}

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
                    " brings device memory to the host that was never written. Remedy: cudaMemcpy "
                    "(to, from, bytes, direction): are the two pointers swapped, or does no kernel "
                    "write to it before?",
                false};
    const Missing missing(region, gaps);
    Uncovered found = rows_without_pitch(missing);
    if (found.text.empty()) found = tail(missing);
    if (found.text.empty())
        found = missing.misses_columns || missing.misses_rows ? picture(missing) : row(missing);
    found.text = region.kernel + ": it has not written " + what_of(missing, from) + " that a copy" +
                 line + " brings to the host. " + found.text;
    return found;
}

}  // namespace cuda_on_cpu::check
