// SPDX-License-Identifier: MIT
// Helpers of the tests of difference streams: parts with checks as the format defines them, and
// streams with every kind of damage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random_bits.hpp"
#include "tests/kit.hpp"

namespace convolab::test {

inline std::string number(std::uint32_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 255);
    return bytes;
}

/// Head, frames and end, each followed by the check of everything before it.
inline std::string with_checks(const std::vector<std::string>& parts) {
    std::string all, stream;
    for (const auto& part : parts) {
        all += part;
        stream += part + number(crc_32(all));
    }
    return stream;
}

/// The parts of a stream, without their checks.
inline std::vector<std::string> parts_of(const std::string& stream) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < stream.size();) {
        std::size_t size = 28;
        if (at > 0) {
            std::uint32_t length = 0;
            for (int i = 0; i < 4; ++i)
                length |= std::uint32_t{static_cast<unsigned char>(stream[at + i])} << 8 * i;
            size = 4 + (length == 0xFFFFFFFFU ? 0 : length);
        }
        parts.push_back(stream.substr(at, size));
        at += size + 4;
    }
    return parts;
}

class Damage {
  public:
    explicit Damage(std::string whole) : whole_(std::move(whole)), parts_(parts_of(whole_)) {}

    /// The stream with one to three faults.
    std::string next() {
        std::string bytes = whole_;
        for (auto faults = 1 + below(3); faults > 0; --faults) hurt(bytes);
        return bytes == whole_ ? next() : bytes;
    }

    /// Parts that are damaged, exchanged, doubled or left out, with matching checks.
    std::string with_fitting_checks() {
        auto parts = parts_;
        const auto n = below(parts.size());
        const auto at = parts.begin() + static_cast<std::ptrdiff_t>(n);
        if (const auto kind = below(5); kind == 0)
            parts.erase(at);
        else if (kind == 1)
            parts.insert(at, std::string(parts[below(parts.size())]));
        else
            hurt(parts[n]);
        return with_checks(parts);
    }

  private:
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>(random_bits(++count_ * kRandomStep) % n);
    }
    void hurt(std::string& bytes) {
        if (bytes.empty()) return;
        const std::size_t at = below(bytes.size()), size = 1 + below(40);
        if (const auto kind = below(4); kind == 0)
            bytes[at] = static_cast<char>(below(256));
        else if (kind == 1)
            bytes.erase(at, size);
        else if (kind == 2)
            bytes.insert(at, bytes.substr(below(bytes.size()), size));
        else
            bytes.replace(at, size, std::string(size, below(2) ? '\xFF' : '\0'));
    }

    std::string whole_;
    std::vector<std::string> parts_;
    std::uint64_t count_ = 0;
};

}  // namespace convolab::test
