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
            add(race);
    }
    // Two threads are enough: whoever writes is another than one of them.
    Use& known = cell.reads[0];
    const bool is_same = known.block == now.block && known.thread == now.thread;
    if (is_same || known.block == Use::nobody || clock_.is_ordered(known, thread))
        known = now;
    else
        cell.reads[1] = now;
}

void Races::write(Cell& cell, const Use& now, const Thread& thread, const Access& access,
                  const Region& region) {
    Race race{{}, now, true, true, number(access.address), access.bytes, &region};
    if (is_race(cell.write, now, thread, region)) {
        race.first = cell.write;
        if (now.atomic != 0) {
            add(race);
        } else {
            open_.race = race;
            std::memcpy(open_.bytes, access.address, std::min(access.bytes, sizeof open_.bytes));
        }
    }
    race.first_writes = false;
    for (Use& read : cell.reads) {
        if (access.kind == Access::Kind::atomic_compare && read.block == now.block &&
            read.thread == now.thread && read.barriers == now.barriers)
            loops_.insert(read.code);
        if (is_race(read, now, thread, region)) {
            race.first = read;
            add(race);
        }
        read = {};
    }
    cell.write = now;
}

void Races::compare() {
    const Race& race = open_.race;
    const auto* const now = reinterpret_cast<const char*>(race.address);
    if (std::memcmp(now, open_.bytes, std::min(race.bytes, sizeof open_.bytes)) != 0) add(race);
    open_.race.region = nullptr;
}

void Races::decide() {
    settle();
    for (const auto& [who, race] : undecided_) add(race);
    undecided_.clear();
}

void Races::add(const Race& race) {
    const Key key{race.first.code, race.second.code, race.first_writes, race.second_writes,
                  race.first.block == race.second.block};
    if (!taken_.contains(key)) found_.try_emplace(key, race);
}

}  // namespace cuda_on_cpu::check
