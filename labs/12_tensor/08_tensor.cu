// SPDX-License-Identifier: MIT
// tensor -- everything except the products is made cheap
// Source: new.
// Idea: once the products take little time, the rest has to be short, too. A division takes two
//     instructions (common/cuda/float_division.hpp). A lane stores 16 bytes at once
//     (parts/output_tile.hpp). Blocks inside the image do not test for the border. Groups of 8
//     columns are interleaved: lane 4 g + t takes columns 4 g to 4 g + 3, which lie side by side,
//     so one load can bring 16 bytes, for two of them.
// Since pipeline: these four changes.
// Limit: the L2 cache with K = 5. With K = 9 the registers suffice for only 12 warps on a
//     multiprocessor. A block reads K - 1 rows before its first output row is finished.
// Alone: build/labs/12_tensor/lab bench --variant pipeline,tensor --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/strip_kernel.hpp"
#include "labs/12_tensor/parts/warp_strip.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

template <class Matrix>
constexpr int kSlots = Matrix::kPairs == 5 ? 4 : 3;  // of the ring
/// The registers of a multiprocessor must suffice for this number of blocks.
template <class Matrix>
constexpr int kBlocks = Matrix::kPairs == 5  ? 4
                        : Matrix::kPairs > 2 ? 5
                                             : 6;

/// Where a row begins in the ring, if it begins 16 bytes before a multiple of 128 in memory.
template <class Matrix>
constexpr int kSkew = Matrix::Form::kBefore > 0 ? 112 : 0;

template <class Matrix>
struct Shared {
    RingMemory<kSlots<Matrix>, kSkew<Matrix>> ring;
    unsigned char tiles[kWarps][2][kTileBytes];
};

/// Computes output rows y to end of a block's strips. from: the first byte of their windows.
template <class Matrix, bool at_edge>
__device__ __forceinline__ void walk(const ByteRows& rows,
                                     const typename WarpStrip<Matrix>::Filter& filter,
                                     Shared<Matrix>& s, int from, int y, int end) {
    const int top = y + rows.job.origin, bottom = end + rows.job.origin + 2 * (Matrix::kPairs - 1);
    RowRing<kSlots<Matrix>, kRowBytes<Matrix>, at_edge, kSkew<Matrix>> ring(
        rows, filter.d_outside, s.ring, from, top, bottom);
    WarpStrip<Matrix> strip(rows, filter, s.tiles[threadIdx.y],
                            from + filter.lead + kStripBytes * threadIdx.y, y, end);
    constexpr bool kLoadsFirst = Matrix::kPairs <= 3;  // larger filters need the registers
    while (ring.has_rows()) {
        typename WarpStrip<Matrix>::Words upper, lower;
        const unsigned char* s_rows = ring.wait();
        strip.load(upper, s_rows);
        if constexpr (!kLoadsFirst) strip.compute(upper, 0);
        strip.load(lower, s_rows + 2 * kSlotPitch);
        ring.release();  // it ends with a __syncwarp(), which the tile needs, too
        if constexpr (kLoadsFirst) {
            strip.compute(upper, 0);
            __syncwarp();
        }
        strip.template store<at_edge>(0);
        strip.compute(lower, 1);
        __syncwarp();
        strip.template store<at_edge>(1);
    }
}

template <class Matrix>
static __global__ void __launch_bounds__(32 * kWarps, kBlocks<Matrix>)
    convolve(const GRID_CONSTANT ByteRows rows,
             const GRID_CONSTANT TensorFilter<typename Matrix::Form> filter,
             const GRID_CONSTANT Bands bands) {
    const int y = bands.begin(blockIdx.y), end = bands.end(blockIdx.y, rows.job.out_height);
    const int from = kBlockBytes * static_cast<int>(blockIdx.x) - filter.lead;
    __shared__ Shared<Matrix> s;
    const int top = y + rows.job.origin;
    const int bottom =
        top + (end - y + 2 * (Matrix::kPairs - 1) + kSlotRows - 1) / kSlotRows * kSlotRows;
    if (from < rows.first || rows.last < from + kRowBytes<Matrix> || top < 0 ||
        rows.job.height < bottom)
        walk<Matrix, true>(rows, filter, s, from, y, end);
    else
        walk<Matrix, false>(rows, filter, s, from, y, end);
}

BandKernel tensor_kernel(const Job& job, const Band& band) {
    const auto kernel = [&]<class Matrix>() {
        return strip_kernel(convolve<Matrix>, job, byte_rows(job, band));
    };
    const BandKernel at_windows = with_matrix(job, kernel);
    if (job.image().channels() > 1 || job.border.rule == BorderRule::valid) return at_windows;
    return by_address({at_windows, with_matrix<DenseBefore>(job, kernel)});
}

const Variant tensor =
    packed_variant("tensor", "bulk copies, a division in two instructions, stores of 16 bytes",
                   tensor_kernel, ring_pictures());

}  // namespace convolab::tensor_cores
