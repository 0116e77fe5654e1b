// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace convolab {

/// plain: loops that the compiler vectorises, for any machine. avx512vnni: and VBMI.
enum class Isa { plain, avx2, avx512, avx512vnni };

/// The best instruction set of this machine, or the one that CONVOLAB_ISA in the environment names:
/// plain, avx2, avx512 or avx512vnni. Throws Error where that is none of these, or this machine
/// does not have it.
Isa choose_isa();

}  // namespace convolab
