// SPDX-License-Identifier: MIT
// Vectors of 16 bytes, which all x86-64 and aarch64 processors have; and the choice of a function.
#include <cstring>
#include <string>

#include "common/base/error.hpp"
#include "common/base/isa.hpp"
#include "labs/10_noise_filter/median_rows/median_rows.hpp"
#include "labs/10_noise_filter/parts/median_network.hpp"

constexpr int kBytes = 16;
#include "labs/10_noise_filter/median_rows/row_kernel.hpp"

namespace convolab::noise_filter {

std::size_t median_memory(int ksize, std::int64_t pixels) {
    constexpr std::int64_t kLongestVector = 64;
    return static_cast<std::size_t>(ksize * (3 * (pixels + ksize - 1) + kLongestVector));
}

MedianRow median_row_plain(int ksize) { return find(ksize); }

MedianRow fastest_median_row(int ksize) {
    MedianRow row = find(ksize);
    if (row == nullptr)
        throw Unsupported("The median is compiled for sides of 3, 5, 7 and 9, not " +
                          std::to_string(ksize) + ".");
#ifdef __x86_64__
    const Isa isa = choose_isa();
    if (isa >= Isa::avx512) return median_row_avx512(ksize);
    if (isa >= Isa::avx2) return median_row_avx2(ksize);
#endif
    return row;
}

}  // namespace convolab::noise_filter
