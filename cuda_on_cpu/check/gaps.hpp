// SPDX-License-Identifier: MIT
// The bytes of a copy to the host that were never written: whether they are a part of each row, and the
// text about them.
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
    /// Padding, or members that are not written, of structs of at most 64 bytes.
    bool are_of_members() const;
};

/// A picture of which the last columns are missing, or the last rows, or both.
struct Cut {
    std::size_t width = 0, height = 0;  ///< of the picture, in bytes and rows
    std::size_t columns = 0, rows = 0;  ///< that are there
};
/// Empty (height 0) if there is none. A copy in one piece shows its rows by what is missing.
Cut cut_of(const Gaps& gaps);

/// A finding about a copy that brings bytes to the host which were never written.
struct Uncovered {
    Finding finding;
    bool is_certain = false;  ///< a mistake even if the host does not look at it
};
/// `gaps` are not empty; `line` is " at lab.cu:12", the copy's.
Uncovered uncovered(const Region& region, const Gaps& gaps, const Finding& line);

/// What a copy of all of cudaMallocPitch's memory in one piece brings: its rows, without the gaps.
Rows without_gaps(const void* from, const Rows& rows);

/// What is wrong about a copy that takes the gaps for elements; empty if it does not.
Finding wrong_pitch(Region& source, const char* from, const Rows& rows);

}  // namespace cuda_on_cpu::check
