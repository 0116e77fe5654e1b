// SPDX-License-Identifier: MIT
// The bytes of a copy to the host that were never written, and whether they are a part of each row.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device/memory/copy.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

struct Gaps {
    /// From, to: in the bytes of the copy, whose row y begins at y * width.
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    std::size_t width, height, pitch;  ///< of the copy

    Gaps(Region& region, std::uintptr_t from, const Rows& rows);
    std::size_t all() const { return width * height; }
};

/// A picture of which the last columns are missing, or the last rows, or both.
struct Cut {
    std::size_t width = 0, height = 0;  ///< of the picture, in bytes and rows
    std::size_t columns = 0, rows = 0;  ///< that are there
};
/// Empty (height 0) if there is none. A copy in one piece shows its rows by what is missing, or by
/// `rows`, the threads of the grid in y.
Cut cut_of(const Gaps& gaps, std::size_t rows);

/// How many pictures a volume has of which only the first ones are there; 0 if it is no volume.
std::size_t pictures_of(const Gaps& gaps, std::size_t there);

}  // namespace cuda_on_cpu::check
