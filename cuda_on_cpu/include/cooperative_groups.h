// SPDX-License-Identifier: MIT
// Cooperative groups: the block, tiles of a warp, lanes that are in the same branch, the grid.
#pragma once

#include <cstring>
#include <type_traits>

#include "cooperative_groups/warps_tile.hpp"
#include "cuda_runtime.h"

#define CUDA_ON_CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cooperative_groups {

namespace detail {
inline unsigned thread_number() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned count(dim3 size) { return size.x * size.y * size.z; }
inline unsigned lane() { return thread_number() % 32; }
inline unsigned below(unsigned mask) {  // how many lanes of the mask are below this one
    return static_cast<unsigned>(__popc(mask & ((1U << lane()) - 1)));
}
inline unsigned nth(unsigned mask, unsigned n) {  // the lane of that rank
    for (; n > 0 && mask != 0; --n) mask &= mask - 1;
    return static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
}
}  // namespace detail

/// A block (no lanes) or lanes of one warp.
class thread_group {
  public:
    unsigned long long size() const {
        return lanes_ == 0 ? detail::count(blockDim) : static_cast<unsigned>(__popc(lanes_));
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        return lanes_ == 0 ? detail::thread_number() : detail::below(lanes_);
    }
    void sync(CUDA_ON_CPU_HERE) const {
        lanes_ == 0 ? __syncthreads(file, line) : __syncwarp(lanes_, file, line);
    }
    bool is_valid() const { return true; }
    unsigned lanes() const { return lanes_; }

  protected:
    explicit thread_group(unsigned lanes) : lanes_(lanes) {}

  private:
    unsigned lanes_;
    friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

class thread_block : public thread_group {
  public:
    thread_block() : thread_group(0) {}
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }
template <unsigned Threads>
thread_block this_thread_block(block_tile_memory<Threads>&) {
    return {};
}

/// Lanes that exchange values. Ranks are counted among them.
class lane_group : public thread_group {
  public:
    template <class T>
    T shfl(T value, int rank, CUDA_ON_CPU_HERE) const {
        return from("shfl", value, static_cast<unsigned>(rank), file, line);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, CUDA_ON_CPU_HERE) const {
        const auto rank = static_cast<unsigned>(thread_rank());
        return from("shfl_up", value, delta > rank ? rank : rank - delta, file, line);
    }
    template <class T>
    T shfl_down(T value, unsigned delta, CUDA_ON_CPU_HERE) const {
        const auto rank = static_cast<unsigned>(thread_rank());
        return from("shfl_down", value, rank + delta < size() ? rank + delta : rank, file, line);
    }
    int any(int predicate, CUDA_ON_CPU_HERE) const {
        return __any_sync(lanes(), predicate, file, line);
    }
    int all(int predicate, CUDA_ON_CPU_HERE) const {
        return __all_sync(lanes(), predicate, file, line);
    }
    unsigned ballot(int predicate, CUDA_ON_CPU_HERE) const {
        return ranks(__ballot_sync(lanes(), predicate, file, line));
    }
    template <class T>
    unsigned match_any(T value, CUDA_ON_CPU_HERE) const {
        const auto all = cuda_on_cpu::gather("match_any", lanes(), value, file, line);
        unsigned same = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((all.present >> lane & 1U) != 0 && all.value[lane] == value) same |= 1U << lane;
        return ranks(same);
    }

  protected:
    explicit lane_group(unsigned lanes) : thread_group(lanes) {}
    template <class T>
    T from(const char* name, T value, unsigned rank, const char* file, int line) const {
        const auto all = cuda_on_cpu::gather(name, lanes(), value, file, line);
        const unsigned lane = detail::nth(lanes(), rank % static_cast<unsigned>(size()));
        if ((all.present >> lane & 1U) != 0) return all.value[lane];
        cuda_on_cpu::report_inactive_lane({name, lanes(), file, line}, lane, &value, sizeof value);
        return value;
    }

