// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab run: one PNG in, one PNG out, through one variant. Alpha travels beside the colours
// unfiltered.
#include <iostream>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/image/png.hpp"

namespace convolab {

int run_command(const Lab& lab, const Options& options) {
    if (lab.operation.frames != 1)
        throw UsageError("Command run filters one picture; lab " + lab.name +
                         " compares frames, so use verify or bench.");
    const Variant& variant = *options.variants.front();
    Picture picture = read_png(options.image);
    if (!picture.note.empty()) std::cerr << options.image << ": " << picture.note << '\n';

    const PixelType type = options.type.value_or(variant.types.front());
    const Image input = convert(picture.colour, type, Layout::interleaved);
    const Job job{{&input},
                  options.make_filter(options.ksizes_or_default().front()),
                  options.border,
                  options.first_settings()};

    const auto convolver = make_convolver(variant, job);
    convolver->poison();
    convolver->upload();
    const double ms = lab.backend->time_ms([&] { convolver->run(); });
    convolver->download();
    const Image result = convolver->result();
    if (options.check) {
        const auto comparison =
            compare(result, lab.operation.reference(job), lab.operation.allowed_difference(job));
        if (!comparison.identical())
            throw Error("Variant " + variant.name + " differs from the reference in " +
                        std::to_string(comparison.different) + " samples, first " +
                        comparison.first + "; nothing was written.");
    }

    Image alpha = picture.alpha;
    if (!alpha.empty() && options.border.rule == BorderRule::valid) {
        const int p = job.filter.radius();
        alpha = crop(alpha, p, p, job.out_width(), job.out_height());
    }
    write_png(options.out, convert(result, PixelType::uint8, Layout::interleaved), alpha);
    std::cout << options.out << ": " << describe(result) << ", " << job.filter.name() << ' '
              << job.filter.ksize() << 'x' << job.filter.ksize() << ", " << to_string(job.border)
              << ", by " << variant.name;
    if (options.check) std::cout << ", identical to the reference";
    if (lab.backend->is_timed()) std::cout << ", " << ms << " ms (one run; use bench to measure)";
    std::cout << '\n';
    return 0;
}

}  // namespace convolab
