// SPDX-License-Identifier: MIT
// pipeline -- rows arrive while others are used
// Source: new.
// Idea: a bulk copy is one instruction that copies a row to shared memory while the warps go on.
//     Three warps side by side share a ring of slots, four rows each (parts/row_ring.hpp). Each
//     slot has two mbarriers. `full` counts the bytes that arrive, and the warps wait for it.
//     `empty` counts the lanes that have read the slot, and one lane waits for it before it starts
//     the next copies into the slot. While a warp multiplies, the rows of its next steps are on
//     their way.
// Since march: no warp waits for each pair of rows, and the three warps load what they share once.
//     The image is not padded: the border is written into the ring.
// Limit: the L2 cache, because a lane stores 2 bytes at a time, as in march. A division takes
//     several instructions, and every block tests whether it touches the border.
// Alone: build/labs/12_tensor/lab bench --variant march,pipeline --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/rolling_matrix.hpp"
#include "labs/12_tensor/parts/strip_kernel.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kGroups = 4;  // groups of 8 columns: the strip of a warp
constexpr int kSlots = 4;

struct Rows : ByteRows {
    int out_rows, start;
    FastDivision division;

    __device__ unsigned char* out_row(int y) const {
        return d_out + static_cast<std::int64_t>(y) * out_pitch;
    }
};

template <class Matrix>
static __global__ void __launch_bounds__(32 * kWarps)
    convolve(const GRID_CONSTANT Rows rows,
             const GRID_CONSTANT TensorFilter<typename Matrix::Form> filter,
             const GRID_CONSTANT Bands bands) {
    constexpr int kWords = Matrix::Form::kWords;
    constexpr int kAhead = 2 * (Matrix::kPairs - 1);  // rows
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int first = 8 * kGroups * (blockIdx.x * kWarps + threadIdx.y);  // column
    const int begin = bands.begin(blockIdx.y), end = bands.end(blockIdx.y, rows.out_rows);

    __shared__ RingMemory<kSlots> s_ring;
    const int top = begin + rows.job.origin;  // input row
    RowRing<kSlots, kRowBytes<Matrix>, true> ring(rows, filter.d_outside, s_ring,
                                                  kBlockBytes * blockIdx.x - filter.lead, top,
                                                  top + end - begin + kAhead);
    const Matrix matrix(filter.d_matrix);
    const int4 start = make_int4(rows.start, rows.start, rows.start, rows.start);
    int4 sums[kGroups][Matrix::kPairs] = {};
    int y = begin - kAhead;  // the first of the two output rows that are finished next
    while (ring.has_rows()) {
        const unsigned char* s_strip = ring.wait() + kStripBytes * threadIdx.y;
#pragma unroll 1
        for (int row = 0; row < kSlotRows; row += 2, y += 2) {
            const unsigned char* s_window =
                s_strip + (row + t / 2) * kSlotPitch + kColumnBytes * g + 4 * kWords * (t % 2);
#pragma unroll
            for (int i = 0; i < kGroups; ++i) {
                typename Matrix::Words words[Matrix::kSteps];
#pragma unroll
                for (int step = 0; step < Matrix::kSteps; ++step)
                    words[step] = load_words<typename Matrix::Words>(
                        s_window + 8 * kColumnBytes * i + 8 * kWords * step);
                matrix.step(sums[i], words, start);
                if (begin <= y && y < end)
                    store_sums(rows, sums[i][Matrix::kPairs - 1], y, first + 8 * i);
            }
        }
        ring.release();
    }
}

const Variant pipeline = packed_variant(
    "pipeline", "march with rows that bulk copies bring to shared memory, several steps ahead",
    [](const Job& job, const Band& band) {
        const std::int32_t divisor = Toeplitz(job.filter, job.image().channels()).divisor();
        const ByteRows bytes = byte_rows(job, band);
        const Rows rows{bytes, bytes.job.out_height, divisor / 2, fast_division(divisor)};
        return with_matrix(
            job, [&]<class Matrix>() { return strip_kernel(convolve<Matrix>, job, rows); });
    },
    ring_pictures());

}  // namespace convolab::tensor_cores
