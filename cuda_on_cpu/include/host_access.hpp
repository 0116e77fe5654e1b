// SPDX-License-Identifier: MIT
// For libraries that read and write device memory by themselves, as MPI and NCCL do on a GPU. The
// emulator does not know them: what calls such a library opens the memory to it.
#pragma once

#include <memory>
#include <vector>

namespace cuda_on_cpu {

class DeviceAccess;

/// While it lives, the host may use the device memory at these addresses; of other addresses
/// nothing changes. One at a time, and no call of CUDA meanwhile.
class HostAccess {
  public:
    explicit HostAccess(const std::vector<const void*>& addresses);
    ~HostAccess();

  private:
    std::unique_ptr<DeviceAccess> access_;
};

}  // namespace cuda_on_cpu
