// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// tensor -- any 8-bit filter, close to the speed of a copy
// Source: new.
// Idea: once the multiplications are cheap, all the rest has to be. Rows come by bulk copies, one
//     instruction each, several steps ahead (parts/row_ring.hpp). A division is two instructions
//     (parts/float_division.hpp). Stores are 16 bytes per lane (parts/output_tile.hpp). The border
//     is put around the rows when they have arrived, by the warps that have a border. Groups of 8
//     columns are interleaved: lane 4 g + t has columns 4 g to 4 g + 3, side by side, so that half
//     of its loads are of 16 bytes.
// Since march: no wait for a row, no padded copy, stores 8 times as large. A block is one warp, so
//     that the next one starts as soon as one has ended.
// Limit: K = 3 and 5: memory, as for a copy, and the rows that a warp reads beyond its own. K = 9:
//     registers: 12 warps run on a multiprocessor.
// Alone: build/labs/12_tensor/lab bench --variant march,tensor --ksize 3,5,9 --filter edge --size 8k
#include "common/cuda/packed_kernel.hpp"
#include "labs/12_tensor/parts/bands.hpp"
#include "labs/12_tensor/parts/output_tile.hpp"
#include "labs/12_tensor/parts/rolling_matrix.hpp"
#include "labs/12_tensor/parts/row_ring.hpp"
#include "labs/12_tensor/parts/tensor_filter.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kGroups = 4;  // of 8 columns: the strip of a warp
constexpr int kBlockBytes = kWarps * kStripBytes;
constexpr dim3 kBlock(32, kWarps);

template <class Matrix>
constexpr int kSlots = Matrix::kPairs == 5 ? 4 : 3;  // of the ring
/// That registers must suffice for, on a multiprocessor.
template <class Matrix>
constexpr int kBlocks = Matrix::kPairs == 5  ? 4
                        : Matrix::kPairs > 2 ? 5
                                             : 6;
/// Of an input row, that a block needs.
template <class Matrix>
constexpr int kRowBytes = kBlockBytes + 8 * Matrix::Form::kWords* Matrix::kSteps;

template <class Matrix>
struct Shared {
    RingMemory<kSlots<Matrix>> ring;
    unsigned char tiles[kWarps][2][kTileBytes];
};

