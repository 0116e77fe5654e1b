// SPDX-License-Identifier: MIT
// What rates on a GPU are compared with: the fastest copy of an 8K RGB picture in its memory, and
// the bus. Both throw Error if a call fails. Also the GPU's clocks, which its driver reports
// through NVML. That library comes with the driver and is loaded when the program runs. Without it
// the clocks are not reported.
#pragma once

#include <cuda_runtime.h>

#include <optional>
#include <string>

#include "common/variant/backend.hpp"

namespace convolab {

/// The faster of the runtime's copy and a kernel that copies.
CopySpeed fastest_copy_on_device();
/// On the host's clock, which several devices share. It makes enough copies that the time of a call
/// does not matter.
BusSpeed speed_of_bus(int devices);

/// Whether this program has machine code for the GPU: cudaErrorInvalidDeviceFunction where not.
cudaError_t find_machine_code();

struct GpuClocks {
    unsigned sm_mhz = 0, max_sm_mhz = 0;
    unsigned memory_mhz = 0, max_memory_mhz = 0;
};

/// Of the device with this PCI address, which takes about a millisecond.
std::optional<GpuClocks> nvml_clocks(const std::string& pci_bus_id);
/// "SM 1980 of 1980 MHz, memory 3201 of 3201 MHz", or "not shown".
std::string to_string(const std::optional<GpuClocks>& clocks);

/// The first eight digits of its UUID, or "not shown".
std::string nvml_uuid(const std::string& pci_bus_id);

/// Such as "580.82.07"; "" where NVML is absent.
std::string nvml_driver_version();

}  // namespace convolab
