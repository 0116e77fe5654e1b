// SPDX-License-Identifier: MIT
#include "count/warp_accesses.hpp"

#include <algorithm>

namespace cuda_on_cpu::count {

bool Instruction::is_uniform() const {
    for (std::size_t i = 1; i < used; ++i)
        if (requests[i].lanes != requests[0].lanes) return false;
    return true;
}

Instruction& WarpAccesses::find(const Access& access) {
    const std::uintptr_t key =  // memcpy reads and writes at one place
        reinterpret_cast<std::uintptr_t>(access.code) * 2 + (access.writes() ? 1 : 0);
    auto& recent = recent_[key % std::size(recent_)];
    if (recent.key == key) return *recent.found;
    Instruction& instruction = all_[key];  // stays where it is
    instruction.code = access.code;
    instruction.kind = access.kind;
    recent = {key, &instruction};
    return instruction;
}

void WarpAccesses::add_block(unsigned lane, const void* code) {
    const auto key = reinterpret_cast<std::uintptr_t>(code);
    auto& recent = recent_blocks_[key % std::size(recent_blocks_)];
    if (recent.key != key) recent = {key, &loops_.find(code)};
    Step step{nullptr, {}, 0};
    step.block = recent.found;
    steps_[lane].push_back(step);
}

// No instruction of a GPU loads more than 16 bytes, nor 12: a larger struct is loaded word by word.
void WarpAccesses::add(unsigned lane, const Access& access) {
    Instruction* const instruction = &find(access);
    const auto address = reinterpret_cast<std::uint64_t>(access.address);
    const auto bytes = static_cast<std::uint32_t>(access.bytes);
    const bool is_one = bytes <= 16 && (bytes & (bytes - 1)) == 0;
    const std::uint32_t piece = is_one ? bytes : (address | bytes) % 4 == 0 ? 4 : 1;
    for (std::uint32_t at = 0; at < bytes; at += piece)
        steps_[lane].push_back({instruction, {address + at}, piece});
}

// The loops are known when all lanes have been looked at.
void WarpAccesses::make_requests() {
    for (unsigned lane = 0; lane < 32; ++lane) {
        BasicBlock* block = block_[first_ + lane];
        for (const Step& step : steps_[lane]) {
            if (step.instruction != nullptr) continue;
            loops_.learn(block, *step.block);
            block = step.block;
        }
    }
    loops_.understand();
    for (unsigned lane = 0; lane < 32; ++lane) {
        loops_.begin_lane();
        BasicBlock*& block = block_[first_ + lane];
        std::uint64_t round = block == nullptr ? 0 : loops_.round_in(*block);
        for (const Step& step : steps_[lane]) {
            if (step.instruction != nullptr) {
                add_to_request(lane, step, round);
                continue;
            }
            if (block != nullptr) loops_.go(*block, *step.block);
            block = step.block;
            round = loops_.round_in(*block);
        }
        for (Instruction* const instruction : busy_) instruction->next = 0;
        steps_[lane].clear();
    }
}

void WarpAccesses::begin_request(Instruction& instruction, std::uint32_t bytes,
                                 std::uint64_t round) {
    if (instruction.requests.size() == instruction.used) {
        instruction.requests.emplace_back();
        instruction.round.emplace_back();
    }
    instruction.requests[instruction.used].lanes = 0;
    instruction.requests[instruction.used].bytes = bytes;
    instruction.round[instruction.used++] = round;
}

// The lanes' accesses come in the same order for the most part.
void WarpAccesses::add_to_request(unsigned lane, const Step& step, std::uint64_t round) {
    Instruction& instruction = *step.instruction;
    if (instruction.used == 0) busy_.push_back(&instruction);
    const auto has_lane = [&](std::size_t i) {
        return (instruction.requests[i].lanes >> lane & 1U) != 0;
    };
    std::size_t n = instruction.next;
    if (n >= instruction.used || instruction.round[n] != round || has_lane(n))
        for (;; round += 0x9e3779b97f4a7c15U) {  // once more: another word of a large struct
            n = instruction.request_of.try_emplace(round, instruction.used).first->second;
            if (n == instruction.used) begin_request(instruction, step.bytes, round);
            if (!has_lane(n)) break;
        }
    instruction.next = n + 1;
    Request& request = instruction.requests[n];
    request.lanes |= 1U << lane;
    request.bytes = std::max(request.bytes, step.bytes);
    request.address[lane] = step.address;
}

}  // namespace cuda_on_cpu::count
