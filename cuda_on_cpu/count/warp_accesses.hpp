// SPDX-License-Identifier: MIT
// From the accesses of single threads to the requests of a warp. A GPU executes an instruction once
// for all lanes; here one lane runs after another. So what the lanes do at one instruction in the
// same round of the loops around it (loops.hpp), since they were last together, is a request. They
// are together when the kernel begins, at a barrier and at a warp function of all of them.
//
// If all requests of an instruction have the same lanes, a GPU makes the same requests. If they
// have not (a test in a loop, loops of different lengths), this is a model: a GPU may execute the
// lanes in more parts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "count/loops.hpp"
#include "count/request.hpp"
#include "device/base/observer.hpp"
#include "device/threads/block.hpp"

namespace cuda_on_cpu::count {

/// An instruction, and the requests that a warp has made by it.
struct Instruction {
    const void* code = nullptr;
    Access::Kind kind{};
    std::vector<Request> requests;  ///< the first `used` of them
    std::size_t used = 0;

    // how they are found
    std::vector<std::uint64_t> round;  ///< of each request
    std::unordered_map<std::uint64_t, std::size_t> request_of;
    std::size_t next = 0;  ///< where the lane's next access probably belongs

    bool is_uniform() const;
};

class WarpAccesses {
  public:
    void add(unsigned lane, const Access& access);
    void add_block(unsigned lane, const void* code);
    /// The block's threads begin the kernel.
    void begin_block() { std::fill(std::begin(block_), std::end(block_), nullptr); }
    /// Whose lanes come next.
    void set_warp(unsigned warp) { first_ = 32 * warp; }
    /// Hands over each instruction that some lane has executed, and begins anew.
    template <class Function>
    void take(Function&& function) {
        make_requests();
        for (Instruction* const instruction : busy_) {
            function(*instruction);
            instruction->used = 0;
            instruction->request_of.clear();
        }
        busy_.clear();
    }

  private:
    struct Step {
        Instruction* instruction;  // nullptr: a basic block begins
        union {
            std::uint64_t address;
            BasicBlock* block;
        };
        std::uint32_t bytes;
    };
    Instruction& find(const Access& access);
    void make_requests();
    static void begin_request(Instruction& instruction, std::uint32_t bytes, std::uint64_t round);
    void add_to_request(unsigned lane, const Step& step, std::uint64_t round);

    template <class T>
    struct Recent {  // a cache: the tables are asked hundreds of millions of times
        std::uintptr_t key;
        T* found;
    };
    std::unordered_map<std::uintptr_t, Instruction> all_;
    Recent<Instruction> recent_[1024] = {};
    Recent<BasicBlock> recent_blocks_[1024] = {};
    std::vector<Step> steps_[32];            // of each lane
    BasicBlock* block_[largest_block] = {};  // where each thread was when its warp was together
    unsigned first_ = 0;                     // of the warp's threads
    std::vector<Instruction*> busy_;
    Loops loops_;
};

}  // namespace cuda_on_cpu::count
