// SPDX-License-Identifier: MIT
// The races of a kernel: pairs of accesses to one byte that nothing orders, one of them a write.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "clock.hpp"
#include "device/base/observer.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

struct Race {
    Use first, second;
    bool first_writes, second_writes;
    std::uintptr_t address;
    std::size_t bytes;
    const Region* region;
    bool read_comes_first = false;  ///< in the program, if one of the two reads
    bool is_one_value = true;       ///< each write is of this value
    bool is_tested = true;          ///< each thread that writes has read there before
    bool is_kept = true;            ///< each write has left the value as it was
    bool then_changes = false;      ///< whoever reads it changes it then by an atomic function
    bool has_value = false;
    char value[16] = {};

    /// A plain write and a plain read.
    bool is_plain_read() const {
        return first_writes != second_writes && first.atomic == 0 && second.atomic == 0;
    }
};

class Races {
  public:
    explicit Races(const Clock& clock) : clock_(clock) {}

    void begin_block(uint3 index) {
        if (clock_.block() == clock_.first_block()) {
            blocks_.clear();
            missed_.clear();
            has_atomics_ = false;
            stores_.fill({});
        }
        blocks_.push_back(index);
    }
    /// The kernel uses an atomic function.
    void note_atomic() { has_atomics_ = true; }
    /// The block is at this place.
    void reach(const Use& now, const Access& access) {
        Reached& reached = reached_[now.code % places];
        if (reached.block != now.block)
            reached = {now.block, now.barriers, ++steps_, number(access.address), access.bytes};
        if (reached.barriers != now.barriers) {
            reached.barriers = now.barriers;
            reached.step = ++steps_;
        }
        reached.lowest = std::min(reached.lowest, number(access.address));
        if (access.writes() && last_.address == access.address && last_.thread == now.thread)
            tests_[now.code % places] = {now.code, last_.code};
        last_ = {access.address, now.thread, now.code};
    }
    /// Threads of the block have returned without the barrier at this place.
    void miss_barrier(const Finding& place) { missed_.try_emplace(clock_.block(), place); }
    /// The thread is about to access the cell.
    void read(Cell& cell, const Use& now, const Thread& thread, const Access& access,
              const Region& region);
    /// It writes there, not by an atomic function: whether that changes the value is known later.
    void keep(const Use& now, const Access& access, Region& region) {
        open_.region = &region;
        open_.now.code = now.code;
        open_.is_again = false;
        open_.address = access.address;
        open_.size = access.bytes;
        copy(access.address, open_.bytes);
    }
    void write(Cell& cell, const Use& now, const Thread& thread, const Access& access,
               const Region& region);
    /// It does so by an atomic function. A plain read of it just before is how a loop with
    /// atomicCAS begins, and no race; but what it has read may be an older value than that which
    /// atomicAdd changes. Whether it is depends on more if twice is as once, as with atomicMax.
    void atomic(const Thread& thread, const Access& access) {
        if (undecided_.empty() || !access.writes()) return;
        const auto read = undecided_.find({thread.number, number(access.address)});
        if (read == undecided_.end()) return;
        if (access.kind == Access::Kind::atomic_compare)
            undecided_.erase(read);
        else
            read->second.then_changes = !access.is_flag;
    }
    /// What the last access has left open: a second write of the same value is no race.
    void settle() {
        if (open_.address != nullptr) compare();
    }
    /// A barrier, or the end of a block.
    void decide();
    void forget() { found_.clear(); }
    /// The messages of all races since the last call; adds their lines to `lines`, and leaves out
    /// races of a line that is there already.
    std::vector<Finding> take(const Launch& launch, std::set<std::string>& lines);

