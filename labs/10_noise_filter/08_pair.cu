// SPDX-License-Identifier: MIT
// pair, pair_count -- both frames in the registers of one warp, four samples per instruction
// Source: new; the arithmetic is that of lab 07's packed.
// Idea: two frames are read once, and a map or two numbers are written. A warp marches down a strip,
//     16 bytes per lane of both frames (parts/pair_strip.hpp). Mean and Gaussian are computed as in
//     lab 07: two samples per addition for the Gaussians of side 3 and 5
//     (common/cuda/packed_binomial.hpp), four multiply-adds per dp4a for all others
//     (common/cuda/packed_dots.hpp). Then a lane has 16 filtered bytes of both frames:
//         compare   four bytes per instruction; a bit for each of the 16 samples
//         pixels    16 bytes end in the middle of a pixel, so a shuffle brings the bits of the next
//                   lane. The three bits of a pixel are combined where the pixel begins
//         count     population counts of the two words of bits; or
//         mark      4 bits become 4 bytes by a multiplication, and 16 bytes are stored at once
// Since fused and count: bytes stay packed, rows of 16 bytes are copied at once, and no barrier.
// Limit: a warp keeps the columns of both frames in registers, so few warps fit. It reads K - 1 more
//     rows than it writes: the larger K, the more rows it should have.
// Alone: build/labs/10_noise_filter/lab bench --variant count,pair,pair_count --ksize 3,5,7,9
//     --size 8k
#include "common/cuda/frame_pair.hpp"
#include "common/cuda/packed_binomial.hpp"
#include "common/cuda/packed_dots.hpp"
#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/parts/changes.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/pair_strip.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

/// Rows of each frame in shared memory, output rows of a warp in a large frame, and blocks that
/// registers must suffice for. Chosen by times on an H200: more stages were slower.
template <int K>
struct PairPlan {
    static constexpr int kStages = K <= 5 ? 3 : 2;
    static constexpr int kRows = K == 3 ? 18 : 24;
    static constexpr int kBlocks = K <= 5 ? 4 : 3;
};

/// Bit i: byte i of 16 changed.
static __device__ __forceinline__ unsigned samples_changed(const unsigned (&a)[kLaneWords],
                                                           const unsigned (&b)[kLaneWords]) {
    unsigned bits = 0;
#pragma unroll
    for (int w = 0; w < kLaneWords; ++w) {
        const unsigned bytes = __vcmpgtu4(__vabsdiffu4(a[w], b[w]), kThreshold * 0x01010101U);
        bits |= (bytes & 0x08040201U) * 0x01010101U >> 24 << (4 * w);
    }
    return bits;
}

/// 255 in each of the 16 bytes whose bit is 1, else 0.
static __device__ __forceinline__ void bytes_of(unsigned bits, unsigned (&bytes)[kLaneWords]) {
#pragma unroll
    for (int w = 0; w < kLaneWords; ++w)
        bytes[w] = ((bits >> (4 * w) & 15) * 0x00204081U & 0x01010101U) * 255;
}

template <class Body, class Plan, Strips strips>
static __device__ __forceinline__ Changes march(const PairRows& pair,
                                                const typename Body::Taps& taps,
                                                unsigned char* s_ring, int base, int y) {
    constexpr int kBefore = Body::kKsize - 1;  // rows that the first output needs before its last
    PairStrip<Body, Plan, strips> strip(pair, s_ring, base, y);
    Body previous(taps), current(taps);
    Changes changes;
    const unsigned counted = strip.counted(), starts = strip.pixels();
    const auto feed = [&](int slot) {
        unsigned before[kLaneWords], now[kLaneWords];
        strip.load(slot, before, now);
        previous.feed(before);
        current.feed(now);
    };
    const auto compare = [&] {
        unsigned before[kLaneWords], now[kLaneWords];
        previous.emit(before);
        current.emit(now);
        const unsigned samples = samples_changed(before, now);
        const unsigned both = samples | __shfl_down_sync(~0U, samples, 1) << 16;
        const unsigned pixels = (both | both >> 1 | both >> 2) & starts;
        if (!strip.has_rows()) return;  // a round goes on past the last row
        if (pair.rows.d_out != nullptr) {
            bytes_of(pixels, now);
            strip.store(now);
        } else {
            changes.pixels += __popc(pixels & counted);
            changes.samples += __popc(samples & counted);
        }
        strip.next_row();
    };
#pragma unroll 1
    for (int slot = 0; slot < Plan::kStages; ++slot) strip.fetch(slot);
#pragma unroll 1
    for (int k = 0; k < kBefore; ++k) feed(k % Plan::kStages);
#pragma unroll 1
    while (strip.has_rows()) {  // rounds of kStages rows, so that each slot is a constant
#pragma unroll
        for (int k = 0; k < Plan::kStages; ++k) {
            feed((kBefore + k) % Plan::kStages);
            compare();
        }
    }
    return changes;
}

