// SPDX-License-Identifier: MIT
// lab run: one picture in, one PNG out, through one variant. Alpha goes into the output unfiltered.
// With --video: a clip in, a clip out (pipeline.hpp).
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/pipeline.hpp"
#include "common/image/png.hpp"
#include "common/measurement/results.hpp"
#include "common/video/pictures.hpp"

namespace convolab {
namespace {

void refuse_output(const Options& options) {
    if (options.out == "-")
        throw UsageError(
            "Option --out: a picture goes to a file, not to standard output; name a .png.");
    std::error_code none;
    if (std::filesystem::equivalent(options.image, options.out, none))
        throw UsageError("Option --out: '" + options.out +
                         "' is the input picture; name another file.");
    const std::string ending = file_ending(options.out);
    if (!ending.empty() && ending != ".png")
        throw UsageError("Option --out: '" + options.out +
                         "' would be a PNG; let its name end in .png.");
}

/// Takes a photo's colours away from the source.
Image input_of(PictureSource& source, const Options& options, PixelType type) {
    if (!source.photo() && !source.size())
        throw UsageError("Option --image: say the size, such as " + source.name() + ":480p.");
    const auto photo = [&] {
        Image colour = std::move(source.photo()->colour);
        const int channels = options.channels.value_or(colour.channels());
        return with_channels(std::move(colour), channels);
    };
    return convert(source.photo()
                       ? photo()
                       : source.picture(*source.size(), options.channels.value_or(3), type),
                   type, options.layout.value_or(Layout::interleaved));
}

bool can(const Lab& lab, const Variant& variant, const Job& job) try {
    require_memory(lab, variant, job);
    make_convolver(variant, job);
    return true;
} catch (const Error&) {
    return false;
}

/// Where the lab's best variant cannot do a job, those that can are named.
std::unique_ptr<Convolver> convolver_for(const Lab& lab, const Options& options, const Job& job) {
    const Variant& variant = *options.variants.front();
    try {
        return make_convolver(variant, job);
    } catch (const UnfitSetting&) {
        throw;
    } catch (const Unsupported& why) {
        if (!options.best_variant) throw;
        std::string others;
        for (const auto* other : lab.variants)
            if (other != &variant && can(lab, *other, job))
                others += (others.empty() ? "" : ", ") + other->name;
        if (others.empty()) throw;
        throw Unsupported(std::string(why.what()) + " This is the lab's best variant, " +
                          variant.name + "; name another with --variant: " + others + ".");
    }
}

/// The photo's alpha, cut to the output, which border `valid` makes smaller on all sides.
Image alpha_of(const PictureSource& source, const Image& result) {
    if (!source.photo() || source.photo()->alpha.empty()) return {};
    const Image& alpha = source.photo()->alpha;
    return crop(alpha, (alpha.width() - result.width()) / 2, (alpha.height() - result.height()) / 2,
                result.width(), result.height());
}

/// Nothing without --csv. Opened before the run: an hour of work is not lost to a name.
std::optional<ResultFile> times_file(const Lab& lab, const Options& options) {
    if (options.csv.empty()) return {};
    const Variant& variant = *options.variants.front();
    const auto is_timed = [&](const Variant* one) { return lab.backend_of(*one).is_timed(); };
    if (!is_timed(&variant)) {
        const bool others = std::any_of(lab.variants.begin(), lab.variants.end(), is_timed);
        throw UsageError("Option --csv: variant " + variant.name +
                         " runs on the CPU in place of a GPU, and that has no times; leave --csv "
                         "out" +
                         (others ? ", or name a CPU variant." : "."));
    }
    return std::optional<ResultFile>(std::in_place, options.csv, names(clip_columns()));
}

int run_video_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    auto times = times_file(lab, options);
    Pipeline pipeline(lab, options);
    pipeline.run();
    std::cout << (options.out.empty() ? options.video : options.out) << ": by "
              << options.variants.front()->name
              << (options.best_variant ? " (the lab's best; --variant names another)" : "")
              << (options.check ? ", identical to the reference" : "") << ". " << pipeline.summary()
              << '\n';
    if (interrupted()) return interrupted_exit_code();
    if (!times) return 0;
    Row row = origin_row(lab, *options.variants.front());
    row.merge(pipeline.row());
    times->append(row);
    return 0;
}

}  // namespace

int run_command(const Lab& lab, const Options& options) {
    if (!options.video.empty()) return run_video_command(lab, options);
    if (lab.operation.frames != 1)
        throw UsageError("Lab " + lab.name +
                         " compares frames: name a clip with --video instead of --image.");
    if (!options.out.empty()) refuse_output(options);
    const Variant& variant = *options.variants.front();
    PictureSource source(options.image);
    if (const auto& photo = source.photo()) {
        if (!photo->note.empty()) std::cerr << options.image << ": " << photo->note << '\n';
        if (!photo->alpha.empty())
            std::cerr << options.image << ": Alpha is kept and is not filtered.\n";
    }

    const Image input = input_of(source, options, options.type.value_or(variant.types.front()));
    const Job job{{&input},
                  options.make_filter(options.ksizes_or_default().front()),
                  options.border,
                  options.first_settings()};
    require_memory(lab, variant, job);
    const auto convolver = convolver_for(lab, options, job);
    Backend& backend = lab.backend_of(variant);
    double ms = 0;
    output_of(*convolver, [&] { ms = backend.time_ms([&] { convolver->run(); }); });
    const Image& result = convolver->result();
    if (options.check) {
        const Comparison comparison = compare(result, Expected(lab.operation_of(variant), job));
        if (!comparison.identical())
            throw Error("Variant " + variant.name + " differs from the reference, " +
                        describe(lab.operation, variant, job, options.image) + ": " +
                        describe(comparison) + "; nothing was written.");
    }
    if (!options.out.empty()) {
        Image bytes;
        if (result.type() != PixelType::uint8)
            bytes = convert(result, PixelType::uint8, Layout::interleaved);
        write_png(options.out, bytes.empty() ? result : bytes, alpha_of(source, result));
        std::cout << options.out << ": ";
    }
    std::cout << describe(result) << ", " << job.filter.name() << ' ' << job.filter.ksize() << 'x'
              << job.filter.ksize() << ", " << to_string(job.border) << ", by " << variant.name;
    if (options.best_variant) std::cout << " (the lab's best; --variant names another)";
    if (options.check) std::cout << ", identical to the reference";
    if (backend.is_timed())
        std::cout << ", " << to_digits(ms, 6) << " ms (one run; use bench to measure)";
    std::cout << '\n';
    return 0;
}

}  // namespace convolab
