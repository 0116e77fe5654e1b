// SPDX-License-Identifier: MIT
// The ring of `wgmma`. Its slots in shared memory hold stages of 4 input rows of a strip, which is
// as wide as all columns of a product. A block gets parts of strips, each of them some rows high.
// Four lanes of its last warpgroup copy the stages of all these parts. The other warpgroups take the
// stages in turn, and compute the 4 output rows whose windows begin there:
//
//     four lanes (fetcher.hpp)      wait for `empty`, start the copies of a row each  -> full
//     warpgroups                    wait for `full` of all stages of a window,
//                                   multiply                                          -> empty
//
// If copies do not bring all bytes, they count for `copied` instead. A second ring, `unfinished`, has
// only these stages:
//
//     other warps (finisher.hpp)    wait for `copied`, write what is missing          -> full
//
// A barrier knows only the parity of its phases: phases n - 2 and n look the same. So a wait for
// phase n must follow a wait for phase n - 1. Therefore a warpgroup waits for all stages of its
// windows, even if no output begins there, and the slots are a multiple of the warpgroups: each
// comes to the same slots in every round. So do the finishing warps in their ring.
//
// The ring stops for ever (deadlock) if a thread does not arrive at `empty`, or if the ring has
// fewer slots than a window has stages.
#pragma once

#include "common/cuda/byte_rows.hpp"
#include "labs/12_tensor/parts/bulk_copy.hpp"
#include "labs/12_tensor/parts/window_chunks.hpp"

namespace convolab::tensor_cores {

inline constexpr int kMaxSlots = 24;        ///< `unfinished` always has this many
inline constexpr int kFinishingLanes = 32;  ///< arrive at `full` for each unfinished stage

/// How many warps of the last warpgroup copy, and how many finish stages. If rows begin anywhere, all
/// stages are unfinished.
template <class Chunks>
inline constexpr int kCopyingWarps = Chunks::kBegin == Begin::anywhere ? 1 : 2;
template <class Chunks>
inline constexpr int kFinishingWarps = 4 - kCopyingWarps<Chunks>;

/// Some steps of one strip.
struct Steps {
    int strip, first, count;
};

/// A step is 4 output rows of a strip. The first `shared_steps` of each strip are divided among the
/// blocks in advance. The others are tiles; the next free block takes one.
struct StripPlan {
    int strips, steps, shared_steps, tile_steps;
    int slots;         ///< slots of the ring: a multiple of the warpgroups
    int lead;          ///< bytes from the first chunk of a window to its column
    unsigned* d_next;  ///< the next tile: 0 before the launch, and after it

    __host__ __device__ int tiles() const {
        return strips * ((steps - shared_steps + tile_steps - 1) / tile_steps);
    }
    /// None behind the last tile.
    __device__ Steps tile(int i) const {
        if (i >= tiles()) return {};
        const int first = shared_steps + i / strips * tile_steps;
        return {i % strips, first, min(tile_steps, steps - first)};
    }
    /// The shared steps of all strips are numbered one after the other. A block has those from its
    /// first to the next block's first.
    __device__ int first_shared(unsigned block, unsigned blocks) const {
        const unsigned all = strips * shared_steps;
        return static_cast<int>(all / blocks * block + min(block, all % blocks));
    }
    /// Those from `begin` to `end` - 1 that are in one strip.
    __device__ Steps shared(int begin, int end) const {
        const int first = begin % shared_steps;
        return {begin / shared_steps, first, min(end - begin, shared_steps - first)};
    }
};

/// Describes what a slot contains.
struct Stage {
    static constexpr int kNoOutput = -1, kEnd = -2;
    int strip;
    int y;  ///< the first output row whose window begins here, or kNoOutput or kEnd
};

/// A stage that the copies do not finish.
struct alignas(16) Unfinished {
    static constexpr int kEnd = -1;
    int slot;  ///< or kEnd
    int t;     ///< its first byte in a row
    int top;   ///< the first of its input rows
};

struct alignas(128) RingState {
    Mbarrier full[kMaxSlots], empty[kMaxSlots], copied[kMaxSlots];
    Mbarrier taken;  ///< the next tile is known
    int tile[2];     ///< it, by the parity of this phase of `taken`
    Stage stage[kMaxSlots];
    Unfinished unfinished[kMaxSlots];
    int shift[kMaxSlots][kStageRows];  ///< how many bytes a finisher moves a row to the left
};

/// A slot, and the parity of its barriers' phases in this round.
struct Place {
    int slot = 0, parity = 0;
    __device__ __forceinline__ void advance(int by, int slots) {
        slot += by;
        if (slot >= slots) {
            slot -= slots;
            parity ^= 1;
        }
    }
};

}  // namespace convolab::tensor_cores