/// Marks where pair.rows.d_out is given, else counts.
template <class Body, class Plan>
static __global__ void __launch_bounds__(32 * kStripsPerBlock, Plan::kBlocks)
    compare_strips(const GRID_CONSTANT PairRows pair, const GRID_CONSTANT typename Body::Taps taps,
                   int* d_sums, int* d_counts) {
    constexpr int kRingBytes = PairStrip<Body, Plan, Strips::middle>::kRingBytes;
    __shared__ __align__(16) unsigned char s_rings[kStripsPerBlock][kRingBytes];
    unsigned char* s_ring = s_rings[threadIdx.y];
    const int strip = static_cast<int>(blockIdx.x * kStripsPerBlock + threadIdx.y);
    const int y = static_cast<int>(blockIdx.y) * pair.rows.rows_per_warp;
    const int base = pair.aligned ? strip * kStripBytes - kLaneBytes
                                  : strip * kUnalignedStripBytes - 2 * kLaneBytes;
    Changes changes;
    const bool at_side = base < 0 || base + kRowBytes > pair.rows.last;
    if (base + kLaneBytes < pair.rows.out_bytes)
        changes = !pair.aligned ? march<Body, Plan, Strips::unaligned>(pair, taps, s_ring, base, y)
                  : at_side     ? march<Body, Plan, Strips::at_side>(pair, taps, s_ring, base, y)
                                : march<Body, Plan, Strips::middle>(pair, taps, s_ring, base, y);
    if (pair.rows.d_out == nullptr) add_up(changes, d_sums, d_counts);
}

template <class Body>
static void prepare(CudaFramePair& v, bool counts, const typename Body::Taps& taps) {
    using Plan = PairPlan<Body::kKsize>;
    const auto kernel = compare_strips<Body, Plan>;
    PairRows pair{byte_rows(v.job, whole_image(v.job)), nullptr, 3 * v.width % 16 == 0};
    pair.rows.in_pitch = pair.rows.out_pitch = 3 * v.width;
    const auto blocks = PreparedKernel::resident_blocks(kernel, 32 * kStripsPerBlock);
    v.prepare(kernel, strip_shape(pair.rows, static_cast<int>(blocks),
                                  pair.aligned ? kStripBytes : kUnalignedStripBytes, Plan::kStages,
                                  Plan::kRows));
    set_changes(v, counts, [&v, pair, taps](std::uint8_t* d_marks, int* d_sums, int* d_counts) {
        PairRows now = pair;
        now.rows.d_in = v.d_previous();
        now.d_current = v.d_current();
        now.rows.d_out = d_marks;
        compare_strips<Body, Plan><<<v.grid, v.block>>>(now, taps, d_sums, d_counts);
    });
}

static Variant variant(Variant of, bool counts) {
    of.pinned_frames = true;
    of.awkward = strip_ends();
    return frame_pair_variant(std::move(of), [counts](CudaFramePair& v) {
        with_window<Mean, Gaussian>(v.job, [&]<class Window, int K>() {
            const SeparableTaps taps = reduced(taps_of(v.job.filter));
            if constexpr (std::is_same_v<Window, Mean<K>>)
                prepare<DotBody<3, K, OverAny>>(
                    v, counts, dot_taps(taps, 0, bit_division(taps.divisor, largest_sum(taps))));
            else if constexpr (K <= 5)
                prepare<BinomialBody<3, K, true>>(v, counts, {});
            else
                prepare<DotBody<3, K, Over65536>>(
                    v, counts, dot_taps(over_65536(taps).value(), 65536 / 2, {}));
        });
    });
}

const Variant pair =
    variant({.name = "pair", .idea = "mean and Gaussian; both frames in one strip, packed"}, false);

const Variant pair_count = variant({.name = "pair_count",
                                    .idea = "as pair; the number of changed pixels and samples",
                                    .operation = &counts()},
                                   true);

}  // namespace convolab::noise_filter
