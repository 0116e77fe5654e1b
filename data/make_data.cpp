// SPDX-License-Identifier: MIT
// Writes the pictures that the labs are measured on: the scene, or the user's own photo, at the
// standard sizes. Files that are there are kept. Exit codes: 0; 1 something failed; 2 usage.
#include <getopt.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/image/resample.hpp"
#include "common/image/sizes.hpp"
#include "common/media/png.hpp"
#include "common/media/scene.hpp"

namespace {

using namespace convolab;
namespace fs = std::filesystem;

/// The picture in a file, or an empty one if it is missing, damaged or of another size.
Picture kept(const std::string& path, const Size& size) {
    if (!fs::exists(path)) return {};
    try {
        Picture old = read_png(path);
        if (old.colour.width() == size.width && old.colour.height() == size.height) return old;
        std::cout << path << ": has another size, made again" << std::endl;
    } catch (const Error&) {
        std::cout << path << ": is damaged, made again" << std::endl;
    }
    return {};
}

bool same(const Image& a, const Image& b) {
    return a.bytes() == b.bytes() && a.channels() == b.channels() &&
           std::equal(a.raw(), a.raw() + a.bytes(), b.raw());
}

bool is_older(const std::string& path, const std::string& than) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error), other = fs::last_write_time(than, error);
    return !error && time < other;
}

int make(const std::string& program, const std::string& out, const std::string& photo,
         const std::vector<Size>& sizes) {
    Picture picture;
    if (!photo.empty()) {
        picture = read_png(photo);
        if (!picture.note.empty()) std::cout << photo << ": " << picture.note << std::endl;
    }
    std::error_code error;
    fs::create_directories(out, error);
    if (!fs::is_directory(out))
        throw Error("Folder '" + out +
                    "' cannot be made: " + (error ? error.message() : "a file has its name") +
                    "; let it be written to, or name another with --out.");
    const std::string stem = photo.empty() ? "scene" : fs::path(photo).stem().string();
    for (const Size& size : sizes) {
        const std::string path = (fs::path(out) / (stem + "_" + size.name + ".png")).string();
        const Picture old = kept(path, size);
        Picture wanted;
        // The scene changes with this program only; a photo of the same name may be another one.
        bool keep = photo.empty() && !old.colour.empty() && !is_older(path, program);
        if (photo.empty() && !keep) wanted.colour = draw_scene(size.width, size.height);
        if (!photo.empty()) {
            wanted.colour = centre_crop_and_resample(picture.colour, size.width, size.height);
            if (!picture.alpha.empty())
                wanted.alpha = centre_crop_and_resample(picture.alpha, size.width, size.height);
            keep = same(wanted.colour, old.colour) && same(wanted.alpha, old.alpha);
        }
        if (keep) {
            std::cout << path << ": is there, kept" << std::endl;
            continue;
        }
        write_png(path, wanted.colour, wanted.alpha);
        std::cout << path << ": " << size.width << "x" << size.height << std::endl;
    }
    return 0;
}

const char* const kHelp =
    "Draws the test scene, or resamples a photo, at the sizes of the experiments.\n"
    "  --out FOLDER   for the pictures (default: data/generated)\n"
    "  --image FILE   a PNG to use instead of the scene\n"
    "  --size LIST    480p, 720p, 1080p, 1440p, 4k, 8k or WIDTHxHEIGHT, with commas (default: all "
    "six)\n";

}  // namespace

int main(int argc, char** argv) try {
    std::string out = "data/generated", photo;
    std::vector<Size> sizes = standard_sizes();
    const option options[] = {{"out", required_argument, nullptr, 'o'},
                              {"image", required_argument, nullptr, 'i'},
                              {"size", required_argument, nullptr, 's'},
                              {"help", no_argument, nullptr, 'h'},
                              {}};
    for (int letter; (letter = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        if (letter == 'o') out = optarg;
        if (letter == 'i') photo = optarg;
        if (letter == 's') {
            sizes.clear();
            std::stringstream names(optarg);
            for (std::string name; std::getline(names, name, ',');)
                sizes.push_back(parse_size(name));
        }
        if (letter == 'h') return std::cout << kHelp, 0;
        if (letter == '?') return 2;
    }
    if (optind < argc) throw UsageError(std::string("Not expected here: ") + argv[optind]);
    return make(argv[0], out, photo, sizes);
} catch (const UsageError& error) {
    std::cerr << "error: " << error.what() << std::endl;
    return 2;
} catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
