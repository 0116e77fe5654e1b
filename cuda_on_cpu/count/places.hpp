// SPDX-License-Identifier: MIT
// What a request asks: which memory its addresses lie in.
#pragma once

#include <vector>

#include "count/request.hpp"
#include "device/base/observer.hpp"

namespace cuda_on_cpu::count {

enum class Memory { global, shared, constant, other };

class Places {
  public:
    Places();
    /// Allocations and shared memory may have changed.
    void begin_kernel();
    /// Finds it for all lanes. Then its addresses are as on a GPU: an allocation begins with a sector,
    /// the shared memory with bank 0.
    Memory find(Request& request);

  private:
    struct Place {
        std::uint64_t begin, end;
        std::uint64_t origin;  ///< what is subtracted from an address
        Memory memory;
    };
    static void add(std::vector<Place>& places, std::uint64_t begin, std::uint64_t end,
                    Memory memory, std::uint64_t origin = 0);
    const Place* look_up(std::uint64_t address);

    std::vector<Place> fixed_, known_;  // those of the program; those that the kernel has used
};

}  // namespace cuda_on_cpu::count
