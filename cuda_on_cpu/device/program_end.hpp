// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What is told when the program ends well: work that never ran, results that nobody has used, errors
// that nobody has looked at.
#pragma once

namespace cuda_on_cpu {

/// The program looks at errors: it has seen those of calls whose result it threw away.
void forget_unchecked();

}  // namespace cuda_on_cpu
