// SPDX-License-Identifier: MIT
#include "count/loops.hpp"

#include <algorithm>
#include <utility>

namespace cuda_on_cpu::count {

BasicBlock& Loops::find(const void* code) {
    BasicBlock*& block = of_code_[code];
    if (block == nullptr) {
        block = &blocks_.emplace_back(BasicBlock{blocks_.size(), {}, {}});
        comes_from_.emplace_back();
        is_understood_ = false;
    }
    return *block;
}

void Loops::learn(BasicBlock* from, BasicBlock& to) {
    if (from == nullptr) {
        if (std::find(entries_.begin(), entries_.end(), to.number) != entries_.end()) return;
        entries_.push_back(to.number);
    } else {
        if (std::find(from->next.begin(), from->next.end(), &to) != from->next.end()) return;
        from->next.push_back(&to);
        comes_from_[to.number].push_back(from->number);
    }
    is_understood_ = false;
}

// A block is dominated by itself and by what dominates all the blocks that lead to it.
std::vector<Loops::Set> Loops::dominators() const {
    const std::size_t count = blocks_.size(), words = count / 64 + 1;
    std::vector<Set> result(count, Set(words, ~std::uint64_t{0}));
    for (const std::size_t entry : entries_) result[entry].assign(words, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t block = 0; block < count; ++block) {
            Set now = result[block];
            for (const std::size_t before : comes_from_[block])
                for (std::size_t i = 0; i < words; ++i) now[i] &= result[before][i];
            now[block / 64] |= std::uint64_t{1} << block % 64;
            if (now == result[block]) continue;
            result[block] = std::move(now);
            changed = true;
        }
    }
    return result;
}

// The block and all from which threads come to it without passing the loop's first one.
void Loops::add_to_loop(Loop& loop, const BasicBlock& block) const {
    std::vector<std::size_t> open = {block.number};
    while (!open.empty()) {
        const std::size_t number = open.back();
        open.pop_back();
        if (loop.has[number]) continue;
        loop.has[number] = true;
        open.insert(open.end(), comes_from_[number].begin(), comes_from_[number].end());
    }
}

void Loops::understand() {
    if (is_understood_) return;
    is_understood_ = true;
    const auto dominate = dominators();
    loops_.clear();
    begins_.clear();
    for (const BasicBlock& block : blocks_)
        for (const BasicBlock* first : block.next) {
            if ((dominate[block.number][first->number / 64] >> first->number % 64 & 1U) == 0)
                continue;
            const auto [begin, is_new] = begins_.try_emplace(first->number, loops_.size());
            if (is_new) {
                loops_.emplace_back().has.assign(blocks_.size(), false);
                loops_.back().has[first->number] = true;
            }
            add_to_loop(loops_[begin->second], block);
        }
    for (BasicBlock& block : blocks_) {
        block.around.clear();
        for (std::size_t i = 0; i < loops_.size(); ++i)
            if (loops_[i].has[block.number]) block.around.push_back(i);
    }
    for (const auto& [first, index] : begins_)
        for (const std::size_t outer : blocks_[first].around)
            if (outer != index) loops_[outer].inner.push_back(index);
}

void Loops::begin_lane() {
    for (Loop& loop : loops_) loop.rounds = 0;
}

// Another round of a loop; the loops inside begin anew.
void Loops::go(const BasicBlock& from, const BasicBlock& to) {
    const auto begin = begins_.find(to.number);
    if (begin == begins_.end()) return;
    Loop& loop = loops_[begin->second];
    if (!loop.has[from.number]) return;
    ++loop.rounds;
    for (const std::size_t inner : loop.inner) loops_[inner].rounds = 0;
}

std::uint64_t Loops::round_in(const BasicBlock& block) const {
    std::uint64_t round = 0;
    for (const std::size_t i : block.around) round = (round + loops_[i].rounds) * 1000003;
    return round;
}

}  // namespace cuda_on_cpu::count
