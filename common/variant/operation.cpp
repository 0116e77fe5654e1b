// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/variant/lab.hpp"

namespace convolab {

Operation::Operation() {
    const auto outputs = [](const Job& job) {
        return job.out_width() * job.out_height() * job.image().channels();
    };
    bytes = [outputs](const Job& job) {
        const auto sample = static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
        return (job.image().samples() * static_cast<std::int64_t>(job.frames.size()) +
                outputs(job)) *
               sample;
    };
    operations = [outputs](const Job& job) {
        return 2LL * job.filter.ksize() * job.filter.ksize() * outputs(job);
    };
}

}  // namespace convolab
