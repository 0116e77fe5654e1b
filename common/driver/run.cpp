// SPDX-License-Identifier: MIT
// lab run: one picture in, one PNG out, through one variant; or each picture of a folder. Alpha goes into the output unfiltered.
// With --video: a clip in, a clip out (pipeline.cpp).
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/driver/commands.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/pictures.hpp"
#include "common/media/png.hpp"

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

/// The picture as the variant takes it. Of a photo the colours are taken away from the source.
Image read_input(PictureSource& source, const Options& options, const Variant& variant) {
    if (!source.photo() && !source.size())
        throw UsageError("Option --image: say the size, such as " + source.name() + ":480p.");
    const PixelType type = options.type.value_or(variant.types.front());
    Image picture;
    if (auto& photo = source.photo()) {
        if (!photo->note.empty()) std::cerr << options.image << ": " << photo->note << '\n';
        if (!photo->alpha.empty())
            std::cerr << options.image << ": Alpha is kept and is not filtered.\n";
        const int channels = options.channels.value_or(photo->colour.channels());
        picture = with_channels(std::move(photo->colour), channels);
    } else {
        picture = source.picture(*source.size(), options.channels.value_or(3), type);
    }
    return convert(std::move(picture), type, options.layout.value_or(Layout::interleaved));
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

/// The output is the convolver's. Gives the time of its run.
double compute(const Lab& lab, const Options& options, const Job& job, Convolver& convolver) {
    const Variant& variant = *options.variants.front();
    double ms = 0;
    output_of(convolver, [&] { ms = lab.backend_of(variant).time_ms([&] { convolver.run(); }); });
    if (!options.check) return ms;
    const Comparison comparison =
        compare(convolver.result(), Expected(lab.operation_of(variant), job));
    if (!comparison.identical())
        throw Error("Variant " + variant.name + " differs from the reference, " +
                    describe(lab.operation, variant, job, options.image) + ": " +
                    describe(comparison) + "; nothing was written.");
    return ms;
}

/// With the photo's alpha, cut to the output, which border `valid` makes smaller on all sides.
void write_output(const Options& options, const PictureSource& source, const Image& result) {
    Image bytes, alpha;
    if (result.type() != PixelType::uint8)
        bytes = convert(result, PixelType::uint8, Layout::interleaved);
    if (source.photo() && !source.photo()->alpha.empty()) {
        const Image& whole = source.photo()->alpha;
        alpha = crop(whole, (whole.width() - result.width()) / 2,
                     (whole.height() - result.height()) / 2, result.width(), result.height());
    }
    write_png(options.out, bytes.empty() ? result : bytes, alpha);
    std::cout << options.out << ": ";
}

}  // namespace

namespace {

/// Each picture of a folder into a PNG of its name in the folder --out.
int run_folder(const Lab& lab, const Options& options) {
    namespace fs = std::filesystem;
    const fs::path in = options.image, out = options.out;
    std::error_code none;
    if (!options.out.empty() && (fs::equivalent(in, out, none) ||
                                 (!fs::is_directory(out, none) && options.out.back() != '/')))
        throw UsageError("Option --out: '" + options.out +
                         "' is to take the pictures of a folder; name another folder/.");
    std::map<std::string, fs::path> pictures;  // by the name of the output
    for (const auto& entry : fs::directory_iterator(in)) {
        const std::string ending = file_ending(entry.path()), stem = entry.path().stem();
        if (stem.starts_with('.') || (ending != ".png" && ending != ".jpg" && ending != ".jpeg"))
            continue;
        if (!pictures.try_emplace(stem + ".png", entry.path()).second)
            throw Error("Folder '" + options.image + "' has two pictures called '" + stem +
                        "', which would become one; rename one.");
    }
    if (pictures.empty())
        throw Error("Folder '" + options.image + "' has no PNG or JPEG files; name another.");
    fs::create_directories(out, none);
    for (const auto& [name, path] : pictures) {
        Options one = options;
        one.image = path;
        if (!options.out.empty()) one.out = out / name;
        run_command(lab, one);
    }
    return 0;
}

}  // namespace

int run_command(const Lab& lab, const Options& options) {
    if (!options.video.empty()) return run_clip_command(lab, options);
    if (lab.operation.frames == 1 && std::filesystem::is_directory(options.image))
        return run_folder(lab, options);
    if (lab.operation.frames != 1)
        throw UsageError("Lab " + lab.name +
                         " compares frames: name a clip with --video instead of --image.");
    if (!options.out.empty()) refuse_output(options);
    const Variant& variant = *options.variants.front();
    PictureSource source(options.image);
    const Image input = read_input(source, options, variant);
    const Job job{{&input},
                  options.make_filter(options.ksizes_or_default().front()),
                  options.border,
                  options.first_settings()};
    require_memory(lab, variant, job);
    const auto convolver = convolver_for(lab, options, job);
    const double ms = compute(lab, options, job, *convolver);
    if (!options.out.empty()) write_output(options, source, convolver->result());
    std::cout << describe(convolver->result()) << ", " << job.filter.name() << ' '
              << job.filter.ksize() << 'x' << job.filter.ksize() << ", " << to_string(job.border)
              << ", by " << variant.name << how_it_ran(options);
    if (lab.backend_of(variant).is_timed())
        std::cout << ", " << to_digits(ms, 6) << " ms (one run; use bench to measure)";
    std::cout << '\n';
    return 0;
}

}  // namespace convolab
