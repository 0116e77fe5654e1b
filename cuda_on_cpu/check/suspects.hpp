// SPDX-License-Identifier: MIT
// Bytes that a copy has brought to the host and that were never written: this is no mistake as long
// as the host does not look at them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gaps.hpp"

namespace cuda_on_cpu::check {

class Suspects {
  public:
    /// A copy has brought these gaps. `text` tells of them; without `is_worth_a_note` only if
    /// the host looks.
    void add(const std::string& text, bool is_worth_a_note, const Gaps& gaps, const char* to,
             const char* from, const Rows& rows);
    /// Quick: whether look() may find something.
    bool is_near(std::uintptr_t address) const { return address - low_ < high_ - low_; }
    /// The host is about to read these bytes: the text, once, if it looks at a gap.
    std::string look(std::uintptr_t address, std::size_t bytes);
    /// Of those that the host has not looked at.
    std::vector<std::string> notes() const;

  private:
    struct Part {
        std::uintptr_t end;
        std::uintptr_t shift;  // from the device's address to the host's
        std::size_t text;
    };
    struct Text {
        std::string text;
        bool is_note;
    };
    std::map<std::uintptr_t, Part> parts_;  // by the beginning, at the host
    std::vector<Text> texts_;
    std::uintptr_t low_ = 0, high_ = 0;
    std::uintptr_t clean_from_ = 0, clean_to_ = 0;  // no part is there
};

}  // namespace cuda_on_cpu::check
