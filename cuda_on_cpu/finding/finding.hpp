// SPDX-License-Identifier: MIT
// A finding of the emulator: the record that who finds a mistake makes, and the judge makes prose of.
// A part of a sentence is a finding, too: parts are put together by +, and what they know of kind and
// places goes with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cuda_on_cpu {

/// What has happened; the table in kinds.inc says why a program usually does it.
enum class Kind : std::uint8_t {
#define KIND(name, ...) name,
#include "finding/kinds.inc"
#undef KIND
};

/// How much it matters: a note is no mistake, a limit is one of the emulator's, and what follows a
/// fatal mistake in the program was not run.
enum class Weight : std::uint8_t { note, limit, mistake, fatal };

struct Finding {
    Kind kind = Kind::none;
    Weight weight = Weight::mistake;
    std::string text;
    std::vector<std::string> places;  ///< "lab.cu:12", as the text names them, each once
    std::string launch;               ///< where the text says that the kernel was launched
    std::vector<std::string> causes;  ///< what fits better than those of its kind
    std::string remedy;               ///< the same; there is either this or causes

    Finding() = default;
    Finding(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
    Finding(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
    Finding(Kind what, const Finding& words) : Finding(words) { kind = what; }

    bool empty() const { return text.empty(); }
    /// Appends a part. The kind and the advice of the first part that has one are the sentence's.
    Finding& operator+=(const Finding& part);
    friend Finding operator+(Finding a, const Finding& b) { return a += b; }
    friend bool operator<(const Finding& a, const Finding& b) { return a.text < b.text; }

    /// One line for machines: weight, kind, text, places, launch, causes and remedy, between tabs;
    /// what is several things has unit separators (ASCII 31) between them.
    std::string line() const;
    /// The finding of a line, with its kind's causes or remedy if it has none; nothing if the line
    /// is none.
    static std::optional<Finding> of(const std::string& line);
    /// Takes the causes or the remedy of its kind, if it has none.
    void take_advice();
};

/// A place in the program, "lab.cu:12"; other words ("a line that ...") are no place.
Finding at(const std::string& place);
const char* name_of(Kind kind);

}  // namespace cuda_on_cpu
