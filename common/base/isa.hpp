// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace convolab {

/// plain: loops that the compiler vectorises, for any machine. avx512vnni: and VBMI.
enum class Isa { plain, avx2, avx512, avx512vnni };

/// The best instruction set of this machine, or the one that CONVOLAB_ISA in the environment names:
/// plain, avx2, avx512 or avx512vnni. Throws Error where that is none of these, or this machine
/// does not have it.
Isa choose_isa();

/// As CONVOLAB_ISA names it.
std::string to_string(Isa isa);

/// As long as it exists, choose_isa() gives this thread the instruction set `isa`.
class IsaOfThread {
  public:
    explicit IsaOfThread(Isa isa);
    ~IsaOfThread();
    IsaOfThread(const IsaOfThread&) = delete;
    IsaOfThread& operator=(const IsaOfThread&) = delete;
};

/// What choose_isa() did not give to this thread since the last call of this function, although
/// this machine has it. Nothing where it was not called, or where CONVOLAB_ISA is set.
std::vector<Isa> isas_not_chosen();

}  // namespace convolab
