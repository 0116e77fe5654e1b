// SPDX-License-Identifier: MIT
// median, median_count -- neighbouring windows share sorted columns
// Source: new. How far such sharing goes: hierarchical tiling (arXiv 2507.19926).
// Idea: a lane has two neighbouring columns of both frames in registers, and computes two
//     neighbouring windows, which share all columns but one of each. A step serves all windows that
//     have what it sorts:
//         column     sort K values: 9 comparisons for K = 5. Shuffles bring the neighbours' columns
//         pair       merge the lane's two sorted columns: 13 comparisons for 5 + 5 values
//         shared     K = 5: four columns, this lane's and the next one's, are 20 of the 25 values.
//                    Number r of the 20 is one of the numbers r to r + 5 of all 25. The median is
//                    number 13, so only the numbers 8 to 13 of the 20 can be it: c0 to c5. K = 3:
//                    only the numbers 2 to 5 of the six values of two columns
//         window     add the missing column, n0 to n4. The median is number 13 - 7 = 6 of the six c
//                    and the five n. It is the least of c5, max(c4, n0), max(c3, n1), max(c2, n2),
//                    max(c1, n3), max(c0, n4). For six values of which i come from n, the largest is
//                    at least max(c(5 - i), n(i - 1)), and for the six smallest it is the median
//     Numbers 8 to 13 of two sorted tens a and b: the 10 smaller values are min(a(i), b(9 - i)), the
//     10 larger ones max(a(i), b(9 - i)). Each of the two tens falls and rises once, so a second such
//     step halves it, and two fives are left to be sorted.
//     A 5x5 median takes 18 + 26 / 2 + 66 / 2 + 10 = 74 minima and maxima per word, 186 in fused.
// Since pair: medians of side 3 and 5. No shared memory.
// Limit: minima and maxima.
// Alone: build/labs/10_noise_filter/lab bench --variant count,median_count --filter median
//     --ksize 3,5 --size 8k
#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/parts/changes.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/strip.hpp"
#include "labs/10_noise_filter/parts/two_columns.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

/// Output rows of a warp, a multiple of K, and blocks that registers must suffice for.
template <int K>
struct MedianPlan {
    static constexpr int kRows = K == 3 ? 24 : 10;
    static constexpr int kBlocks = K == 3 ? 5 : 3;
};

constexpr int kWarps = 4;  // of a block

/// Lanes from number 1 on have two output pixels each, from their first column + kFirst on.
template <int K>
struct Lanes {
    static constexpr int kFirst = K == 3 ? 0 : 1;
    static constexpr int kOutputs = K == 3 ? 30 : 29;
    static constexpr int kStride = 2 * kOutputs;  // pixels of a warp
};

/// Two pixels of both frames from column x on, in the three words of SixSamples.
template <bool inside>
static __device__ __forceinline__ void load_two(const BothFrames& in, int x, int y,
                                                unsigned (&words)[3][2]) {
    if constexpr (inside) {  // 6 bytes, and both frames begin at a multiple of 2
        const int at = 3 * (y * in.width + x) / 2;
        const auto* d_before = reinterpret_cast<const unsigned short*>(in.d_previous) + at;
        const auto* d_now = reinterpret_cast<const unsigned short*>(in.d_current) + at;
        const unsigned a0 = d_before[0], a1 = d_before[1], a2 = d_before[2];
        const unsigned b0 = d_now[0], b1 = d_now[1], b2 = d_now[2];
        words[0][0] = __byte_perm(a0, a1, 0x2420);
        words[0][1] = __byte_perm(a1, a2, 0x2521);
        words[1][0] = __byte_perm(b0, b1, 0x2420);
        words[1][1] = __byte_perm(b1, b2, 0x2521);
        words[2][0] = __byte_perm(a0, b0, 0x2521);
        words[2][1] = __byte_perm(a2, b2, 0x2420);
    } else {
        const SixSamples first(in, x, y), second(in, x + 1, y);
#pragma unroll
        for (int w = 0; w < 3; ++w) {
            words[w][0] = first.words[w];
            words[w][1] = second.words[w];
        }
    }
}

/// Bits 15 and 31: whether the halves of a and b, which are bytes, differ by more than the
/// threshold.
static __device__ __forceinline__ unsigned halves_changed(unsigned a, unsigned b) {
    constexpr unsigned kUp = (0x7FFF - kThreshold) * 0x10001U;
    return (__vmaxu2(a, b) - __vminu2(a, b) + kUp) & 0x80008000U;
}

