// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include "common/variant/lab.hpp"

namespace convolab {

/// Throws Skipped, with both numbers, where host or device have less free memory than
/// Variant::memory asks for, without it image and output.
void require_memory(const Lab& lab, const Variant& variant, const Job& job);

}  // namespace convolab
