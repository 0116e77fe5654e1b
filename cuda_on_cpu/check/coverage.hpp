// SPDX-License-Identifier: MIT
// Elements that a kernel should have written and has not: a grid that is too small, a guard that
// keeps too many threads out.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "device/mistakes/observer.hpp"
#include "gaps.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

/// A finding about a copy that brings bytes to the host which were never written.
struct Uncovered {
    std::string text;         ///< the message; empty: nothing
    bool is_certain = false;  ///< a mistake even if the host does not look at it
};
/// `gaps` are not empty; `line` is " at lab.cu:12", the copy's.
Uncovered uncovered(const Region& region, const Gaps& gaps, std::uintptr_t from,
                    const std::string& line);

class Coverage {
  public:
    void begin_kernel(const Launch& launch);
    void write(Region& region, const Access& access, std::uint64_t thread);
    /// The kernel uses an atomic function: it may write a list whose length is not known before.
    void atomic() { uses_atomics_ = true; }
    /// A message about a kernel that has written all elements of a buffer except those at its end
    /// that do not fill a block. Empty: none.
    std::string end_kernel(const Launch& launch);
    /// Notes a copy, to the host or not, that takes as few bytes as a pointer has, or as there are
    /// elements. It is a mistake if nothing else uses them.
    static void note_use(Region& region, std::uintptr_t from, std::size_t bytes,
                         const std::function<std::string()>& line);

    const std::set<Region*>& written() const { return written_; }

  private:
    std::uint32_t launch_ = 0;
    dim3 grid_, block_;
    bool uses_atomics_ = false;
    std::string kernel_;
    std::set<Region*> written_;  // by this launch
};

}  // namespace cuda_on_cpu::check
