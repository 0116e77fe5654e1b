// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Writes the pictures that the labs are measured on: the scene, or the user's own photo, at the
// standard sizes. Files that are there are kept. Exit codes: 0; 1 something failed; 2 usage.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "common/png.hpp"
#include "common/resample.hpp"
#include "common/sizes.hpp"
#include "data/scene.hpp"

namespace {

using namespace convolab;
namespace fs = std::filesystem;

/// Whether the file is there, whole and of this size; says so where it has to be made again.
bool is_complete(const std::string& path, const Size& size) {
    if (!fs::exists(path)) return false;
    try {
        const Image image = read_png(path).colour;
        if (image.width() == size.width && image.height() == size.height) return true;
        std::cout << path << ": has another size, made again" << std::endl;
    } catch (const Error&) {
        std::cout << path << ": is damaged, made again" << std::endl;
    }
    return false;
}

int make(const std::string& out, const std::string& photo, const std::vector<Size>& sizes) {
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
                    "; name another with --out.");
    const std::string stem = photo.empty() ? "scene" : fs::path(photo).stem().string();
    for (const Size& size : sizes) {
        const std::string path = (fs::path(out) / (stem + "_" + size.name + ".png")).string();
        // A photo may have been edited since: its files are older than it then.
        const bool stale = !photo.empty() && fs::exists(path) && fs::exists(photo) &&
                           fs::last_write_time(path) < fs::last_write_time(photo);
        if (!stale && is_complete(path, size)) {
            std::cout << path << ": is there, kept" << std::endl;
            continue;
        }
        if (photo.empty()) {
            write_png(path, draw_scene(size.width, size.height));
        } else {
            const auto fitted = [&](const Image& image) {
                return image.empty() ? Image()
                                     : centre_crop_and_resample(image, size.width, size.height);
            };
            write_png(path, fitted(picture.colour), fitted(picture.alpha));
        }
        std::cout << path << ": " << size.width << "x" << size.height << std::endl;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Draws the test scene, or resamples a photo, at the sizes of the experiments.");
    std::string out = "data/generated", photo;
    std::vector<std::string> names;
    app.add_option("--out", out, "folder for the pictures")->capture_default_str();
    app.add_option("--image", photo, "a PNG to use instead of the scene");
    app.add_option("--size", names, "480p, 720p, 1080p, 1440p, 4k, 8k or WIDTHxHEIGHT; all six")
        ->delimiter(',');
    try {
        app.parse(argc, argv);
        std::vector<Size> sizes;
        for (const std::string& name : names) sizes.push_back(parse_size(name));
        return make(out, photo, sizes.empty() ? standard_sizes() : sizes);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const UsageError& error) {
        std::cerr << error.what() << std::endl;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
}
