// SPDX-License-Identifier: MIT
#include "common/variant/convolver.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

const Image& output_of(Convolver& convolver, const std::function<void()>& run) {
    convolver.poison();
    convolver.upload();
    run();
    convolver.download();
    return convolver.result();
}

const Image& output_of(Convolver& convolver) {
    return output_of(convolver, [&] { convolver.run(); });
}

bool takes(const Variant& variant, const Image& image) {
    const auto has = [](const auto& list, auto value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    return has(variant.types, image.type()) && has(variant.channels, image.channels());
}

std::unique_ptr<Convolver> make_convolver(const Variant& variant, const Job& job) {
    if (!takes(variant, job.image())) {
        std::string made_for;
        for (const auto type : variant.types) made_for += to_string(type) + ' ';
        made_for += "samples in";
        for (const int channels : variant.channels) made_for += ' ' + std::to_string(channels);
        throw Unsupported("Variant " + variant.name + " is made for " + made_for +
                          " channels, not for " + describe(job.image()) + ".");
    }
    return variant.make(job);
}

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
