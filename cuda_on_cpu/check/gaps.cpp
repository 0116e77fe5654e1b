// SPDX-License-Identifier: MIT
#include "gaps.hpp"

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

}  // namespace cuda_on_cpu::check
