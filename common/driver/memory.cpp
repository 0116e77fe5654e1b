// SPDX-License-Identifier: MIT
#include "common/driver/memory.hpp"

#include <string>

#include "common/base/error.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

std::string mib(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

MemoryNeed memory_need(const Variant& variant, const Job& job) {
    if (variant.memory) return variant.memory(job);
    const auto output = job.out_width() * job.out_height() * job.image().channels() *
                        static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
    return {static_cast<std::int64_t>(job.image().bytes()) + output, 0};
}

void require_memory(const Lab& lab, const Variant& variant, const Job& job) {
    const MemoryNeed need = memory_need(variant, job);
    if (need.host > memory_free())
        throw Skipped("Variant " + variant.name + " needs " + mib(need.host) + " of memory and " +
                      mib(memory_free()) + " are free.");
    const auto device = lab.backend_of(variant).device_memory_free();
    if (device && need.device > *device)
        throw Skipped("Variant " + variant.name + " needs " + mib(need.device) +
                      " of device memory and " + mib(*device) + " are free.");
}

void require_picture_memory(const Size& size, int channels, PixelType type, int frames) {
    const double pixels = static_cast<double>(size.width) * static_cast<double>(size.height);
    const double sample = static_cast<double>(bytes_per_sample(type));
    const double need = pixels * (3 + channels * sample * (frames + 1));  // 3: the drawn scene
    if (need > static_cast<double>(memory_free()))
        throw Skipped("A picture of " + size.name + " and its reference need " +
                      std::to_string(static_cast<std::int64_t>(need / (1 << 20))) +
                      " MiB of memory and " + mib(memory_free()) + " are free.");
}

}  // namespace convolab
