// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/image/png.hpp"
#include "common/video/video.hpp"

namespace convolab {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> png_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (const std::string name = entry->path().filename().string();
            file_ending(name) == ".png" && !name.starts_with('.'))  // macOS hides its own there
            names.push_back(name);
    if (error)
        throw Error("Folder '" + folder + "' cannot be read: " + error.message() +
                    "; check its permissions.");
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return ::strverscmp(a.c_str(), b.c_str()) < 0;  // frame9 before frame10
    });
    return names;
}

std::string size_of(const Image& image) {
    return std::to_string(image.width()) + "x" + std::to_string(image.height());
}

class PngSource final : public FrameSource {
  public:
    explicit PngSource(const std::string& folder) : folder_(folder), names_(png_names(folder)) {
        if (names_.empty())
            throw Error("Folder '" + folder + "' has no PNG files: name a folder of frames.");
        first_ = read();
        format_ = {first_.colour.width(), first_.colour.height(), {}};
    }

    bool next(Image& frame) override {
        if (number_ == names_.size()) return false;
        const Picture picture = number_ == 0 ? std::move(first_) : read();
        const Image& colour = picture.colour;
        if (colour.width() != format_.width || colour.height() != format_.height)
            throw Error("File '" + path() + "' has " + size_of(colour) + " pixels and the frames " +
                        "before it " + std::to_string(format_.width) + "x" +
                        std::to_string(format_.height) + ": bring all frames to one size.");
        std::string said = picture.note;
        if (!picture.alpha.empty())
            said += std::string(said.empty() ? "" : " ") + "Alpha was dropped.";
        if (!said.empty() && note_.empty()) note_ = "Frame '" + names_[number_] + "': " + said;
        fit(frame);
        const auto* from = colour.data<std::uint8_t>();
        auto* to = frame.data<std::uint8_t>();
        for (std::int64_t i = 0; i < frame.samples(); ++i)
            to[i] = from[colour.channels() == 3 ? i : i / 3];
        ++number_;
        return true;
    }

    std::string note() const override { return note_; }

  private:
    std::string path() const { return (fs::path(folder_) / names_[number_]).string(); }
    Picture read() const { return read_png(path()); }

    std::string folder_;
    std::vector<std::string> names_;  ///< the one thing that grows with the clip
    std::size_t number_ = 0;          ///< of the next frame
    Picture first_;
    std::string note_;
};

class PngSink final : public FrameSink {
  public:
    PngSink(const std::string& folder, const VideoFormat& format)
        : folder_(folder), format_(format) {
        std::error_code error;
        if (fs::is_directory(folder, error) && !png_names(folder).empty())
            throw Error("Folder '" + folder +
                        "' has PNG files already: name a new or an empty folder.");
    }

    void write(const Image& frame) override {
        require_frame(folder_, format_, frame);
        std::error_code error;
        if (number_ == 0) fs::create_directories(folder_, error);
        if (error)
            throw Error("Folder '" + folder_ + "' cannot be made: " + error.message() +
                        "; name another.");
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06lld.png", static_cast<long long>(++number_));
        write_png((fs::path(folder_) / name).string(), frame);
    }

  private:
    std::string folder_;
    VideoFormat format_;
    std::int64_t number_ = 0;  ///< frames written
};

}  // namespace

std::unique_ptr<FrameSource> open_png_folder(const std::string& folder) {
    return std::make_unique<PngSource>(folder);
}

std::unique_ptr<FrameSink> make_png_folder(const std::string& folder, const VideoFormat& format) {
    return std::make_unique<PngSink>(folder, format);
}

}  // namespace convolab
