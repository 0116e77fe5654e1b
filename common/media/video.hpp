// SPDX-License-Identifier: MIT
// Frames in and frames out. A source and a sink keep one frame at a time, so that memory does not
// grow with the length of the clip. All but the drawn clips go through ffmpeg (ffmpeg.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/image/image.hpp"

namespace convolab {

/// Noise of a camera's sensor: its variance at a sample of value v is read^2 + shot * v.
struct SensorNoise {
    int read_in_16ths = 32;   ///< standard deviation in the dark, in 1/16 of a step of a sample
    int shot_in_256ths = 26;  ///< variance per step of brightness, in 1/256
};

struct SyntheticSettings {
    std::int64_t width = 1920, height = 1080;  ///< pixels
    std::int64_t frames = 100;                 ///< length of the clip
    std::uint64_t seed = 1;                    ///< of the noise
    SensorNoise noise = {};
};

/// Frames per second, as a fraction: 30000/1001.
struct FrameRate {
    std::int64_t numerator = 25;
    std::int64_t denominator = 1;
};

/// What all frames of a clip have in common.
struct VideoFormat {
    std::int64_t width = 0, height = 0;  ///< pixels
    FrameRate rate = {};
};

/// A clip, read frame by frame.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    const VideoFormat& format() const { return format_; }
    /// Sentences about what of the clip is not read; empty if there are none.
    const std::string& note() const { return note_; }

    /// Puts the next frame into `frame`: RGB, uint8, interleaved, of the size of format(). Its
    /// memory is used again if it fits. False at the end of the clip. Throws Error if the clip is
    /// damaged, cut or changes its size; the frames before are whole.
    virtual bool next(Image& frame) = 0;

  protected:
    /// Makes `frame` an image of the clip's format.
    void fit(Image& frame) const;

    VideoFormat format_;
    std::string note_;
};

/// What players take a clip for whose file does not say it: high definition has its own colours.
inline std::string usual_matrix(std::int64_t height) { return height >= 720 ? "bt709" : "bt601"; }

/// A clip that is written frame by frame.
class FrameSink {
  public:
    virtual ~FrameSink() = default;  ///< what was written stays readable, with finish() or without

    /// Appends a frame: RGB, uint8, interleaved, of the size the sink was opened with. Throws Error
    /// if it cannot be written; the frames before stay readable.
    virtual void write(const Image& frame) = 0;

    /// The clip is complete. Throws Error if its end cannot be written.
    virtual void finish() {}
};

/// Opens a clip by its name:
///   moving, panning, static, black   drawn (`settings`)
///   0, 1, ...                        a camera: /dev/video0, ...
///   a folder                         its PNG files in the alphabetical order of their names, 25
///                                    frames per second
///   anything else                    a video file or stream
/// Throws Error in one sentence.
std::unique_ptr<FrameSource> open_source(const std::string& name,
                                         const SyntheticSettings& settings = {});

/// The clip that --video names: as open_source() takes it, a synthetic one also with its size,
/// moving:480p. length: frames of a synthetic clip; others are read to their end.
std::unique_ptr<FrameSource> open_clip(const std::string& name, std::optional<int> length);

/// Opens a clip for writing: a folder of PNG files, frame_000001.png and so on (an existing folder
/// without PNG files, or a name that ends in /), or a file whose ending tells ffmpeg its format.
/// Nothing is made or overwritten before the first frame. Throws Error; UsageError for a name
/// without a format.
std::unique_ptr<FrameSink> open_sink(const std::string& name, const VideoFormat& format);

/// Throws Error if a file of this name cannot be made or written; changes nothing.
void require_writable(const std::string& path);

/// Whether both names are one file or folder: a clip cannot be written over itself.
bool is_same_file(const std::string& source, const std::string& sink);

/// Throws Error for a size over the limits of a frame (65,535 pixels per side, 2^29 samples),
/// before memory is taken. `what` begins the sentence.
void require_frame_size(const std::string& what, std::int64_t width, std::int64_t height);

}  // namespace convolab
