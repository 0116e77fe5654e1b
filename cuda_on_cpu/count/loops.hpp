// SPDX-License-Identifier: MIT
// The loops of a kernel, from the ways that its threads take through the basic blocks. A block
// dominates another if each way to that one goes through it. If a way leads from a block back to
// one that dominates it, a loop begins there: the natural loop of compiler books.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace cuda_on_cpu::count {

struct BasicBlock {
    std::size_t number;
    std::vector<BasicBlock*> next;    ///< where threads have gone from it
    std::vector<std::size_t> around;  ///< the loops that it is in
};

class Loops {
  public:
    BasicBlock& find(const void* code);
    /// A thread has gone from one block to another; from nullptr: begins there.
    void learn(BasicBlock* from, BasicBlock& to);
    /// From what was learnt.
    void understand();

    /// A lane's way, once more.
    void begin_lane();
    void go(const BasicBlock& from, const BasicBlock& to);
    /// A number for the rounds that the lane is in, of all loops around the block.
    std::uint64_t round_in(const BasicBlock& block) const;

  private:
    struct Loop {
        std::vector<bool> has;           // each block
        std::vector<std::size_t> inner;  // loops
        std::uint64_t rounds = 0;        // that the lane has begun
    };
    using Set = std::vector<std::uint64_t>;  // a bit for each block
    std::vector<Set> dominators() const;
    void add_to_loop(Loop& loop, const BasicBlock& block) const;

    std::unordered_map<const void*, BasicBlock*> of_code_;
    std::deque<BasicBlock> blocks_;                     // by number
    std::vector<std::vector<std::size_t>> comes_from_;  // each block
    std::vector<std::size_t> entries_;
    std::unordered_map<std::size_t, std::size_t> begins_;  // a block: the loop
    std::vector<Loop> loops_;
    bool is_understood_ = true;
};

}  // namespace cuda_on_cpu::count
