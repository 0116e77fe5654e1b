// SPDX-License-Identifier: MIT
// The messages about races: one for all races with the same missing barrier or atomic function.
#include "names.hpp"
#include "races.hpp"

namespace cuda_on_cpu::check {

namespace {

bool is_one_line(const Race& race) { return line_of(race.first.code) == line_of(race.second.code); }

bool is_within_block(const Race& race) { return race.first.block == race.second.block; }

// Of one cause: both are between threads of a block or both between blocks, and they share a line or
// an allocation, or a lock.
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

constexpr const char* causes_of_update =
    "a sum of all threads without an atomic function, such as atomicAdd"
    " | an index that should be another one for each thread"
    " | a lock without __threadfence() before it is released";
constexpr const char* causes_in_block =
    "no barrier between the two, in a loop also between its end and its beginning: "
    "__syncthreads() orders the block, where all threads come. __syncwarp() orders a warp, as the "
    "lanes of a warp do not run in step"
    " | a barrier in a branch that some of the threads do not take"
    " | an index that should be another one for each thread";
constexpr const char* causes_of_reuse =
    "no barrier behind the read, before the next step writes: __syncthreads(), where all threads "
    "come, or __syncwarp() in a warp, as the lanes of a warp do not run in step"
    " | a barrier in a branch that some of the threads do not take"
    " | an index that should be another one for each thread";
constexpr const char* causes_between_blocks =
    "a block uses what another one writes: read from one buffer and write to another, or make two "
    "kernels of it"
    " | an index that should be another one for each thread, or a sum without an atomic function"
    " | a value that another block waits for, without __threadfence() before the atomic function "
    "that announces it";
constexpr const char* causes_of_plain_write =
    "a value that should be set before the launch, with cudaMemset"
    " | a flag that is set by a plain write: atomicExch, behind __threadfence()";
constexpr const char* causes_of_missed =
    "that barrier is in a branch, or a loop, that some of the threads do not take: it belongs "
    "where all threads come"
    " | no barrier between the two"
    " | an index that should be another one for each thread";

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

std::string Races::text_of_overlap(const Race& race, const Launch& launch) const {
    const auto use = [&](const Use& one, bool writes) {
        return who(one, launch) + (writes ? " writes " : " reads ") +
               count_text(reached_[one.code % places].bytes) + " at " + line_of(one.code);
    };
    const std::uintptr_t first = reached_[race.first.code % places].lowest,
                         second = reached_[race.second.code % places].lowest;
    const std::string lines[] = {line_of(race.first.code), line_of(race.second.code)};
    return "two arrays share bytes of the dynamic shared memory in " + launch_name(launch) + ": " +
           use(race.first, race.first_writes) + ", and " + use(race.second, race.second_writes) +
           " there. The array of " + lines[first < second ? 1 : 0] + " begins " +
           count_text(std::max(first, second) - std::min(first, second)) + " behind that of " +
           lines[first < second ? 0 : 1] +
           ". Causes: the second array does not begin behind all elements of the first, count * "
           "sizeof(the first's type) bytes further; a char* counts bytes | the launch gives too "
           "few bytes for both";
}

bool Races::is_lock(const Race& race) const {
    return !is_within_block(race) && race.first_writes && race.second_writes &&
           race.first.atomic != race.second.atomic &&
           compares_.contains(race.first.atomic != 0 ? race.first.code : race.second.code);
}

bool Races::is_of_one_value(const std::vector<Race>& races) const {
    return std::all_of(races.begin(), races.end(), [](const Race& race) {
        return race.region->kind != Region::Kind::shared && race.is_one_value &&
               race.first_writes != race.second_writes && race.first.atomic == 0 &&
               race.second.atomic == 0 && !is_one_line(race);
    });
}

/// In memory of all blocks. If the outputs differ in another order, the judge calls it a mistake.
static bool is_read_beside_atomics(const std::vector<Race>& races) {
    return std::all_of(races.begin(), races.end(), [](const Race& race) {
        return race.region->kind != Region::Kind::shared &&
               (race.first.atomic != 0 ? !race.second_writes
                                       : race.second.atomic != 0 && !race.first_writes);
    });
}

std::string Races::text_of(const std::vector<Race>& races, const Launch& launch) const {
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
    // As a thread does them.
    if (is_within && !both_write && lead.read_comes_first == lead.first_writes) {
        std::swap(lead.first, lead.second);
        std::swap(lead.first_writes, lead.second_writes);
    }
    const std::string first = line_of(lead.first.code), second = line_of(lead.second.code);
    const std::string element = element_name(*lead.region, lead.address, lead.bytes, launch);
    std::string text = "a race in " + launch_name(launch) + ": " + who(lead.first, launch);
    if (update && !has_lock)
        return text + " and " + who(lead.second, launch) + " both change " + element + " at " +
               first + ", and one change can be lost. Causes: " + causes_of_update;
    const auto verb = [](const Use& use, bool writes) {
        return use.atomic != 0 ? "uses an atomic function on" : writes ? "writes" : "reads";
    };
    text += std::string(" ") + verb(lead.first, lead.first_writes) + " " + element + " at " +
            first + ", and " + who(lead.second, launch) + " " +
            verb(lead.second, lead.second_writes) + " it at " +
            (first == second ? "the same line" : second);
    text += is_within ? ", with no barrier between. "
                      : "; blocks run in any order, and at the same time. ";
    std::set<std::string> others;
    for (const Race& race : races)
        for (const Use& use : {race.first, race.second}) others.insert(line_of(use.code));
    others.erase(first);
    others.erase(second);
    if (!others.empty())
        text += (has_lock ? "Under this lock, blocks use the same memory at " : "The same at ") +
                joined(others) + ". ";
    if (has_lock)
        return text +
               "Remedy: __threadfence() makes known what the lock protects, then atomicExch "
               "releases it, not a plain write.";
    if (const auto missed = missed_.find(lead.first.block); is_within && missed != missed_.end())
        return text + missed->second + ". Causes: " + causes_of_missed;
    const bool one_is_atomic = lead.first.atomic != lead.second.atomic;
    if (first == second && one_is_atomic && !both_write)
        return text +
               "Remedy: use what the atomic function returns, the value before: "
               "int old = atomicAdd(...).";
    if (is_read_beside_atomics(races))
        return "note: " + text +
               "An older value may be read. Causes: no barrier, or no second kernel, after the "
               "atomic functions of all threads | none, if the program is right with an older "
               "value";
    if (is_of_one_value(races))
        return "note: " + text +
               "Each thread tests the element first, and all write the same value.";
    const bool is_reuse = lead.read_comes_first && !both_write && first != second;
    return text + "Causes: " +
           (is_within                     ? is_reuse ? causes_of_reuse : causes_in_block
            : one_is_atomic && both_write ? causes_of_plain_write
                                          : causes_between_blocks);
}

std::vector<std::string> Races::take(const Launch& launch, std::set<std::string>& lines) {
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
    found_.clear();
    std::vector<std::string> texts;
    for (const auto& group : groups) {
        std::set<std::string> own;
        for (const Race& race : group)
            for (const Use& use : {race.first, race.second}) own.insert(line_of(use.code));
        const bool reported = std::any_of(own.begin(), own.end(), [&](const std::string& line) {
            return reported_lines_.contains(line);
        });
        const std::string text = reported ? "" : text_of(group, launch);
        if (text.rfind("note: ", 0) == 0) {  // it may be a mistake in another launch
            if (noted_lines_.insert(own).second) texts.push_back(text);
            continue;
        }
        if (!reported) texts.push_back(text);
        for (const Race& race : group) taken_.insert(key_of(race));
        reported_lines_.merge(own);
    }
    return texts;
}

}  // namespace cuda_on_cpu::check
