// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a copy brings to the host that nobody has written, as far as a single run shows it.
// `cuda-on-cpu check` sees more.
#pragma once

#include <functional>

#include "device/copy.hpp"
#include "device/source_line.hpp"

namespace cuda_on_cpu {

/// After a copy; `caller` is who has called it.
void tell_unwritten(const void* from, const void* to, const Rows& rows,
                    const std::function<Frames()>& caller);

}  // namespace cuda_on_cpu
