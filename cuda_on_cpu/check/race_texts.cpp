// SPDX-License-Identifier: MIT
// The messages about races: one for all races with the same missing barrier or atomic function.
#include "names.hpp"
#include "races.hpp"

namespace cuda_on_cpu::check {

namespace {

bool is_one_line(const Race& race) { return line_of(race.first.code) == line_of(race.second.code); }

bool is_within_block(const Race& race) { return race.first.block == race.second.block; }

// Tells whether they have one cause: both are between threads of a block or both between blocks, and
// they share a line or an allocation, or a lock.
bool belongs_to(const Race& race, const std::vector<Race>& group, bool has_lock) {
    return std::any_of(group.begin(), group.end(), [&](const Race& other) {
        const auto is_of_other = [&](const Use& use) {
            const std::string line = line_of(use.code);
            return line == line_of(other.first.code) || line == line_of(other.second.code);
        };
        const bool is_within = is_within_block(race);
        const bool alike =
            is_within == is_within_block(other) || (is_one_line(race) && is_one_line(other));
        const bool one_allocation = !is_within && !is_within_block(other) &&
                                    race.region == other.region &&
                                    race.region->kind != Region::Kind::statics;
        if (has_lock && !is_within && !is_within_block(other)) return true;
        return one_allocation || (alike && (is_of_other(race.first) || is_of_other(race.second)));
    });
}

// What two threads do to one element in one line, such as ++count.
bool is_update(const std::vector<Race>& races) {
    bool both_write = false, one_reads = false;
    for (const Race& race : races) {
        if (!is_one_line(race)) continue;
        both_write |= race.first_writes && race.second_writes;
        one_reads |= !race.first_writes || !race.second_writes;
    }
    return both_write && one_reads;
}

}  // namespace

std::string Races::who(const Use& use, const Launch& launch) const {
    return thread_name(launch, use.thread, blocks_[use.block - clock_.first_block()]);
}

bool Races::is_overlap(const Race& race, const Launch& launch) const {
    if (race.region->kind != Region::Kind::shared || !is_within_block(race) ||
        race.first.code == race.second.code ||
        element_name(*race.region, race.address, race.bytes, launch).find(dynamic_memory) ==
            std::string::npos)
        return false;
    const Reached &first = reached_[race.first.code % places],
                  &second = reached_[race.second.code % places];
    const bool both_write = race.first_writes && race.second_writes;
    const std::uintptr_t apart =
        std::max(first.lowest, second.lowest) - std::min(first.lowest, second.lowest);
    // What is but a few elements apart may be a neighbour in one array. A sum reads far away, too.
    const bool is_far = apart >= launch.block.x;
    return first.bytes != second.bytes ? is_far || (both_write && apart > 0) : both_write && is_far;
}

Finding Races::text_of_overlap(const Race& race, const Launch& launch) const {
    const auto use = [&](const Use& one, bool writes) {
        return who(one, launch) + (writes ? " writes " : " reads ") +
               count_text(reached_[one.code % places].bytes) + " at " + place_of(one.code);
    };
    const std::uintptr_t first = reached_[race.first.code % places].lowest,
                         second = reached_[race.second.code % places].lowest;
    const Finding lines[] = {place_of(race.first.code), place_of(race.second.code)};
    return {Kind::overlapping_arrays,
            "two arrays share bytes of the dynamic shared memory in " + launch_name(launch) + ": " +
                use(race.first, race.first_writes) + ", and " +
                use(race.second, race.second_writes) + " there. The array of " +
                lines[first < second ? 1 : 0] + " begins " +
                count_text(std::max(first, second) - std::min(first, second)) + " behind that of " +
                lines[first < second ? 0 : 1] + "."};
}

bool Races::is_lock(const Race& race) const {
    return !is_within_block(race) && race.first_writes && race.second_writes &&
           race.first.atomic != race.second.atomic &&
           compares_.contains(race.first.atomic != 0 ? race.first.code : race.second.code);
}

// In an update, or a tile that is filled again, another line or element is read than is written.
bool Races::is_of_one_value(const std::vector<Race>& races) const {
    return std::all_of(races.begin(), races.end(), [this](const Race& race) {
        const bool is_apart = race.region->kind != Region::Kind::shared && !is_one_line(race);
        return race.is_one_value && race.is_plain_read() &&
               ((race.is_tested && (is_apart || is_tested(race))) || (is_apart && is_mark(race)));
    });
}

/// An update in one line has changed nothing: each reader sees what was there before. A tile that is
/// filled again with the same values is no update.
static bool is_of_kept_values(const std::vector<Race>& races) {
    return std::all_of(races.begin(), races.end(), [](const Race& race) {
        return race.is_plain_read() && race.is_kept && is_one_line(race);
    });
}

/// A volatile variable, written behind a fence.
static bool is_of_flags(const std::vector<Race>& races) {
    return std::all_of(races.begin(), races.end(), [](const Race& race) {
        return race.is_plain_read() && race.first.is_flag != 0 && race.second.is_flag != 0;
    });
}

// The same line reads the element in both threads, and one of them writes it then.
bool Races::is_tested(const Race& race) const {
    const Use &write = race.second_writes ? race.second : race.first,
              &read = race.second_writes ? race.first : race.second;
    const auto& test = tests_[write.code % places];
    return race.first_writes != race.second_writes && test[0] == write.code && test[1] == read.code;
}

bool Races::is_mark(const Race& race) const {
    const Use& write = race.second_writes ? race.second : race.first;
    const Store& store = stores_[write.code % places];
    return race.read_comes_first && store.code == write.code && store.agrees && !store.differs;
}

Kind Races::kind_of(const std::vector<Race>& races, const Race& lead) const {
    bool is_within = is_within_block(lead);
    if (lead.first.atomic != lead.second.atomic && lead.first_writes && lead.second_writes)
        return is_within ? Kind::race_in_block : Kind::race_of_plain_write;
    if (std::any_of(races.begin(), races.end(), [this](const Race& r) { return is_tested(r); }))
        return Kind::race_of_test;
    // A barrier would not order the blocks that use this memory in the same way.
    is_within &= std::none_of(found_.begin(), found_.end(), [&](const auto& found) {
        const Race& race = found.second;
        return race.region == lead.region && !is_within_block(race) && race.first.atomic == 0 &&
               race.second.atomic == 0;
    });
    if (lead.first_writes && lead.second_writes)
        return is_within ? Kind::race_of_places : Kind::race_of_blocks_places;
    if (is_within)
        return lead.read_comes_first && !is_one_line(lead) ? Kind::race_of_reuse
                                                           : Kind::race_in_block;
    return has_atomics_ ? Kind::race_without_fence : Kind::race_between_blocks;
}

/// In memory of all blocks. If the outputs differ in another order, the judge calls it a mistake.
static bool is_read_beside_atomics(const std::vector<Race>& races) {
    return std::all_of(races.begin(), races.end(), [](const Race& race) {
        return race.region->kind != Region::Kind::shared &&
               (race.first.atomic != 0 ? !race.second_writes
                                       : race.second.atomic != 0 && !race.first_writes);
    });
}

Finding Races::text_of(const std::vector<Race>& races, const Launch& launch) const {
    for (const Race& race : races)
        if (is_overlap(race, launch)) return text_of_overlap(race, launch);
    const bool update = is_update(races);
    const bool has_lock =
        std::any_of(races.begin(), races.end(), [&](const Race& race) { return is_lock(race); });
    Race lead = *std::min_element(races.begin(), races.end(), [&](const Race& a, const Race& b) {
        const auto rank = [&](const Race& race) {
            if (has_lock) return is_lock(race) ? 0 : 1;
            if (update) return is_one_line(race) && race.first_writes ? 0 : 1;
            return race.first_writes && race.second_writes ? 1 : 0;
        };
        return rank(a) < rank(b);
    });
    const bool is_within = is_within_block(lead),
               both_write = lead.first_writes && lead.second_writes;
    // In the order of a thread.
    if (is_within && !both_write && lead.read_comes_first == lead.first_writes) {
        std::swap(lead.first, lead.second);
        std::swap(lead.first_writes, lead.second_writes);
    }
    const Finding first = place_of(lead.first.code), second = place_of(lead.second.code);
    const bool is_in_one_line = is_one_line(lead);
    const std::string element = element_name(*lead.region, lead.address, lead.bytes, launch);
    Finding text = "a race in " + launch_name(launch) + ": " + who(lead.first, launch);
    if (update && !has_lock) {
        Finding finding(!compares_.empty() ? Kind::lost_update_beside_lock : Kind::lost_update,
                        text + " and " + who(lead.second, launch) + " both change " + element +
                            " at " + first + ", and one change can be lost.");
        const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
        const std::uint64_t apart = std::uint64_t{lead.second.block - lead.first.block} * threads;
        if (compares_.empty() && lead.first.thread == lead.second.thread && apart > 0 &&
            apart % 65536 == 0) {
            finding.take_advice();
            finding.causes.push_back(
                "an index of 16 bits, such as unsigned short: the two threads are " +
                std::to_string(apart) + " apart");
        }
        return finding;
    }
    const auto verb = [](const Use& use, bool writes) {
        return use.atomic != 0 ? "uses an atomic function on" : writes ? "writes" : "reads";
    };
    text += std::string(" ") + verb(lead.first, lead.first_writes) + " " + element + " at " +
            first + ", and " + who(lead.second, launch) + " " +
            verb(lead.second, lead.second_writes) + " it at " +
            (is_in_one_line ? "the same line" : second);
    text += is_within ? ", with no barrier between."
                      : "; blocks run in any order, and at the same time.";
    std::set<Finding> others;
    for (const Race& race : races)
        for (const Use& use : {race.first, race.second}) others.insert(place_of(use.code));
    others.erase(first);
    others.erase(second);
    if (!others.empty())
        text += (has_lock ? " Under this lock, blocks use the same memory at " : " The same at ") +
                joined(others) + ".";
    if (has_lock) return {Kind::race_of_lock, text};
    const auto note = [&text](Kind kind, const char* why) {
        Finding finding(kind, text + why);
        finding.weight = Weight::note;
        return finding;
    };
    if (is_of_kept_values(races))
        return note(Kind::race_of_kept_value, " Each store leaves the value as it was.");
    if (is_of_flags(races))
        return note(Kind::race_of_flag, " It is volatile, and written behind a fence.");
    if (const auto missed = missed_.find(lead.first.block); is_within && missed != missed_.end())
        return {Kind::race_past_barrier, text + " " + missed->second + "."};
    const bool one_is_atomic = lead.first.atomic != lead.second.atomic;
    if (one_is_atomic && !both_write &&
        (lead.then_changes || (is_in_one_line && !lead.read_comes_first)))
        return {Kind::race_of_result, text};
    if (is_read_beside_atomics(races))
        return note(Kind::race_beside_atomics, " An older value may be read.");
    if (is_of_one_value(races))
        return note(
            Kind::race_of_one_value,
            std::all_of(races.begin(), races.end(), [](const Race& r) { return r.is_tested; })
                ? " Each thread tests the element first, and all write the same value."
                : " All write the same value.");
    return {kind_of(races, lead), text};
}

std::vector<Finding> Races::take(const Launch& launch, std::set<std::string>& lines) {
    std::vector<std::vector<Race>> groups;
    const bool has_lock = std::any_of(found_.begin(), found_.end(),
                                      [&](const auto& found) { return is_lock(found.second); });
    for (const auto& [key, race] : found_) {
        if (is_guard(*race.region, race.address) || begins_loop(race)) continue;
        std::vector<Race> group{race};
        lines.insert({line_of(race.first.code), line_of(race.second.code)});
        for (auto& other : groups)  // the race may join what were two
            if (belongs_to(race, other, has_lock)) {
                group.insert(group.end(), other.begin(), other.end());
                other.clear();
            }
        std::erase_if(groups, [](const auto& other) { return other.empty(); });
        groups.push_back(group);
    }
    std::vector<Finding> texts;
    for (const auto& group : groups) {
        std::set<std::string> own;
        for (const Race& race : group)
            for (const Use& use : {race.first, race.second}) own.insert(line_of(use.code));
        const bool reported = std::any_of(own.begin(), own.end(), [&](const std::string& line) {
            return reported_lines_.contains(line);
        });
        const Finding text = reported ? Finding() : text_of(group, launch);
        if (text.weight == Weight::note) {  // it may be a mistake in another launch
            if (noted_lines_.insert(own).second) texts.push_back(text);
            continue;
        }
        if (!reported) texts.push_back(text);
        for (const Race& race : group) taken_.insert(key_of(race));
        reported_lines_.merge(own);
    }
    found_.clear();
    return texts;
}

}  // namespace cuda_on_cpu::check
