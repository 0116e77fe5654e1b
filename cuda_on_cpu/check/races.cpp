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
    for (const Use& read : cell.reads)
        if (read.block == now.block && read.thread == now.thread) {
            mine.tested = 1;
            // A tile of shared memory is read, and filled again.
            if (region.kind != Region::Kind::shared) tests_[now.code % 64] = {now.code, read.code};
        }
    const auto race = [&](const Use& first, bool first_writes) {
        return Race{first, mine, first_writes, true, number(access.address), access.bytes, &region};
    };
    if (access.kind == Access::Kind::atomic_compare) compares_.insert(now.code);
    if (is_race(cell.write, now, thread, region)) {
        if (now.atomic != 0) {
            add(race(cell.write, true));
        } else {
            open_.race = race(cell.write, true);
            open_.address = access.address;
            std::memcpy(open_.bytes, access.address, std::min(access.bytes, sizeof open_.bytes));
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

void Races::compare() {
    const Race& race = open_.race;
    if (race.region != nullptr &&
        std::memcmp(open_.address, open_.bytes, std::min(race.bytes, sizeof open_.bytes)) != 0)
        add(race);
    for (Race* const read : open_.reads) note_value(read, open_.now, open_.address);
    open_ = {};
}

void Races::note_value(Race* race, const Use& write, const char* at) {
    if (race == nullptr) return;
    const std::size_t bytes = std::min(race->bytes, sizeof race->value);
    if (!race->has_value) std::memcpy(race->value, at, bytes);
    race->has_value = true;
    race->is_one_value &= write.tested != 0 && std::memcmp(race->value, at, bytes) == 0;
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
    const std::uint64_t first = reached_[race.first.code % places].step,
                        second = reached_[race.second.code % places].step;
    if (is_new)
        found->second.read_comes_first = race.first_writes ? second < first : first < second;
    return &found->second;
}

}  // namespace cuda_on_cpu::check
