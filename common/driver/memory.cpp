// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/memory.hpp"

#include <string>

#include "common/base/error.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {

void require_memory(const Lab& lab, const Variant& variant, const Job& job) {
    const auto output = job.out_width() * job.out_height() * job.image().channels() *
                        static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
    const MemoryNeed need =
        variant.memory ? variant.memory(job)
                       : MemoryNeed{static_cast<std::int64_t>(job.image().bytes()) + output, 0};
    const auto mib = [](std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
    if (need.host > memory_free())
        throw Skipped("It needs " + mib(need.host) + " of memory and " + mib(memory_free()) +
                      " are free.");
    const auto device = lab.backend->device_memory_free();
    if (device && need.device > *device)
        throw Skipped("It needs " + mib(need.device) + " of device memory and " + mib(*device) +
                      " are free.");
}

}  // namespace convolab
