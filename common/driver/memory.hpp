// SPDX-License-Identifier: MIT
// Whether the memory is enough for a job: asked before any is taken.
#pragma once

#include "common/image/sizes.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// What Variant::memory says; without it, image and output.
MemoryNeed memory_need(const Variant& variant, const Job& job);

/// Throws Skipped, with both numbers, where host or device have less free memory than that.
void require_memory(const Lab& lab, const Variant& variant, const Job& job);

/// The same for the pictures of a job, drawn at this size, and what the reference makes of them.
void require_picture_memory(const Size& size, int channels, PixelType type, int frames);

}  // namespace convolab
