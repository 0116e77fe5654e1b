// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace convolab {

/// plain: loops that the compiler vectorises, for any machine. avx512vnni includes VBMI.
enum class Isa { plain, avx2, avx512, avx512vnni };

/// The best instruction set of this machine, or the one that CONVOLAB_ISA in the environment names:
/// plain, avx2, avx512 or avx512vnni. Throws Error if the name is another one, or if this machine
/// does not support it.
Isa choose_isa();

/// The name as CONVOLAB_ISA writes it.
std::string to_string(Isa isa);

/// While it lives, choose_isa() gives this thread the instruction set `isa`.
class IsaOfThread {
  public:
    explicit IsaOfThread(Isa isa);
    ~IsaOfThread();
    IsaOfThread(const IsaOfThread&) = delete;
    IsaOfThread& operator=(const IsaOfThread&) = delete;
};

/// The instruction sets of this machine that choose_isa() did not give to this thread since the
/// last call of this function. Empty if it was not called, or if CONVOLAB_ISA is set.
std::vector<Isa> isas_not_chosen();

}  // namespace convolab
