// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "stream_order.hpp"

#include <algorithm>
#include <set>

#include "memory.hpp"
#include "words.hpp"

namespace cuda_on_cpu::check {

void StreamOrder::begin_task(const Turn& turn) {
    turn_ = turn;
    ++runs_;
    is_in_task_ = true;
    has_streams_ |= turn.stream != 0;
    concurrent_.clear();
    // What had run when the task was issued comes before it.
    for (std::size_t i = jobs_.size(); i > 0 && jobs_[i - 1].run > turn.done; --i) {
        const Turn& other = jobs_[i - 1].turn;
        const auto after = turn.after.find(other.stream);
        if (other.stream != turn.stream &&
            (after == turn.after.end() || after->second < other.task))
            concurrent_.push_back(i - 1);
    }
}

StreamOrder::Job& StreamOrder::add_job() {
    jobs_.push_back({turn_, runs_, {}, 1, 0, false});
    return jobs_.back();
}

void StreamOrder::begin_kernel(const std::string& name, std::uint32_t first) {
    Job& job = add_job();
    job.kernel = name;
    job.first = job.last = first;
}

void StreamOrder::end_kernel(std::uint32_t last) { jobs_.back().last = last; }

Use StreamOrder::copy(bool is_set) {
    Use use;
    use.block = Use::host;
    if (!is_in_task_) return use;
    // The rows of a copy are one job.
    if (jobs_.empty() || jobs_.back().run != runs_ || !jobs_.back().kernel.empty())
        add_job().is_set = is_set;
    use.barriers = static_cast<std::uint32_t>(jobs_.size());
    return use;
}

void StreamOrder::forget_copy() {
    if (is_in_task_ && !jobs_.empty()) jobs_.back().run = 0;
}

std::size_t StreamOrder::job_of(const Use& use) const {
    if (use.block == Use::nobody) return nobody;
    for (const std::size_t number : concurrent_) {
        const Job& job = jobs_[number];
        if (use.block == Use::host ? use.barriers == number + 1
                                   : job.first <= use.block && use.block <= job.last)
            return number;
    }
    return nobody;
}

std::string StreamOrder::name_of(const Job& job) {
    if (!job.kernel.empty()) return job.kernel;
    const std::string line = calling_line(job.turn.caller).text;  // ", at lab.cu:13"
    return (job.is_set ? "cudaMemset" : "the copy") + (line.empty() ? "" : line.substr(1));
}

void StreamOrder::use(const Cell& cell, bool writes, bool atomic, const Region& region,
                      std::uint32_t code) {
    Side other{job_of(cell.write), true, cell.write.code};
    if (cell.write.atomic != 0 && atomic) other.job = nobody;
    for (const Use& read : cell.reads)
        if (writes && other.job == nobody) other = {job_of(read), false, read.code};
    if (other.job == nobody) return;
    // Each pair of jobs is looked at once.
    std::erase(concurrent_, other.job);
    Clash clash{{jobs_.size() - 1, writes, code}, other, {}};
    if (turn_of(clash.second).issued < turn_of(clash.first).issued)
        std::swap(clash.first, clash.second);
    // One event orders all that the two streams do. Best understood is a result that is used.
    const std::pair streams{turn_of(clash.first).stream, turn_of(clash.second).stream};
    const auto rank = [](const Clash& c) { return c.first.writes && !c.second.writes ? 0 : 1; };
    const auto known = found_.find(streams);
    if (known != found_.end() && rank(known->second) <= rank(clash)) return;
    clash.memory = describe(find_allocation(reinterpret_cast<const char*>(region.begin)));
    found_[streams] = clash;
}

std::vector<std::string> StreamOrder::take() {
    std::vector<std::string> texts;
    std::set<std::string> told;
    for (const auto& [streams, clash] : found_) {
        const Side &first = clash.first, &second = clash.second;
        const std::string names[] = {name_of(jobs_[first.job]), name_of(jobs_[second.job])};
        if (!told.insert(std::min(names[0], names[1]) + std::max(names[0], names[1])).second)
            continue;
        const auto verb = [](const Side& side) { return side.writes ? " writes " : " reads "; };
        const auto at = [](const Side& side) {
            return side.code == 0 ? std::string() : " at " + line_of(side.code);
        };
        const auto line = [](const std::string& name) {
            return name.substr(name.rfind("at ") + 3);
        };
        const bool is_one_line = line(names[0]) == line(names[1]);
        texts.push_back(
            names[0] + (first.code != 0 ? "," : "") + verb(first) + clash.memory + at(first) +
            ", and " + names[1] + ", in another stream," + verb(second) + "the same bytes" +
            at(second) +
            ": nothing says which of the two comes first. Remedy: cudaEventRecord(event, stream) "
            "behind " +
            (is_one_line ? "the first" : line(names[0])) +
            " and cudaStreamWaitEvent(the other stream, event) before " +
            (is_one_line ? "the second" : line(names[1])) + "; or one stream for both.");
    }
    return texts;
}

}  // namespace cuda_on_cpu::check
