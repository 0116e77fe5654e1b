// SPDX-License-Identifier: MIT
// lab run: a picture in, a PNG out, through one variant; or each picture of a folder. Alpha goes
// into the output unfiltered. A clip: pipeline.cpp.
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/expected.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/repeat.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/pictures.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

/// The pictures to read, each with the PNG to write ("": none).
using Files = std::vector<std::pair<std::string, std::string>>;

Files one_file(const Options& options) {
    const std::string& out = options.out;
    if (out == "-")
        throw UsageError(
            "Option --out: a picture goes to a file, not to standard output; name a .png.");
    std::error_code none;
    if (fs::equivalent(options.image, out, none))
        throw UsageError("Option --out: '" + out + "' is the input picture; name another file.");
    const std::string ending = file_ending(out);
    if (!ending.empty() && ending != ".png")
        throw UsageError("Option --out: '" + out + "' would be a PNG; let its name end in .png.");
    return {{options.image, out}};
}

/// Each PNG or JPEG of a folder, into a PNG of its name in the folder --out.
Files files_of_folder(const Options& options) {
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
    Files files;
    for (const auto& [name, path] : pictures)
        files.emplace_back(path, options.out.empty() ? "" : out / name);
    return files;
}

Picture read_input(const std::string& path, const Options& options) {
    const PixelType type = options.type.value_or(options.variants.front()->types.front());
    Picture picture =
        read_picture(path, options.channels, type, options.layout.value_or(Layout::interleaved));
    if (!picture.note.empty()) std::cerr << path << ": " << picture.note << '\n';
    if (!picture.alpha.empty()) std::cerr << path << ": Alpha is kept and is not filtered.\n";
    return picture;
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

/// Milliseconds of a run; the output is the convolver's. picture: for the error.
double filter(const Lab& lab, const Options& options, const Job& job, Convolver& convolver,
              const std::string& picture) {
    const Variant& variant = *options.variants.front();
    double ms = 0;
    output_of(convolver, [&] { ms = lab.backend_of(variant).time_ms([&] { convolver.run(); }); });
    if (!options.check) return ms;
    const Comparison comparison =
        compare(convolver.result(), Expected(lab.operation_of(variant), job));
    if (!comparison.identical())
        throw Error("Variant " + variant.name + " differs from the reference, " +
                    describe(lab.operation, variant, job, picture) + ": " + describe(comparison) +
                    "; nothing was written.");
    return ms;
}

/// "out.png: 640x480 ..., gaussian 5x5, replicate, by simd, 1.25 ms (...)"
void say(const Lab& lab, const Options& options, const Job& job, const std::string& out,
         const Image& result, double ms) {
    const Variant& variant = *options.variants.front();
    std::cout << out << (out.empty() ? "" : ": ") << describe(result) << ", " << job.filter.name()
              << ' ' << job.filter.ksize() << 'x' << job.filter.ksize() << ", "
              << to_string(job.border) << ", by " << variant.name << options.how_it_ran();
    if (lab.backend_of(variant).is_timed())
        std::cout << ", " << to_digits(ms, 6) << " ms (one run; use bench to measure)";
    std::cout << '\n';
}

}  // namespace

int run_command(const Lab& lab, const Options& options) {
    for (const auto& [in, out] :
         fs::is_directory(options.image) ? files_of_folder(options) : one_file(options)) {
        const Picture picture = read_input(in, options);
        const Job job{
            {&picture.colour}, options.filters.front(), options.border, options.first_settings()};
        require_memory(lab, *options.variants.front(), job);
        const auto convolver = convolver_for(lab, options, job);
        const double ms = filter(lab, options, job, *convolver, in);
        const Image& result = convolver->result();
        if (!out.empty()) write_picture(out, result, picture.alpha);
        say(lab, options, job, out, result, ms);
    }
    return 0;
}

}  // namespace convolab
