// SPDX-License-Identifier: MIT
// wgmma -- products that read the image where the copies put it
// Source: new.
// Idea: four warps together start an asynchronous product (wgmma), which reads its second matrix
//     from shared memory itself. Column n + 1 begins 16 bytes after column n. So windows overlap
//     as they do in the image, and no lane loads anything. One warpgroup of a block copies rows,
//     the others multiply. A division takes one instruction (common/cuda/bit_division.hpp).
// Since tensor: no loads from shared memory, and half as many instructions for a division. Each
//     multiprocessor runs one block, and the registers go to the warpgroups that need them.
// Limit: the L2 cache. With K = 7 and 9 the products, while they run, also read from shared memory
//     nearly as fast as it can deliver, so copies and lanes wait.
// Alone: build/labs/12_tensor/lab bench --variant tensor,wgmma --ksize 3,5,7,9 --filter edge
#include "common/cuda/dispatch.hpp"
#include "labs/12_tensor/parts/fetcher.hpp"
#include "labs/12_tensor/parts/finisher.hpp"
#include "labs/12_tensor/parts/row_stores.hpp"
#include "labs/12_tensor/parts/strip_blocks.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kGroups = 3;                     // warpgroups that multiply in turn
constexpr int kThreads = 128 * (kGroups + 1);  // and one warpgroup that copies

/// Registers of a lane that multiplies; four lanes, one of each warpgroup, have 512 together. With
/// K = 9 in gray a lane holds the most parts of the filter.
template <class Chunks>
constexpr int kRegisters = Chunks::kProducts > 10 ? 160 : 152;

/// What a warp of a multiplying warpgroup does. It computes one of the 4 output rows whose windows
/// begin in a stage; its warpgroup takes every third stage.
template <class Chunks>
__device__ __forceinline__ void compute_rows(const ByteRows& rows, int slots,
                                             const WarpgroupFilter<typename Chunks::Part>& filter,
                                             RingState& s, unsigned char* s_ring) {
    // All lanes of a warp have the same two numbers. The shuffles show this to the compiler, which
    // then computes addresses once for a warp.
    const int group = __shfl_sync(~0U, threadIdx.x / 128, 0);
    const int warp = __shfl_sync(~0U, threadIdx.x / 32 % 4, 0);
    const int lane = threadIdx.x % 32;
    typename Chunks::Part parts[Chunks::kProducts];
#pragma unroll
    for (int i = 0; i < Chunks::kProducts; ++i)
        parts[i] = filter.d_matrix[(4 * i + warp) * 32 + lane];

    Place at;
    for (at.advance(group, slots);; at.advance(kGroups, slots)) {
        s.full[at.slot].wait(at.parity);
        const Stage stage = s.stage[at.slot];
        if (stage.y == Stage::kEnd) return;
        Descriptor stages[Chunks::kStages];  // the stages under the 4 output rows
        Place then = at;
#pragma unroll
        for (int j = 0; j < Chunks::kStages; ++j, then.advance(1, slots)) {
            if (j > 0) s.full[then.slot].wait(then.parity);
            stages[j] = Descriptor(s_ring + then.slot * Chunks::kStageBytes);
        }
        if (stage.y == Stage::kNoOutput) {
            s.empty[at.slot].arrive();
            continue;
        }

        Products<Chunks::kColumns> products;
        products.begin();
        const auto b = [&](int i) {
            return stages[Chunks::stage(i)].at(Chunks::offset(i), Chunks::stride(i));
        };
        products.template multiply<true>(parts[0], b(0));
#pragma unroll
        for (int i = 1; i < Chunks::kProducts; ++i)
            products.template multiply<false>(parts[i], b(i));
        products.wait();
        // The warpgroups of the one or two stages before may still read this slot. They also read
        // the slots before it, and those are filled again first.
        s.empty[at.slot].arrive();

        const int y = stage.y + warp;
        if (y >= rows.job.out_height) continue;
        // Lane 4 g + t has bytes 2 g and 2 g + 1 of columns 2 t and 2 t + 1. Transposed, these pairs
        // are bytes 4 t to 4 t + 3 of column g. So a warp has 128 bytes of the row, in order.
        store_row<Chunks>(rows, stage.strip, y, [&](int i) {
            return transposed(filter.division.four_bytes(products.sums + 4 * i));
        });
    }
}

template <class Chunks>
static __global__ void __launch_bounds__(kThreads, 1)
    convolve(const GRID_CONSTANT ByteRows rows, const GRID_CONSTANT StripPlan plan,
             const GRID_CONSTANT WarpgroupFilter<typename Chunks::Part> filter) {
    extern __shared__ __align__(128) unsigned char s_all[];
    RingState& s = *reinterpret_cast<RingState*>(s_all);
    unsigned char* s_ring = s_all + sizeof(RingState) + Chunks::kSkew;
    // One lane of each warp, because the lanes of a warp do this one after the other.
    if (threadIdx.x % 32 == 0) {
        for (unsigned i = threadIdx.x / 32; i < kMaxSlots; i += kThreads / 32) {
            s.full[i].init(kFinishingLanes);
            s.empty[i].init(128);
            s.copied[i].init(kStageRows);
        }
        if (threadIdx.x == 0) s.taken.init(kStageRows);
    }
    __syncthreads();
    const int thread = static_cast<int>(threadIdx.x) - 128 * kGroups;  // of the last warpgroup
    if (thread < 0) {
        take_registers<kRegisters<Chunks>>();
        compute_rows<Chunks>(rows, plan.slots, filter, s, s_ring);
    } else {
        give_registers<512 - kGroups * kRegisters<Chunks>>();
        const int warp = thread / 32, finishing = warp - kCopyingWarps<Chunks>;
        const int row = warp + kCopyingWarps<Chunks> * (thread % 32);
        if (finishing >= 0)
            finish_stages<Chunks>(rows, s, s_ring, finishing);
        else if (row < kStageRows)
            Fetcher<Chunks, kGroups>{rows, plan, filter.d_outside, s, s_ring, row}.run();
    }
}

BandKernel wgmma_kernel(const Job& job, const Band& band) {
    require_gpu();
    require_warpgroups();
    return with_channels(job, [&]<int C>() {
        return with_ksize<1, 3, 5, 7, 9>(job, [&]<int K>() {
            const auto kernel = [&]<Begin begin>() {
                using Chunks = WindowChunks<K, C, begin>;
                return strip_blocks<Chunks>(convolve<Chunks>, kThreads, job, band);
            };
            std::vector<BandKernel> kernels;
            if constexpr (K / 2 * C < 16)
                kernels.push_back(kernel.template operator()<Begin::windows>());
            if constexpr (C > 1 && K > 1)  // in gray a window would need a third chunk
                kernels.push_back(kernel.template operator()<Begin::sixteens>());
            kernels.push_back(kernel.template operator()<Begin::anywhere>());
            return by_address(kernels);
        });
    });
}

const Variant wgmma =
    packed_variant("wgmma", "asynchronous products, whose windows are where the copies put them",
                   wgmma_kernel, ring_pictures());

}  // namespace convolab::tensor_cores
