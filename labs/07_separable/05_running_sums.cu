// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// running_sums -- boxes, by additions that hardly depend on the side
// Source: new.
// Idea: all taps of a box are equal, so the sum of a window is that of its neighbour, plus what
//     enters the window, minus what leaves it: two additions per pass, for any K.
//         down     a warp marches down. A lane keeps the sums of the last K rows under its 24 bytes
//                  in 16-bit halves of words: 255 K < 65536. The row that leaves is still in shared
//                  memory (parts/row_history.hpp).
//         along    a lane adds K column sums for its first pixel, then walks over its 8 pixels. A
//                  dp2a takes one half of a word, multiplies it by the tap or by minus the tap, and
//                  adds it. The neighbours' sums come by shuffles.
//     A division is one instruction, or two where a quotient may exceed 255
//     (parts/mean_division.hpp, common/cuda/float_division.hpp).
// Since packed: boxes only, with K up to 31. K does not appear in the number of additions, but for
//     the first pixel of a lane; the row that leaves is read again.
// Limit: a warp reads K - 1 rows before its first output, and keeps K rows in shared memory: the
//     larger K, the fewer warps fit on a multiprocessor.
// Alone: build/labs/07_separable/lab bench --variant packed,running_sums --filter box --size 8k
#include <algorithm>
#include <numeric>

#include "common/cuda/dispatch.hpp"
#include "common/cuda/float_division.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_kernel.hpp"
#include "labs/07_separable/parts/mean_division.hpp"
#include "labs/07_separable/parts/row_history.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

/// Division: MeanDivision, or FloatDivision where a quotient may exceed 255.
template <class Division>
struct BoxTap {
    unsigned plus[2], minus[2];  ///< for dp2a: the low and the high half times the tap, 8 bits
    Division division;
};

template <int channels, int ksize, class Division>
class BoxSums {
  public:
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour

    __device__ explicit BoxSums(const BoxTap<Division>& tap) : tap_(tap) {
#pragma unroll
        for (int w = 0; w < kLineWords; ++w) line_[0][w] = line_[1][w] = 0;
    }

    /// Down the columns: the row that enters, the one that leaves. Each half of a word is a sum.
    __device__ __forceinline__ void add_row(const uint2* s_row) {
        for_each_word(s_row, [&](unsigned& even, unsigned& odd, unsigned word) {
            even += word & 0x00ff00ffU;
            odd += __byte_perm(word, 0, 0x4341);
        });
    }
    __device__ __forceinline__ void subtract_row(const uint2* s_row) {
        for_each_word(s_row, [&](unsigned& even, unsigned& odd, unsigned word) {
            even -= word & 0x00ff00ffU;
            odd -= __byte_perm(word, 0, 0x4341);
        });
    }

    /// Along the row.
    __device__ __forceinline__ void emit(uint2* s_out) {
        gather();
        unsigned out[kWords];
        int bytes[kLaneBytes];
#pragma unroll
        for (int first = 0; first < kLaneBytes; first += kRunBytes) {
            int sums[channels];
            sum_windows(first, sums);
#pragma unroll
            for (int x = first; x < first + kRunBytes; ++x) {
                int& sum = sums[(x - first) % channels];
                if (x >= first + channels) {
                    sum = add(x + kReach, tap_.plus, sum);
                    sum = add(x - channels - kReach, tap_.minus, sum);
                }
                bytes[x] = static_cast<int>(tap_.division.byte(sum));
            }
        }
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            out[w] =
                pack_bytes_0({bytes[4 * w], bytes[4 * w + 1], bytes[4 * w + 2], bytes[4 * w + 3]});
#pragma unroll
        for (int v = 0; v < kWords / 2; ++v) s_out[v] = make_uint2(out[2 * v], out[2 * v + 1]);
    }

  private:
    static constexpr int kRunBytes = channels == 1 ? 12 : kLaneBytes;  // from one first pixel on
    static constexpr int kWords = kLaneBytes / 4;
    static constexpr int kHaloWords = (kReach + 3) / 4;
    static constexpr int kLineWords = kHaloWords + kWords + kHaloWords;
    static constexpr int kPairsAtOnce = 65535 / (255 * ksize);  // without overflow

