// SPDX-License-Identifier: MIT
#include "races.hpp"

namespace cuda_on_cpu::check {

void Races::read(Cell& cell, const Use& now, const Thread& thread, const Access& access,
                 const Region& region) {
    if (is_race(cell.write, now, thread, region)) {
        const Race race{cell.write,   now,    true, false, number(access.address),
                        access.bytes, &region};
        if (cell.write.atomic != 0)
            undecided_[{thread.number, race.address}] = race;
        else
            note_value(add(race), cell.write, access.address);
    }
    // Two threads are enough: whoever writes is another than one of them.
    Use& known = cell.reads[0];
    const bool is_same = known.block == now.block && known.thread == now.thread;
    // An earlier kernel's, which another stream may run now. A copy's is kept.
    if (known.block > Use::host && known.block < clock_.first_block() &&
        cell.reads[1].block != Use::host)
        cell.reads[1] = known;
    if (is_same || known.block == Use::nobody || clock_.is_ordered(known, thread))
        known = now;
    else
        cell.reads[1] = now;
}

void Races::write(Cell& cell, const Use& now, const Thread& thread, const Access& access,
                  const Region& region) {
    Use mine = now;
    if (region.kind != Region::Kind::shared && cell.write.block >= clock_.first_block())
        open_.is_again = true;
    for (const Use& read : cell.reads)
        if (read.block == now.block && read.thread == now.thread) {
            mine.tested = 1;
            // A tile of shared memory is read, and filled again.
            if (region.kind != Region::Kind::shared)
                tests_[now.code % places] = {now.code, read.code};
        }
    if (now.atomic == 0 && may_keep(cell.write, now, region)) mine.may_keep = 1;
    const auto race = [&](const Use& first, bool first_writes) {
        return Race{first, mine, first_writes, true, number(access.address), access.bytes, &region};
    };
    if (access.kind == Access::Kind::atomic_compare) compares_.insert(now.code);
    if (now.atomic != 0 && (cell.write.atomic == 0 || cell.write.hides != 0)) {
        const Use plain = cell.write.hides != 0 ? hidden_[cell.write.code] : Use{};
        if (plain.block == cell.write.block && is_race(plain, now, thread, region))
            add(race(plain, true));
        if (cell.write.block == now.block) note_plain_write(cell.write, mine, region);
    }
    if (is_race(cell.write, now, thread, region)) {
        if (now.atomic != 0) {
            add(race(cell.write, true));
        } else {
            open_.race = race(cell.write, true);
        }
    }
    Race** open = open_.reads;
    for (Use& read : cell.reads) {
        if (access.kind == Access::Kind::atomic_compare && read.block == now.block &&
            read.thread == now.thread && read.barriers == now.barriers)
            loops_.insert(read.code);
        if (is_race(read, now, thread, region)) {
            *open++ = add(race(read, false));
            open_.now = mine;
            open_.address = access.address;
        }
        read = {};
    }
    cell.write = mine;
}

// The write finds the value that was there at the launch, or at the last barrier.
bool Races::may_keep(const Use& before, const Use& now, const Region& region) const {
    if (before.block == now.block) return before.barriers < now.barriers || before.keeps != 0;
    return region.kind == Region::Kind::shared || before.block < clock_.first_block() ||
           (before.keeps != 0 && before.barriers == 0);
}

// In shared memory it is ordered behind the next barrier.
void Races::note_plain_write(const Use& before, Use& now, const Region& region) {
    if (region.kind == Region::Kind::shared && before.barriers != now.barriers) return;
    now.hides = 1;
    if (before.code != now.code)
        hidden_[now.code] = before.atomic == 0 ? before : hidden_[before.code];
}

void Races::compare() {
    if (open_.region != nullptr) {
        char after[sizeof open_.bytes];
        copy(open_.address, after);
        const bool is_same =
            std::memcmp(after, open_.bytes, std::min(open_.size, sizeof after)) == 0;
        if (!is_same && open_.race.region != nullptr) add(open_.race);
        if (open_.is_again) {
            Store& store = stores_[open_.now.code % places];
            if (store.code != open_.now.code) store = {open_.now.code, false, false};
            store.agrees |= is_same && open_.race.region != nullptr;
            store.differs |= !is_same;
        }
        if (is_same && open_.size <= sizeof after) {
            open_.now.keeps = open_.now.may_keep;
            open_.region->for_each(number(open_.address), open_.size, [](Cell& cell, std::size_t) {
                cell.write.keeps = cell.write.may_keep;
            });
        }
    }
    for (Race* const read : open_.reads) note_value(read, open_.now, open_.address);
    open_.address = nullptr;
    open_.region = nullptr;
    open_.race.region = nullptr;
    open_.reads[0] = open_.reads[1] = nullptr;
}

void Races::note_value(Race* race, const Use& write, const char* at) {
    if (race == nullptr) return;
    const std::size_t bytes = std::min(race->bytes, sizeof race->value);
    if (!race->has_value) std::memcpy(race->value, at, bytes);
    race->has_value = true;
    race->is_one_value &= std::memcmp(race->value, at, bytes) == 0;
    race->is_tested &= write.tested != 0;
    const bool is_within = race->first.block == race->second.block;
    race->is_kept &= write.keeps != 0 && write.tested != 0 && (is_within || write.barriers == 0);
}

void Races::decide() {
    settle();
    for (const auto& [who, race] : undecided_) add(race);
    undecided_.clear();
}

Races::Key Races::key_of(const Race& race) {
    return {race.first.code, race.second.code, race.first_writes, race.second_writes,
            race.first.block == race.second.block};
}

Race* Races::add(const Race& race) {
    const Key key = key_of(race);
    if (taken_.contains(key)) return nullptr;
    const auto [found, is_new] = found_.try_emplace(key, race);
    const Reached &first = reached_[race.first.code % places],
                  &second = reached_[race.second.code % places];
    // In the block that is there now: it may not have come to the first place yet.
    const bool is_in_turn = first.block == second.block && first.step < second.step;
    if (is_new) found->second.read_comes_first = race.first_writes != is_in_turn;
    found->second.then_changes &= race.then_changes;
    return &found->second;
}

}  // namespace cuda_on_cpu::check
