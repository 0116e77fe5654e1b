// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <type_traits>

#include "common/cuda/ceilings.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

// As NVML documents them; its header is part of the CUDA toolkit, which a machine with a driver may
// lack.
enum class ClockType { sm = 1, memory = 2 };

struct Nvml {
    Nvml() {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY);
        if (library == nullptr) return;
        int (*start)() = nullptr;
        const auto find = [library](auto& function, const char* name) {
            function =
                reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            return function != nullptr;
        };
        usable = find(start, "nvmlInit_v2") && find(version, "nvmlSystemGetDriverVersion") &&
                 find(device, "nvmlDeviceGetHandleByPciBusId_v2") &&
                 find(uuid, "nvmlDeviceGetUUID") && find(clock, "nvmlDeviceGetClockInfo") &&
                 find(max_clock, "nvmlDeviceGetMaxClockInfo") && start() == 0;
    }

    bool usable = false;
    int (*version)(char*, unsigned) = nullptr;
    int (*device)(const char*, void**) = nullptr;
    int (*uuid)(void*, char*, unsigned) = nullptr;
    int (*clock)(void*, ClockType, unsigned*) = nullptr;
    int (*max_clock)(void*, ClockType, unsigned*) = nullptr;
};

const Nvml& nvml() {
    static const Nvml loaded;  // until the program ends
    return loaded;
}

}  // namespace

std::optional<GpuClocks> nvml_clocks(const std::string& pci_bus_id) {
    void* device = nullptr;
    if (!nvml().usable || nvml().device(pci_bus_id.c_str(), &device) != 0) return {};
    GpuClocks clocks;
    if (nvml().clock(device, ClockType::sm, &clocks.sm_mhz) != 0 ||
        nvml().clock(device, ClockType::memory, &clocks.memory_mhz) != 0 ||
        nvml().max_clock(device, ClockType::sm, &clocks.max_sm_mhz) != 0 ||
        nvml().max_clock(device, ClockType::memory, &clocks.max_memory_mhz) != 0)
        return {};
    return clocks;
}

std::string to_string(const std::optional<GpuClocks>& clocks) {
    if (!clocks) return kNotShown;
    const auto of = [](unsigned now, unsigned greatest) {
        return std::to_string(now) + " of " + std::to_string(greatest) + " MHz";
    };
    return "SM " + of(clocks->sm_mhz, clocks->max_sm_mhz) + ", memory " +
           of(clocks->memory_mhz, clocks->max_memory_mhz);
}

std::string nvml_uuid(const std::string& pci_bus_id) {
    constexpr int kBegin = 4, kDigits = 8;  // after "GPU-"
    void* device = nullptr;
    char text[96] = {};
    if (!nvml().usable || nvml().device(pci_bus_id.c_str(), &device) != 0 ||
        nvml().uuid(device, text, sizeof text) != 0)
        return kNotShown;
    return std::string(text + kBegin, kDigits);
}

std::string nvml_driver_version() {
    char text[96] = {};
    return nvml().usable && nvml().version(text, sizeof text) == 0 ? text : "";
}

}  // namespace convolab