    /// change(sums under bytes 0 and 2, sums under bytes 1 and 3, word)
    template <class Change>
    __device__ __forceinline__ void for_each_word(const uint2* s_row, const Change& change) {
#pragma unroll
        for (int v = 0; v < kWords / 2; ++v) {
            const uint2 two = s_row[v];
            const int w = kHaloWords + 2 * v;
            change(line_[0][w], line_[1][w], two.x);
            change(line_[0][w + 1], line_[1][w + 1], two.y);
        }
    }

    /// The sums of this lane between those of its neighbours.
    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int w = 0; w < kHaloWords; ++w) {
                const int left = kHaloWords + kWords - 1 - w % kWords,
                          right = kHaloWords + w % kWords;
                const int lanes = w / kWords + 1;  // away
                line_[odd][kHaloWords - 1 - w] = __shfl_up_sync(~0U, line_[odd][left], lanes);
                line_[odd][kHaloWords + kWords + w] =
                    __shfl_down_sync(~0U, line_[odd][right], lanes);
            }
        }
    }

    /// sum + the column sum under byte x of the lane, times a tap.
    __device__ __forceinline__ int add(int x, const unsigned (&tap)[2], int sum) const {
        const int at = x + 4 * kHaloWords;
        return dp2a_signed(line_[at % 2][at / 4], tap[at % 4 / 2], sum);
    }

    /// Whether byte x is in the window of its channel's first pixel, whose first byte is `first`.
    static __device__ constexpr bool in_window(int x, int first) {
        const int c = channel(x, first);
        return first + c - kReach <= x && x <= first + c + kReach;
    }
    static __device__ constexpr int channel(int x, int first) {
        return (x - first + 64 * channels) % channels;
    }

    /// The sums of the windows of a pixel. Words `period` apart have the same channels: they are
    /// added before they are taken apart.
    __device__ __forceinline__ void sum_windows(int first, int (&sums)[channels]) const {
        constexpr int kPeriod = channels == 3 ? 3 : 1;
#pragma unroll
        for (int& sum : sums) sum = tap_.division.start;
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
            for (int begin = 0; begin < kPeriod; ++begin) {
                unsigned pairs = 0;
                int count = 0;
                const int x0 = 4 * (begin - kHaloWords) + odd;
                int& low = sums[channel(x0, first)];
                int& high = sums[channel(x0 + 2, first)];
#pragma unroll
                for (int w = begin; w < kLineWords; w += kPeriod) {
                    const int x = 4 * (w - kHaloWords) + odd;
                    const bool has_low = in_window(x, first), has_high = in_window(x + 2, first);
                    if (has_low && has_high) {
                        pairs += line_[odd][w];
                        if (++count == kPairsAtOnce) {
                            low = dp2a_signed(pairs, tap_.plus[0], low);
                            high = dp2a_signed(pairs, tap_.plus[1], high);
                            pairs = 0;
                            count = 0;
                        }
                    } else if (has_low) {
                        low = dp2a_signed(line_[odd][w], tap_.plus[0], low);
                    } else if (has_high) {
                        high = dp2a_signed(line_[odd][w], tap_.plus[1], high);
                    }
                }
                if (count > 0) {
                    low = dp2a_signed(pairs, tap_.plus[0], low);
                    high = dp2a_signed(pairs, tap_.plus[1], high);
                }
            }
        }
    }

    const BoxTap<Division>& tap_;
    unsigned line_[2][kLineWords];  // [odd]: column sums of this lane and of its neighbours
};

