// SPDX-License-Identifier: MIT
// packed -- four multiply-adds per instruction, for any filter of side 3, 5 or 7
// Source: new.
// Idea: a register has room for four samples, and one instruction, dp4a, is a dot product of four
//     bytes with four bytes. For each byte of a row, a thread keeps a word with the samples of the
//     last four rows (two words if K is 5 or 7); each column of the filter is such a word, too.
//     Shared memory is a pipeline instead of a tile: a warp marches down a strip of the image, 16
//     bytes per lane, while copies bring the next rows (common/cuda/packed_kernel.hpp).
// Since n_batch: samples stay bytes, K is a template parameter, and the kernel needs no barrier and
//     no conversion. With 5x5, a sample costs 10 dp4a and 28 / 16 permutations; the tile of floats
//     needs 25 loads from shared memory and 25 multiply-adds.
// Limit: dp4a, which starts at half the rate of a float multiply-add: its unit is 74 % busy (5x5 at
//     8K). For separable 5x5 filters, lab 07 needs half as many dot products. Taps of more than 8
//     bits are split into two digits, which takes twice as many (parts/direct_taps.hpp), and a
//     longer division than common/cuda/bit_division.hpp.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch,packed --ksize 3,5,7 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_kernel.hpp"
#include "labs/05_cuda_shared/parts/direct_taps.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

template <int channels, int ksize, int digits>
class DirectBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = (channels * (ksize / 2) + 3) / 4;
    static constexpr int kStages = 4;
    static constexpr int kRowsPerWarp = 16;
    static constexpr int kBlocksPerMultiprocessor = ksize == 3 ? 5 : ksize == 5 ? 4 : 3;
    using Taps = DirectTaps;

    __device__ explicit DirectBody(const Taps& taps) : taps_(taps) {
#pragma unroll
        for (int i = 0; i < kWindow; ++i) newest_[i] = older_[i] = 0;
    }

    /// The next input row: this lane's 16 bytes and their halo. One permutation per byte puts the
    /// new sample into the word of the last four.
    __device__ __forceinline__ void feed(const unsigned (&words)[kHalo + kLaneWords + kHalo]) {
#pragma unroll
        for (int i = 0; i < kWindow; ++i) {
            const int at = 4 * kHalo - kReach + i;
            const unsigned last = newest_[i];
            // Byte 3 is the new row, byte 2 the one before it ...
            newest_[i] = __byte_perm(last, words[at / 4], 0x0321 + ((4 + at % 4) << 12));
            if constexpr (ksize == 5) older_[i] = last;  // one row older
            if constexpr (ksize == 7) older_[i] = __byte_perm(older_[i], last, 0x4321);  // four
        }
    }

    /// The next output row.
    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
            if constexpr (digits == 1) {
                const int pairs[4] = {digit_sum(4 * w, 0), digit_sum(4 * w + 2, 0),
                                      digit_sum(4 * w + 1, 0), digit_sum(4 * w + 3, 0)};
                out[w] = taps_.division.four_bytes(pairs);
            } else {
                int bytes[4];
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    bytes[i] = taps_.fast.byte(taps_.start + digit_sum(4 * w + i, 0) +
                                               256 * digit_sum(4 * w + i, 1));
                out[w] = pack_bytes_0(bytes);
            }
        }
    }

  private:
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour
    static constexpr int kWindow = kLaneBytes + 2 * kReach;

    /// The sum over the K columns of the filter, a pixel apart: four multiply-adds per dp4a.
    __device__ __forceinline__ int digit_sum(int x, int digit) const {
        int sum = 0;
#pragma unroll
        for (int column = 0; column < ksize; ++column) {
            const int i = x + column * channels;
            sum = dp4a_signed(newest_[i], taps_.digits[digit][0][column], sum);
            if constexpr (ksize > 3)
                sum = dp4a_signed(older_[i], taps_.digits[digit][1][column], sum);
        }
        return sum;
    }

    const Taps& taps_;
    unsigned newest_[kWindow];
    unsigned older_[kWindow];
};

BandKernel packed_kernel_of(const Job& job, const Band& band) {
    if (job.filter.ksize() == 9)
        throw Unsupported(
            "This kernel supports filters of side 3, 5 and 7; for side 9, use lab 07 or 12.");
    return with_channels(job, [&]<int C>() {
        return with_ksize<3, 5, 7>(job, [&]<int K>() {
            int digits = 0;
            const DirectTaps taps = direct_taps(job.filter, digits);
            return digits == 1 ? packed_kernel<DirectBody<C, K, 1>>(job, band, taps)
                               : packed_kernel<DirectBody<C, K, 2>>(job, band, taps);
        });
    });
}

const Variant packed = packed_variant(
    "packed", "four multiply-adds per instruction, rows in a pipeline of asynchronous copies",
    packed_kernel_of);

}  // namespace convolab::cuda_shared
