// SPDX-License-Identifier: MIT
// running_sums -- boxes, by additions that hardly depend on the side
// Source: new.
// Idea: all taps of a box are equal. So the sum of a window is the sum of its neighbour, plus what
//     enters the window, minus what leaves it: two additions per pass, for any K.
//         down     a warp marches down. A lane keeps the sums of the last K rows under its 24 bytes
//                  in 16-bit halves of words: 255 K < 65536. The row that leaves is still in shared
//                  memory (parts/row_history.hpp).
//         along    a lane adds up the window of its last pixel, then walks to its first: 8 of RGB;
//                  its 24 gray pixels are two such runs of 12. A dp2a takes one half of a word,
//                  multiplies it by the tap or by minus the tap, and adds it. The neighbours' sums
//                  come by shuffles. If K is large, a lane in the middle of a window sends the sum
//                  of its columns in place of the columns (parts/box_sums.hpp).
//     A division takes one instruction (common/cuda/bit_division.hpp).
// Since packed: only boxes, with K up to 31. The number of additions hardly depends on K. The row
//     that leaves is read again.
// Limit: a warp reads K - 1 rows before its first output, and keeps K rows in shared memory: the
//     larger K, the fewer warps fit on a multiprocessor.
// Alone: build/labs/07_separable/lab bench --variant packed,running_sums --filter box --size 8k
#include <algorithm>
#include <numeric>

#include "common/cuda/bit_division.hpp"
#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_kernel.hpp"
#include "labs/07_separable/parts/box_sums.hpp"
#include "labs/07_separable/parts/row_history.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

/// One warp: rows.rows_per_warp output rows of a strip.
template <int channels, int ksize>
static __global__ void __launch_bounds__(32)
    convolve_box(const GRID_CONSTANT ByteRows rows, const GRID_CONSTANT BoxTap tap) {
    using Lanes = BoxLanes<channels, ksize>;
    using Sums = BoxSums<Lanes>;
    using History = RowHistory<Lanes>;
    extern __shared__ uint4 s_ring[];
    // Every other warp marches up: two neighbours begin or end with the same rows at the same time,
    // so that one of them finds these rows in the L2 cache.
    const int top = static_cast<int>(blockIdx.y) * rows.rows_per_warp;
    const int bottom = min(top + rows.rows_per_warp, rows.job.out_height) - 1;
    const int step = blockIdx.y % 2 == 0 ? 1 : -1;
    const int first = top + rows.job.origin, last = bottom + rows.job.origin + ksize - 1;
    History history(rows, reinterpret_cast<unsigned char*>(s_ring),
                    static_cast<int>(blockIdx.x) * Lanes::kOutBytes, step > 0 ? first : last,
                    step > 0 ? last : first, step > 0 ? top : bottom);
    Sums sums(tap);
#pragma unroll 1
    for (int row = 0; row < ksize - 1; ++row) {
        history.template wait<1>();
        sums.add(history.entering());
        history.advance();
    }
    int count = bottom - top + 1;
#pragma unroll 1
    for (; ksize > 21 && count > 1; count -= 2) {  // few warps fit, so two rows at a time
        const auto leaving = history.leaving(), leaving_next = history.leaving(1);
        history.template wait<2>();
        sums.exchange(leaving, history.entering());
        Sums next = sums;
        next.exchange(leaving_next, history.entering(1));
        const auto out = sums.emit(), out_next = next.emit();
        history.put(out);
        history.put(out_next, 1);
        sums = next;
        history.template store<2>();
    }
#pragma unroll 1
    for (; count > 0; --count) {
        const auto leaving = history.leaving();
        history.template wait<1>();
        sums.exchange(leaving, history.entering());
        history.put(sums.emit());
        history.template store<1>();
    }
}

/// Throws Unsupported for a filter that is not a box.
static BoxTap tap_of_box(const Filter& filter) {
    const std::int32_t tap = filter.tap(0, 0);
    const int ksize = filter.ksize();
    bool is_box = tap > 0;
    for (int j = 0; j < ksize; ++j)
        for (int i = 0; i < ksize; ++i) is_box = is_box && filter.tap(i, j) == tap;
    if (!is_box)
        throw Unsupported(
            "This kernel adds boxes, whose taps are one positive number; the filter '" +
            filter.name() + "' is not a box.");
    const std::int32_t factor = std::gcd(tap, filter.divisor());
    if (tap / factor > 127)
        throw Unsupported("The taps of this kernel have 8 bits: 127 at most, not " +
                          std::to_string(tap / factor) + ".");
    const auto plus = static_cast<unsigned>(tap / factor), minus = 256 - plus;
    const std::int32_t largest_sum = 255 * ksize * ksize * (tap / factor);
    return {{plus, plus << 8},
            {minus, minus << 8},
            bit_division(filter.divisor() / factor, largest_sum)};
}

template <int C, int K>
static BandKernel kernel_of(const Job& job, const Band& band) {
    using Lanes = BoxLanes<C, K>;
    using History = RowHistory<Lanes>;
    const BoxTap tap = tap_of_box(job.filter);
    ByteRows rows = byte_rows(job, band);
    require_gpu();
    const auto kernel = convolve_box<C, K>;
    // As much shared memory as there is, and as many bands as run at the same time.
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    const auto blocks = PreparedKernel::resident_blocks(kernel, 32, History::kBytes);
    const unsigned strips = blocks_for(rows.out_bytes, Lanes::kOutBytes);
    constexpr unsigned kMaxBands = 65535, kLeastRows = 8;
    const unsigned bands = std::clamp(blocks / strips, 1U, kMaxBands);
    rows.rows_per_warp = std::max(kLeastRows, blocks_for(rows.job.out_height, bands));
    PreparedKernel launch;
    launch.prepare(kernel, {dim3(strips, blocks_for(rows.job.out_height, rows.rows_per_warp)),
                            dim3(32), History::kBytes});
    const auto on_stream = [rows, tap, grid = launch.grid](const DeviceBand& at,
                                                           cudaStream_t stream) {
        convolve_box<C, K><<<grid, 32, History::kBytes, stream>>>(rows_at(rows, at), tap);
    };
    return {on_stream, packed_input_rows(job), packed_output_rows(), launch.kernel_resources(),
            launch.grid};
}

const Variant running_sums = packed_variant(
    "running_sums", "boxes: what enters a window is added, what leaves it is subtracted",
    [](const Job& job, const Band& band) {
        return with_channels(job, [&]<int C>() {
            return with_ksize<3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(
                job, [&]<int K>() { return kernel_of<C, K>(job, band); });
        });
    });

}  // namespace convolab::separable
