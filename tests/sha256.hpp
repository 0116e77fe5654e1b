// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), for tests whose expectation is a hash of bytes.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace convolab::test {

/// The hash of `size` bytes as 64 hexadecimal digits.
inline std::string sha256(const void* bytes, std::size_t size) {
    // The constants are the first 32 bits of the fractions of the roots of the first primes.
    static const auto constants = [] {
        std::array<std::uint32_t, 72> c{};  // 64 cube roots, then 8 square roots
        int found = 0;
        for (std::uint32_t n = 2; found < 64; ++n) {
            bool prime = true;
            for (std::uint32_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
            if (!prime) continue;
            const auto fraction = [](long double root) {
                return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
            };
            if (found < 8) c[64 + found] = fraction(std::sqrt(static_cast<long double>(n)));
            c[found++] = fraction(std::cbrt(static_cast<long double>(n)));
        }
        return c;
    }();

    const auto* data = static_cast<const std::uint8_t*>(bytes);
    std::vector<std::uint8_t> message(data, data + size);
    message.push_back(0x80);
    while (message.size() % 64 != 56) message.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
        message.push_back(static_cast<std::uint8_t>(std::uint64_t{size} * 8 >> shift));

    std::array<std::uint32_t, 8> state;
    for (int i = 0; i < 8; ++i) state[i] = constants[64 + i];
    for (std::size_t at = 0; at < message.size(); at += 64) {
        std::array<std::uint32_t, 64> w;
        for (int i = 0; i < 16; ++i) {
            const std::uint8_t* p = &message[at + 4 * static_cast<std::size_t>(i)];
            w[i] = std::uint32_t{p[0]} << 24 | p[1] << 16 | p[2] << 8 | p[3];
        }
        for (int i = 16; i < 64; ++i) {
            const auto s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
            const auto s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (int i = 0; i < 64; ++i) {
            const auto s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
            const auto t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
            const auto s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
            const auto t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        const std::uint32_t round[8] = {a, b, c, d, e, f, g, h};
        for (int i = 0; i < 8; ++i) state[i] += round[i];
    }
    std::string hex;
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
    return hex;
}

}  // namespace convolab::test