/// One warp: rows.rows_per_warp output rows of a strip.
template <int channels, int ksize, class Division>
static __global__ void __launch_bounds__(32)
    convolve_box(const GRID_CONSTANT ByteRows rows, const GRID_CONSTANT BoxTap<Division> tap) {
    using Sums = BoxSums<channels, ksize, Division>;
    using History = RowHistory<Sums::kReach, ksize>;
    extern __shared__ uint4 s_ring[];
    // Every other warp marches up: two neighbours begin or end with the same rows at the same time,
    // so that one of them finds these rows in the L2 cache.
    const int top = static_cast<int>(blockIdx.y) * rows.rows_per_warp;
    const int bottom = min(top + rows.rows_per_warp, rows.job.out_height) - 1;
    const int step = blockIdx.y % 2 == 0 ? 1 : -1;
    int y = step > 0 ? top : bottom;
    const int first = top + rows.job.origin, last = bottom + rows.job.origin + ksize - 1;
    History history(rows, reinterpret_cast<unsigned char*>(s_ring),
                    static_cast<int>(blockIdx.x) * History::kOutBytes, step > 0 ? first : last,
                    step > 0 ? last : first);
    Sums sums(tap);
#pragma unroll 1
    for (int row = 0; row < ksize - 1; ++row) {
        history.wait();
        sums.add_row(history.entering());
        history.advance();
    }
#pragma unroll 1
    for (int count = bottom - top + 1; count > 0; --count, y += step) {
        sums.subtract_row(history.leaving());
        history.wait();
        sums.add_row(history.entering());
        sums.emit(history.leaving());
        history.store(rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch);
        history.advance();
    }
}

/// Throws Unsupported for a filter that is not a box.
static std::int32_t tap_of_box(const Filter& filter) {
    const std::int32_t tap = filter.tap(0, 0);
    const int ksize = filter.ksize();
    bool is_box = tap > 0;
    for (int j = 0; j < ksize; ++j)
        for (int i = 0; i < ksize; ++i) is_box = is_box && filter.tap(i, j) == tap;
    if (!is_box)
        throw Unsupported(
            "This kernel adds boxes, whose taps are one positive number; the filter '" +
            filter.name() + "' is none.");
    return tap;
}

template <int C, int K, class Division>
static BandKernel kernel_with(const Job& job, const Band& band, unsigned plus,
                              const Division& division) {
    using History = RowHistory<C*(K / 2), K>;
    const unsigned minus = 256 - plus;
    const BoxTap<Division> tap{{plus, plus << 8}, {minus, minus << 8}, division};
    ByteRows rows = byte_rows(job, band);
    require_gpu();
    const auto kernel = convolve_box<C, K, Division>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    const auto blocks = PreparedKernel::resident_blocks(kernel, 32, History::kBytes);
    const unsigned strips = blocks_for(rows.out_bytes, History::kOutBytes);
    constexpr unsigned kMaxBands = 65535, kLeastRows = 8;
    const unsigned bands = std::clamp(blocks / strips, 1U, kMaxBands);
    rows.rows_per_warp = std::max(kLeastRows, blocks_for(rows.job.out_height, bands));
    PreparedKernel launch;
    launch.prepare(kernel, {dim3(strips, blocks_for(rows.job.out_height, rows.rows_per_warp)),
                            dim3(32), History::kBytes});
    const auto on_stream = [rows, tap, grid = launch.grid](const DeviceBand& at,
                                                           cudaStream_t stream) {
        convolve_box<C, K, Division><<<grid, 32, History::kBytes, stream>>>(rows_at(rows, at), tap);
    };
    return {on_stream, packed_input_rows(job), packed_output_rows(), launch.kernel_resources(),
            launch.grid};
}

template <int C, int K>
static BandKernel kernel_of(const Job& job, const Band& band) {
    const std::int32_t tap = tap_of_box(job.filter);
    const std::int32_t factor = std::gcd(tap, job.filter.divisor());
    const std::int32_t divisor = job.filter.divisor() / factor;
    if (tap / factor > 127)
        throw Unsupported("The taps of this kernel have 8 bits: 127 at most, not " +
                          std::to_string(tap / factor) + ".");
    const std::int32_t largest_sum = 255 * K * K * (tap / factor);
    const auto plus = static_cast<unsigned>(tap / factor);
    if (const auto mean = mean_division(divisor, largest_sum))
        return kernel_with<C, K>(job, band, plus, *mean);
    return kernel_with<C, K>(job, band, plus, float_division(divisor, largest_sum));
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
