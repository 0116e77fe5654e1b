// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Elements that a kernel should have written and has not: a grid that is too small, a guard that
// keeps too many threads out.
#pragma once

#include <set>
#include <string>

#include "accesses.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

class Coverage {
  public:
    void begin_kernel(const Launch& launch);
    void write(Region& region, const Access& access);
    /// In words: a kernel that has written all elements of a buffer but those at its end that do
    /// not fill a block. Empty: none.
    std::string end_kernel(const Launch& launch);
    /// In words: the host gets what nobody has written. Empty: it does not.
    std::string copied(Region& region, std::uintptr_t from, std::size_t bytes) const;
    /// Notes a copy, to the host or not, that takes as few bytes as a pointer has, or as there are
    /// elements. It is a mistake where nothing else uses them.
    static void note_use(Region& region, std::uintptr_t from, std::size_t bytes);

    const std::set<Region*>& written() const { return written_; }

  private:
    std::uint32_t launch_ = 0;
    std::uint64_t threads_ = 0;
    unsigned threads_of_block_ = 0;
    std::string kernel_;
    std::set<Region*> written_;  // by this launch
};

}  // namespace cuda_on_cpu::check
