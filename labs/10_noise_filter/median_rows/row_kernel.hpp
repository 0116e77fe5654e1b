// SPDX-License-Identifier: MIT
// The kernel of median_rows.hpp, compiled once per instruction set. The file that includes it
// defines kBytes, the length of the vectors. The compiler turns the two selections into the
// instructions for the smaller and the larger byte.

namespace convolab::noise_filter {
namespace {

typedef std::uint8_t Bytes __attribute__((vector_size(kBytes)));

struct Order {
    static Bytes smaller(const Bytes& a, const Bytes& b) { return a < b ? a : b; }
    static Bytes larger(const Bytes& a, const Bytes& b) { return a < b ? b : a; }
};

Bytes load(const std::uint8_t* from, std::int64_t bytes = kBytes) {
    Bytes v{};
    std::memcpy(&v, from, static_cast<std::size_t>(bytes < kBytes ? bytes : kBytes));
    return v;
}
void store(std::uint8_t* to, const Bytes& v, std::int64_t bytes = kBytes) {
    std::memcpy(to, &v, static_cast<std::size_t>(bytes < kBytes ? bytes : kBytes));
}

/// Stores the r-th value of each column to sorted + r * pitch.
template <int K, bool whole>
void sort_columns(const std::uint8_t* const* rows, std::int64_t at, std::int64_t left,
                  std::uint8_t* sorted, std::int64_t pitch) {
    Bytes v[K];
    for (int j = 0; j < K; ++j) v[j] = load(rows[j] + at, whole ? kBytes : left);
    sort<Order, K>(v);
    for (int r = 0; r < K; ++r) store(sorted + r * pitch + at, v[r]);
}

template <int K>
Bytes medians(const std::uint8_t* first, std::int64_t pitch) {
    return median_of_columns<Order, K>(
        [&](int r, int c) { return load(first + r * pitch + 3 * c); });
}

template <int K>
void median_row(const std::uint8_t* const* rows, std::uint8_t* out, std::int64_t pixels,
                std::uint8_t* memory) {
    constexpr std::int64_t p = K / 2;
    const std::int64_t bytes = 3 * pixels, pitch = bytes + 6 * p + kBytes;
    std::uint8_t* sorted = memory + 3 * p;  // the row's first pixel; p repeated ones before it
    std::int64_t at = 0;
    for (; bytes - at >= kBytes; at += kBytes) sort_columns<K, true>(rows, at, 0, sorted, pitch);
    if (at < bytes) sort_columns<K, false>(rows, at, bytes - at, sorted, pitch);
    for (int r = 0; r < K; ++r)
        for (std::int64_t i = 0; i < 3 * p; ++i) {
            std::uint8_t* row = sorted + r * pitch;
            row[-1 - i] = row[2 - i % 3];
            row[bytes + i] = row[bytes - 3 + i % 3];
        }
    for (at = 0; bytes - at >= kBytes; at += kBytes)
        store(out + at, medians<K>(memory + at, pitch));
    if (at < bytes) store(out + at, medians<K>(memory + at, pitch), bytes - at);
}

MedianRow find(int ksize) {
    switch (ksize) {
        case 3:
            return median_row<3>;
        case 5:
            return median_row<5>;
        case 7:
            return median_row<7>;
        case 9:
            return median_row<9>;
        default:
            return nullptr;
    }
}

}  // namespace
}  // namespace convolab::noise_filter