/// Output rows y to end of a block's strips; from: the first byte of their windows.
template <class Matrix, bool at_edge>
__device__ __forceinline__ void walk(const ByteRows& rows,
                                     const TensorFilter<typename Matrix::Form>& filter,
                                     Shared<Matrix>& s, int from, int y, int end) {
    constexpr int kPairs = Matrix::kPairs, kSteps = Matrix::kSteps;
    constexpr int kLaneBytes = 4 * Matrix::Form::kWords;
    const int top = y + rows.job.origin, bottom = end + rows.job.origin + 2 * (kPairs - 1);
    RowRing<kSlots<Matrix>, kRowBytes<Matrix>, at_edge> ring(rows, filter.d_outside, s.ring, from,
                                                             top, bottom);
    const Matrix matrix(filter.d_matrix);
    const int4 start = load_afresh(filter.d_start);
    int4 sums[kGroups][kPairs] = {};

    const int g = threadIdx.x / 4, t = threadIdx.x % 4, strip = kStripBytes * threadIdx.y;
    const int first = strip + t / 2 * kSlotPitch + kGroups * kColumnBytes * g + t % 2 * kLaneBytes;
    using Words = typename Matrix::Words[kGroups][kSteps];
    const auto load = [&](Words& words, const unsigned char* s_two_rows) {
#pragma unroll
        for (int i = 0; i < kGroups; ++i)
#pragma unroll
            for (int step = 0; step < kSteps; ++step)
                words[i][step] = load_shared<typename Matrix::Words>(
                    s_two_rows + first + kColumnBytes * i + 2 * kLaneBytes * step, i % 2 == 0);
    };
    const auto compute = [&](const Words& words, unsigned char* s_tile) {
        unsigned bytes[kGroups];
#pragma unroll
        for (int i = 0; i < kGroups; ++i) matrix.step(sums[i], words[i], start);
#pragma unroll
        for (int i = 0; i < kGroups; ++i)
            bytes[i] = filter.division.four_bytes(sums[i][kPairs - 1]);
        put_columns(s_tile, bytes);
    };
    int to = tile_row() - 2 * (kPairs - 1);  // row of the band; before 0 nothing is finished
    const int at = from + filter.reach + strip + tile_byte();
    const unsigned height = at < rows.out_bytes ? end - y : 0;
    std::uint8_t* d_to = rows.d_out + static_cast<std::int64_t>(y + to) * rows.out_pitch + at;
    const auto store = [&](const unsigned char* s_tile) {
        const uint4 sixteen = get_row(s_tile);
        if (static_cast<unsigned>(to) < height) *reinterpret_cast<uint4*>(d_to) = sixteen;
        d_to += 2 * static_cast<std::int64_t>(rows.out_pitch);
        to += 2;
    };
    auto& s_tiles = s.tiles[threadIdx.y];
    constexpr bool kLoadsFirst = kPairs <= 3;  // the larger filters need the registers
    while (ring.has_rows()) {
        Words upper, lower;
        const unsigned char* s_rows = ring.wait();
        load(upper, s_rows);
        if constexpr (!kLoadsFirst) compute(upper, s_tiles[0]);
        load(lower, s_rows + 2 * kSlotPitch);
        ring.release();  // contains a __syncwarp(), also for the tile
        if constexpr (kLoadsFirst) {
            compute(upper, s_tiles[0]);
            __syncwarp();
        }
        store(s_tiles[0]);
        compute(lower, s_tiles[1]);
        __syncwarp();
        store(s_tiles[1]);
    }
}

template <class Matrix>
static __global__ void __launch_bounds__(32 * kWarps, kBlocks<Matrix>)
    convolve(const GRID_CONSTANT ByteRows rows,
             const GRID_CONSTANT TensorFilter<typename Matrix::Form> filter,
             const GRID_CONSTANT Bands bands) {
    const int y = bands.begin(blockIdx.y), end = bands.end(blockIdx.y, rows.job.out_height);
    const int from = kBlockBytes * static_cast<int>(blockIdx.x) - filter.reach;
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

template <class Matrix>
static BandKernel kernel_of(const Job& job, const Band& band) {
    const auto kernel = convolve<Matrix>;
    const ByteRows rows = byte_rows_for_windows(job, band);
    require_gpu();
    require_capability(kernel, kBulkCopies);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    const FilterOnDevice<typename Matrix::Form> filter(job);
    const auto strips = blocks_for(rows.out_bytes, kBlockBytes);
    const Bands bands = bands_for(rows.job.out_height,
                                  PreparedKernel::resident_blocks(kernel, 32 * kWarps) / strips);
    PreparedKernel launch;
    launch.prepare(kernel, {dim3(strips, bands.count(rows.job.out_height)), kBlock});
    const auto on_stream = [rows, filter, bands, grid = launch.grid](
                               const std::uint8_t* d_in, std::uint8_t* d_out, cudaStream_t stream) {
        ByteRows here = rows;
        here.d_in = d_in - rows.first;
        here.d_out = d_out;
        convolve<Matrix><<<grid, kBlock, 0, stream>>>(here, filter.get(), bands);
    };
    return {on_stream, rows_for_windows(job), packed_output_rows(), launch.kernel_resources(),
            launch.grid};
}

const Variant tensor = packed_variant(
    "tensor", "bulk copies, a division in two instructions, stores of 16 bytes",
    [](const Job& job, const Band& band) {
        return with_matrix(job, [&]<class Matrix>() { return kernel_of<Matrix>(job, band); });
    });

}  // namespace convolab::tensor_cores