/// inside: no column or row of the warp is outside the frames, whose width is even.
template <int K, class Plan, bool inside>
static __device__ __forceinline__ Changes march(const BothFrames& in, std::uint8_t* d_marks, int x0,
                                                int y0) {
    const int lane = static_cast<int>(threadIdx.x), x = x0 + Lanes<K>::kFirst;
    const bool has_output = 1 <= lane && lane <= Lanes<K>::kOutputs;
    const int y1 = min(y0 + Plan::kRows, in.height);
    unsigned rows[K][3][2];  // the last K; row y is in rows[y % K]
    Changes changes;
#pragma unroll
    for (int k = 0; k < K - 1; ++k) load_two<inside>(in, x0, y0 + k - K / 2, rows[k]);
#pragma unroll 1
    for (int y = y0; y < y1; y += K) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            load_two<inside>(in, x0, y + k + K / 2, rows[(K - 1 + k) % K]);
            unsigned medians[3][2];
#pragma unroll
            for (int w = 0; w < 3; ++w)
                two_medians<K>([&](int j, int column) { return rows[j][w][column]; }, medians[w]);
            const unsigned greens[] = {__byte_perm(medians[2][0], medians[2][1], 0x5410),
                                       __byte_perm(medians[2][0], medians[2][1], 0x7632)};
            const unsigned changed = halves_changed(medians[0][0], medians[1][0]) >> 2 |
                                     halves_changed(medians[0][1], medians[1][1]) >> 1 |
                                     halves_changed(greens[0], greens[1]);
            unsigned of[] = {changed & 0x2000A000U, changed & 0xC0004000U};  // of each pixel
            if (!has_output || y + k >= y1) continue;
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                if (!inside && (x + i < 0 || x + i >= in.width)) continue;
                if (d_marks != nullptr) {
                    store_pixel(d_marks, (y + k) * in.width + x + i, of[i] != 0 ? 255 : 0, 0);
                } else {
                    changes.pixels += of[i] != 0;
                    changes.samples += __popc(of[i]);
                }
            }
        }
    }
    return changes;
}

template <int K, class Plan>
static __global__ void __launch_bounds__(32 * kWarps, Plan::kBlocks)
    compare_medians(BothFrames in, std::uint8_t* d_marks, int* d_sums, int* d_counts) {
    const int warp = static_cast<int>(blockIdx.x * kWarps + threadIdx.y);
    const int first = warp * Lanes<K>::kStride - 2 - 2 * Lanes<K>::kFirst;  // the warp's column
    const int x = first + 2 * static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * Plan::kRows;
    const bool inside = in.width % 2 == 0 && first >= 0 && first + 64 <= in.width && y >= K / 2 &&
                        y + Plan::kRows + K / 2 <= in.height;
    const Changes changes = inside                 ? march<K, Plan, true>(in, d_marks, x, y)
                            : first + 2 < in.width ? march<K, Plan, false>(in, d_marks, x, y)
                                                   : Changes{};
    if (d_marks == nullptr) add_up(changes, d_sums, d_counts);
}

static Variant variant(Variant of, bool counts) {
    of.pinned_frames = true;
    return frame_pair_variant(std::move(of), [counts](CudaFramePair& v) {
        with_window<Median>(v.job, [&v, counts]<class Window, int K>() {
            if constexpr (K > 5) {
                throw Unsupported(
                    "This kernel keeps sorted columns in registers, of 3 or 5 "
                    "samples, not " +
                    std::to_string(K) + ".");
            } else {
                const unsigned warps = blocks_for(v.width + Lanes<K>::kFirst, Lanes<K>::kStride);
                v.prepare(
                    compare_medians<K, MedianPlan<K>>,
                    {dim3(blocks_for(warps, kWarps), blocks_for(v.height, MedianPlan<K>::kRows)),
                     dim3(32, kWarps)});
                set_changes(v, counts, [&v](std::uint8_t* d_marks, int* d_sums, int* d_counts) {
                    compare_medians<K, MedianPlan<K>>
                        <<<v.grid, v.block>>>({v.d_previous(), v.d_current(), v.width, v.height},
                                              d_marks, d_sums, d_counts);
                });
            }
        });
    });
}

const Variant median = variant(
    {.name = "median", .idea = "medians of side 3 and 5; two windows share sorted columns"}, false);

const Variant median_count = variant({.name = "median_count",
                                      .idea = "as median; the number of changed pixels and samples",
                                      .operation = &counts()},
                                     true);

}  // namespace convolab::noise_filter
