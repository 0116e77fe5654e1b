// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The file of a PNG before libpng reads it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace convolab {

struct PngFile {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{nullptr, std::fclose};
    unsigned char head[33] = {};  ///< signature and IHDR: enough to refuse a file by its size
    std::size_t head_size = 0;    ///< bytes of the head that the file has
};

/// Throws Error for a file that cannot be read, is no PNG, or has more pixels than the limits allow.
PngFile open_png(const std::string& path);

}  // namespace convolab