  private:
    static std::uintptr_t number(const char* at) { return reinterpret_cast<std::uintptr_t>(at); }
    bool is_race(const Use& before, const Use& now, const Thread& thread,
                 const Region& region) const {
        if (before.block <= Use::host || (before.atomic != 0 && now.atomic != 0)) return false;
        if (region.kind == Region::Kind::shared && before.block != now.block) return false;
        return !clock_.is_ordered(before, thread);
    }
    /// A plain read as other threads do it before atomicCAS: `while (value > old)` may end at once.
    bool begins_loop(const Race& race) const {
        return race.first_writes ? race.first.atomic != 0 && loops_.contains(race.second.code)
                                 : race.second.atomic != 0 && loops_.contains(race.first.code);
    }
    Race* add(const Race& race);
    /// What an atomic write of the cell hides from those of other threads.
    void note_plain_write(const Use& before, Use& now, const Region& region);
    static void note_value(Race* race, const Use& write, const char* at);
    bool may_keep(const Use& before, const Use& now, const Region& region) const;
    void copy(const char* from, char* to) const {
        if (open_.size == 4)
            std::memcpy(to, from, 4);
        else
            std::memcpy(to, from, std::min(open_.size, sizeof open_.bytes));
    }
    /// All write the same value, so it does not matter who comes first.
    bool is_of_one_value(const std::vector<Race>& races) const;
    /// A plain write releases what atomicCAS takes.
    bool is_lock(const Race& race) const;
    Finding text_of(const std::vector<Race>& races, const Launch& launch) const;
    /// The kind by which a race without a barrier has its causes.
    Kind kind_of(const std::vector<Race>& races, const Race& lead) const;
    bool is_tested(const Race& race) const;
    /// Several threads write there the only value that the kernel ever does, behind what reads, as
    /// in a sieve. Behind the write, a barrier is missing.
    bool is_mark(const Race& race) const;
    std::string who(const Use& use, const Launch& launch) const;
    Finding text_of_overlap(const Race& race, const Launch& launch) const;
    /// Two arrays in the dynamic shared memory, of which one begins before the end of the other.
    bool is_overlap(const Race& race, const Launch& launch) const;
    void compare();

    // One example for each pair of places in the program.
    using Key = std::tuple<std::uint32_t, std::uint32_t, bool, bool, bool>;
    static Key key_of(const Race& race);
    std::map<Key, Race> found_;
    std::set<Key> taken_;  // by earlier calls of take()
    std::set<std::uint32_t> loops_;
    std::set<std::string> reported_lines_;
    std::set<std::set<std::string>> noted_lines_;
    std::map<std::pair<unsigned, std::uintptr_t>, Race> undecided_;
    struct {
        const char* address = nullptr;
        std::size_t size = 0;
        Region* region = nullptr;  // of a plain write
        Race race{};               // with another write
        Use now;
        bool is_again = false;  // the kernel has written there before
        char bytes[16] = {};    // before it
        Race* reads[2] = {};    // races with reads: nullptr if there are none
    } open_;
    std::set<std::uint32_t> compares_;  // where atomicCAS is
    bool has_atomics_ = false;
    struct {
        const char* address;
        std::uint32_t thread, code;
    } last_ = {};  // access
    // Of places in the program; two may share a number.
    static constexpr unsigned places = 512;
    // Where a thread writes, and what has read the same before; in shared memory just before.
    std::array<std::uint32_t, 2> tests_[places] = {};
    // Where a thread writes: it has found there, from another thread, the same value; or what the
    // kernel has written there before was another value.
    struct Store {
        std::uint32_t code;
        bool agrees, differs;
    };
    std::array<Store, places> stores_ = {};
    std::map<std::uint32_t, Finding> missed_;
    std::map<std::uint32_t, Use> hidden_;  // plain writes, by the place of the atomic one behind
    // What a block has accessed at a place in the program.
    struct Reached {
        std::uint32_t block;
        std::uint32_t barriers;
        std::uint64_t step;  // when it came there first since the last barrier
        std::uintptr_t lowest;
        std::size_t bytes;
    };
    Reached reached_[places] = {};
    std::uint64_t steps_ = 0;
    std::vector<uint3> blocks_;  // of the launch, as they have run
    const Clock& clock_;
};

}  // namespace cuda_on_cpu::check