  private:
    unsigned ranks(unsigned mask) const {  // the bits of the lanes, side by side
        unsigned result = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((lanes() >> lane & 1U) != 0) result |= (mask >> lane & 1U) << rank++;
        return result;
    }
};

class coalesced_group : public lane_group {
  public:
    explicit coalesced_group(unsigned lanes) : lane_group(lanes) {}
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
};
/// The lanes of the warp that are in this branch, too.
inline coalesced_group coalesced_threads(CUDA_ON_CPU_HERE) {
    return coalesced_group(cuda_on_cpu::coalesced_lanes("coalesced_threads", file, line));
}

template <unsigned Size>
class lane_tile : public lane_group {
  public:
    explicit lane_tile(unsigned) : lane_group(lanes_of_tile()) {}
    static constexpr unsigned long long size() { return Size; }
    static constexpr unsigned long long num_threads() { return Size; }
    template <class T>
    T shfl_xor(T value, unsigned lane_mask, CUDA_ON_CPU_HERE) const {
        return from("shfl_xor", value, static_cast<unsigned>(thread_rank()) ^ lane_mask, file,
                    line);
    }

  private:
    static unsigned lanes_of_tile() {
        const unsigned first = detail::lane() / Size * Size;
        return (Size == 32 ? ~0U : (1U << Size % 32) - 1) << first;
    }
};

/// The number of a thread in its block decides in which tile it is.
template <unsigned Size, class Parent = thread_block>
class thread_block_tile
    : public std::conditional_t<(Size <= 32), lane_tile<Size>, warps_tile<Size>> {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... 1024 threads");

  public:
    explicit thread_block_tile(const Parent& parent)
        : thread_block_tile(static_cast<unsigned>(parent.thread_rank()) / Size,
                            (static_cast<unsigned>(parent.size()) + Size - 1) / Size) {}
    template <class OtherParent>
    thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
        : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

  private:
    thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : std::conditional_t<(Size <= 32), lane_tile<Size>, warps_tile<Size>>(
              detail::thread_number()),
          meta_rank_(meta_rank),
          meta_size_(meta_size) {}
    unsigned meta_rank_, meta_size_;
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    return thread_block_tile<Size, Parent>(parent);
}
/// Tiles of a size that is known when the kernel runs: 1, 2, 4, 8, 16 or 32.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
    const auto rank = static_cast<unsigned>(parent.thread_rank());
    unsigned lanes = 0;
    for (unsigned i = rank / size * size; i < rank / size * size + size; ++i)
        lanes |= 1U << (parent.lanes() == 0 ? i % 32 : detail::nth(parent.lanes(), i));
    return thread_group(lanes);
}
template <class Group>
coalesced_group labeled_partition(const Group& group, int label, CUDA_ON_CPU_HERE) {
    const auto all = cuda_on_cpu::gather("labeled_partition", group.lanes(), label, file, line);
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((all.present >> lane & 1U) != 0 && all.value[lane] == label) lanes |= 1U << lane;
    return coalesced_group(lanes);
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, CUDA_ON_CPU_HERE) {
    return labeled_partition(group, predicate ? 1 : 0, file, line);
}

/// All blocks of a cooperative launch.
class grid_group {
  public:
    void sync(CUDA_ON_CPU_HERE) const { cuda_on_cpu::wait_for_grid(file, line); }
    static unsigned long long size() { return num_blocks() * detail::count(blockDim); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long num_blocks() { return 1ULL * gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank() {
        return blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    }
    static unsigned long long thread_rank() {
        return block_rank() * detail::count(blockDim) + detail::thread_number();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
    static bool is_valid() { return true; }
};
inline grid_group this_grid() { return {}; }

template <class Group>
void sync(const Group& group, CUDA_ON_CPU_HERE) {
    group.sync(file, line);
}

}  // namespace cooperative_groups
#undef CUDA_ON_CPU_HERE
