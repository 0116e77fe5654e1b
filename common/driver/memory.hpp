// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Whether a job fits: asked before memory is taken. All throw Skipped, with both numbers.
#pragma once

#include "common/image/sizes.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// Where host or device have less free memory than Variant::memory asks for, without it image and
/// output.
void require_memory(const Lab& lab, const Variant& variant, const Job& job);

/// For the pictures of a job, drawn at this size, and what the reference makes of them.
void require_picture_memory(const Size& size, int channels, PixelType type, int frames);

}  // namespace convolab
