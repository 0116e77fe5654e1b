// SPDX-License-Identifier: MIT
// The races of a kernel: pairs of accesses to one byte that nothing orders, one of them a write.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "clock.hpp"
#include "device/mistakes/observer.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

struct Race {
    Use first, second;
    bool first_writes, second_writes;
    std::uintptr_t address;
    std::size_t bytes;
    const Region* region;
    bool in_order = false;      ///< a thread has been at the first place, and then at the second
    bool second_again = false;  ///< the block was there before a barrier, too: a loop
    bool second_first = false;  ///< the block has come to the second place before the first
};

class Races {
  public:
    explicit Races(const Clock& clock) : clock_(clock) {}

    void begin_block(uint3 index) {
        if (clock_.block() == clock_.first_block()) {
            blocks_.clear();
            has_atomics_ = false;
        }
        blocks_.push_back(index);
        passing_ = nobody;
    }
    /// The thread is at this place; how often it has been there since the last barrier.
    unsigned pass(const Thread& thread, const Use& now, const Access& access) {
        Reached& reached = reached_[now.code % places];
        if (reached.block != now.block)
            reached = {now.block,        now.barriers,           thread.number / 32,
                       ++steps_,         number(access.address), access.bytes,
                       reached.by_others};
        reached.lowest = std::min(reached.lowest, number(access.address));
        reached.by_others |= reached.warp != thread.number / 32;
        if (thread.number != passing_) {
            ++turn_;
            passing_ = thread.number;
        }
        Passed& passed = passed_[now.code % places];
        if (passed.turn != turn_) passed = {turn_, 0};
        if (passed.times < 31) ++passed.times;
        return passed.times;
    }
    /// The thread is about to access the cell.
    void read(Cell& cell, const Use& now, const Thread& thread, const Access& access,
              const Region& region);
    void write(Cell& cell, const Use& now, const Thread& thread, const Access& access,
               const Region& region);
    /// It does so by an atomic function. A plain read of it just before is how a loop with
    /// atomicCAS begins, and no race.
    void atomic(const Thread& thread, const Access& access) {
        has_atomics_ = true;
        if (!undecided_.empty()) undecided_.erase({thread.number, number(access.address)});
    }
    /// What the last access has left open: a second write of the same value is no race.
    void settle() {
        if (open_.race.region != nullptr) compare();
    }
    /// A barrier, or the end of a block.
    void decide();
    void forget() { found_.clear(); }
    /// The messages of all races since the last call; adds their lines to `lines`, and leaves out
    /// races of a line that is there already.
    std::vector<std::string> take(const Launch& launch, std::set<std::string>& lines);

  private:
    static std::uintptr_t number(const char* at) { return reinterpret_cast<std::uintptr_t>(at); }
    bool is_race(const Use& before, const Use& now, const Thread& thread,
                 const Region& region) const {
        if (before.block <= Use::host || (before.atomic != 0 && now.atomic != 0)) return false;
        if (region.kind == Region::Kind::shared && before.block != now.block) return false;
        return !clock_.is_ordered(before, thread);
    }
    bool is_again(const Use& use) const {
        const Reached& reached = reached_[use.code % places];
        return reached.block == use.block && reached.barriers < use.barriers;
    }
    /// The thread that runs has been at this place.
    bool has_passed(const Use& use) const { return passed_[use.code % places].turn == turn_; }
    /// A plain read as other threads do it before atomicCAS: `while (value > old)` may end at once.
    bool begins_loop(const Race& race) const {
        return race.first_writes ? race.first.atomic != 0 && loops_.contains(race.second.code)
                                 : race.second.atomic != 0 && loops_.contains(race.first.code);
    }
    /// The two are lanes of the only warp that comes there.
    bool is_within_warp(const Race& race) const {
        return !reached_[race.first.code % places].by_others &&
               !reached_[race.second.code % places].by_others &&
               race.first.thread / 32 == race.second.thread / 32;
    }
    void add(Race race);
    std::string text_of(const std::vector<Race>& races, const Launch& launch) const;
    std::string who(const Use& use, const Launch& launch) const;
    std::string text_of_overlap(const Race& race, const Launch& launch) const;
    /// Two arrays in the dynamic shared memory, of which one begins before the end of the other.
    bool is_overlap(const Race& race, const Launch& launch) const;
    void compare();

    // One example for each pair of places in the program.
    using Key = std::tuple<std::uint32_t, std::uint32_t, bool, bool, bool>;
    std::map<Key, Race> found_;
    std::set<Key> taken_;  // by earlier calls of take()
    std::set<std::uint32_t> loops_;
    std::set<std::string> told_lines_;
    std::map<std::pair<unsigned, std::uintptr_t>, Race> undecided_;
    struct {
        Race race{};
        char bytes[16];
    } open_;
    // Of the thread that runs; two places may share a number, which then is too large.
    static constexpr unsigned nobody = ~0U, places = 512;
    unsigned passing_ = nobody;
    std::uint32_t turn_ = 0;  // another whenever another thread runs
    struct Passed {
        std::uint32_t turn, times;
    };
    Passed passed_[places] = {};
    struct Reached {
        std::uint32_t block, barriers;
        unsigned warp;
        std::uint32_t step;     // numbers such places
        std::uintptr_t lowest;  // what is accessed there
        std::size_t bytes;
        bool by_others;  // by another warp of this block or an earlier one, too
    };
    Reached reached_[places] = {};  // when the block has come there first
    std::uint32_t steps_ = 0;
    std::vector<uint3> blocks_;  // of the launch, as they have run
    bool has_atomics_ = false;
    const Clock& clock_;
};

}  // namespace cuda_on_cpu::check
