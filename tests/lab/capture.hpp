// SPDX-License-Identifier: MIT
// The lab that this program is linked with. The lab's main(), renamed lab_main, calls run_lab(),
// which is replaced here: it stores the list of variants instead of reading a command line.
#pragma once

#include <functional>
#include <string>

#include "common/driver/run_lab.hpp"

namespace convolab {

const Lab& captured_lab();

/// The output of one run; fails the test if the input changes.
Image checked_output(const Variant& variant, const Job& job);

/// Fails the test if the variant was never checked; a variant that lacks a library is only named.
void was_checked(const Variant& variant, std::int64_t checked, const std::string& missing);

/// Calls `check` for each variant, with each number of channels and each of its settings, on an
/// 8-bit image and a filter that every variant supports. One that supports none fails the test.
void for_each_variant(const std::function<void(const Variant&, const Job&)>& check);

}  // namespace convolab
