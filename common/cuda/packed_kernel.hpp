// SPDX-License-Identifier: MIT
// The packed kernels without their arithmetic: a warp marches down a strip of the image
// (strips.hpp), a row of 16 bytes per lane at a time.
//
//     start the copies of the first rows to shared memory
//     for each row: wait for its copy; feed it to the body; start the copy of a later row;
//                   store the output row that the body emits
//
// A Body is the arithmetic, for one number of channels, one K and one kind of filter. It has
//   kChannels, kKsize                 what it is compiled for
//   kHalo                             words it needs of each neighbour's bytes, or 0
//   kStages                           rows of the pipeline in shared memory
//   kRowsPerWarp                      output rows of a warp in a large image
//   kBlocksPerMultiprocessor          blocks that registers must suffice for
//   Taps                              a plain struct, passed in constant memory
//   Body(const Taps&)
//   feed(words)                       the next input row: kHalo + 4 + kHalo words
//   emit(words)                       4 words of the next output row
#pragma once

#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/launch_shape.hpp"
#include "common/cuda/strips.hpp"
#include "common/cuda/unaligned_strips.hpp"

namespace convolab {

/// Before a parameter of a kernel: references to it need no copy in the thread's local memory. GPUs
/// before compute capability 7.0 make that copy.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define GRID_CONSTANT
#else
#define GRID_CONSTANT __grid_constant__
#endif

/// Where a warp works. A block has 4 warps; blockIdx.x counts along the rows, blockIdx.y down.
struct StripPlace {
    int y;          ///< the first output row
    int base;       ///< t of lane 0
    bool has_work;  ///< false past the end of the rows
    bool at_edge;
};

template <class Body>
__device__ __forceinline__ StripPlace strip_place(const ByteRows& rows) {
    const int y = static_cast<int>(blockIdx.y) * rows.rows_per_warp;
    const int strip = static_cast<int>(blockIdx.x * kStripsPerBlock + threadIdx.y);
    const int base = strip * kStripBytes - kLaneBytes;
    const int top = y + rows.job.origin;
    const bool at_edge = base < rows.first || base + kRowBytes > rows.last || top < 0 ||
                         top + rows.rows_per_warp + Body::kKsize - 1 > rows.job.height;
    return {y, base, base + kLaneBytes < rows.out_bytes, at_edge};
}

// The copies of the next rows run while a row is used: shared memory is a ring of kStages rows.
template <class Body, bool at_edge>
static __device__ __forceinline__ void march(Strip<Body, at_edge> strip) {
    constexpr int kStages = Body::kStages;
    constexpr int kBefore = Body::kKsize - 1;  // rows that the first output needs before its last
#pragma unroll
    for (int slot = 0; slot < kStages; ++slot) strip.fetch(slot);
#pragma unroll
    for (int k = 0; k < kBefore; ++k) strip.step(k % kStages);
#pragma unroll 1
    while (strip.has_rows()) {  // rounds of kStages rows, so that each slot is a constant
#pragma unroll
        for (int k = 0; k < kStages; ++k) {
            strip.step((kBefore + k) % kStages);  // the next input row: from the ring to registers
            strip.write();                        // the next output row
        }
    }
}

// One warp per strip.
template <class Body>
static __global__ void __launch_bounds__(32 * kStripsPerBlock, Body::kBlocksPerMultiprocessor)
    convolve_strips(const GRID_CONSTANT ByteRows rows,
                    const GRID_CONSTANT typename Body::Taps taps) {
    __shared__ __align__(16) unsigned char s_rings[kStripsPerBlock][Body::kStages][kRowBytes];
    unsigned char* s_ring = s_rings[threadIdx.y][0];
    const StripPlace at = strip_place<Body>(rows);
    if (!at.has_work) return;
    if (at.at_edge)  // with the border rule; all other strips have no test
        march(Strip<Body, true>(rows, taps, s_ring, at.base, at.y));
    else
        march(Strip<Body, false>(rows, taps, s_ring, at.base, at.y));
}

// The same for rows that begin at any address.
template <class Body>
static __global__ void __launch_bounds__(32 * kStripsPerBlock, Body::kBlocksPerMultiprocessor)
    convolve_unaligned(const GRID_CONSTANT ByteRows rows,
                       const GRID_CONSTANT typename Body::Taps taps) {
    __shared__ __align__(
        16) unsigned char s_rings[kStripsPerBlock][Body::kStages][kUnalignedRowBytes];
    const int strip = static_cast<int>(blockIdx.x * kStripsPerBlock + threadIdx.y);
    const int base = strip * kUnalignedStripBytes - 2 * kLaneBytes;
    if (base + kLaneBytes >= rows.out_bytes) return;
    const int y = static_cast<int>(blockIdx.y) * rows.rows_per_warp;
    UnalignedStrip<Body>(rows, taps, s_rings[threadIdx.y][0], base, y).march();
}

/// Sets rows.rows_per_warp, a multiple of `stages`: one wave of blocks if that gives at most 24
/// rows, otherwise several waves of about `many` rows. strip_bytes: of the output.
LaunchShape strip_shape(ByteRows& rows, int resident_blocks, int strip_bytes, int stages, int many);

template <class Body>
BandKernel packed_kernel(const Job& job, const Band& band, const typename Body::Taps& taps) {
    ByteRows rows = byte_rows(job, band);
    require_gpu();
    const auto kernel = convolve_strips<Body>;
    PreparedKernel launch;
    const auto blocks = [](auto of) {
        return static_cast<int>(PreparedKernel::resident_blocks(of, 32 * kStripsPerBlock));
    };
    launch.prepare(
        kernel, strip_shape(rows, blocks(kernel), kStripBytes, Body::kStages, Body::kRowsPerWarp));
    ByteRows unaligned = rows;
    const LaunchShape anywhere = strip_shape(unaligned, blocks(convolve_unaligned<Body>),
                                             kUnalignedStripBytes, 1, Body::kRowsPerWarp);
    const auto on_stream = [=, grid = launch.grid, block = launch.block](const DeviceBand& at,
                                                                         cudaStream_t stream) {
        const ByteRows here = rows_at(rows, at);
        if (are_aligned(here))
            convolve_strips<Body><<<grid, block, 0, stream>>>(here, taps);
        else
            convolve_unaligned<Body>
                <<<anywhere.grid, anywhere.block, 0, stream>>>(rows_at(unaligned, at), taps);
    };
    return {on_stream, packed_input_rows(job), packed_output_rows(), launch.kernel_resources(),
            launch.grid};
}

/// A variant for uint8 images: its kernel runs on the whole image. `kernel` throws Unsupported for
/// a job that it cannot do.
Variant packed_variant(std::string name, std::string idea,
                       BandKernel (*kernel)(const Job& job, const Band& band),
                       std::vector<AwkwardPicture> awkward = strip_ends());

}  // namespace convolab
