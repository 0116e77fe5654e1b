// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A clip as a folder of PNG files, one per frame.
#pragma once

#include <memory>
#include <string>

#include "common/video/video.hpp"

namespace convolab {

/// The folder's *.png in the order of their names, numbers in them compared as numbers (frame9
/// before frame10). Gray becomes RGB, alpha is dropped. 25 frames per second. Throws Error for a
/// folder without PNG files; next() for a damaged file and for one of another size.
std::unique_ptr<FrameSource> open_png_folder(const std::string& folder);

/// Writes frame_000001.png, frame_000002.png, ... Each file is whole or absent. The folder is made
/// with the first frame; one that has PNG files already is refused, so that clips do not mix.
std::unique_ptr<FrameSink> make_png_folder(const std::string& folder, const VideoFormat& format);

/// Whether `a` comes before `b`: digits are compared as the numbers they form.
bool in_natural_order(const std::string& a, const std::string& b);

}  // namespace convolab
