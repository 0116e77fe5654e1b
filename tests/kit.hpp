// SPDX-License-Identifier: MIT
// Folders, files, checksums and error messages of the tests.
#pragma once

#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/image/image.hpp"
#include "tests/catch.hpp"

namespace convolab::test {

/// A new folder, removed with its contents.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "convolab_XXXXXX").string();
        if (!::mkdtemp(name.data())) std::abort();
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file(const std::string& name) const { return (path / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path), {}));
    }
};

inline void spill(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}
inline std::string slurp(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::uint32_t crc_32(const void* bytes, std::size_t size) {
    return static_cast<std::uint32_t>(::crc32_z(0, static_cast<const Bytef*>(bytes), size));
}
inline std::uint32_t crc_32(const std::string& bytes) { return crc_32(bytes.data(), bytes.size()); }

inline bool same(const Image& a, const Image& b) {
    return describe(a) == describe(b) && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

/// The Error's message; empty if nothing was thrown.
inline std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Whether the text is one sentence on one line that contains all parts.
inline bool says(const std::string& text, const std::vector<std::string>& parts) {
    INFO("the sentence: " << text);
    bool all = !text.empty() && text.back() == '.' && text.find('\n') == std::string::npos;
    for (const auto& part : parts) all = all && text.find(part) != std::string::npos;
    CHECK(all);
    return all;
}

}  // namespace convolab::test
