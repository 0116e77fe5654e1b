// SPDX-License-Identifier: MIT
#include "stream_order.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "device/memory/allocations.hpp"
#include "device/memory/variables.hpp"
#include "names.hpp"

namespace cuda_on_cpu::check {

void StreamOrder::begin_task(const Turn& turn) {
    turn_ = turn;
    ++runs_;
    is_in_task_ = true;
    find_concurrent(turn_.done);
}

void StreamOrder::begin_graph_task(const GraphTurn& turn) {
    turn_.in_graph = turn;
    turn_.caller = turn.caller;
    find_concurrent(turn_.done);
}

bool StreamOrder::is_ordered(const Turn& before, const Turn& now) {
    if (before.stream != now.stream) {
        const auto after = now.after.find(before.stream);
        return after != now.after.end() && after->second >= before.task;
    }
    const GraphTurn &a = before.in_graph, &b = now.in_graph;
    return before.task != now.task || a.number == 0 || a.branch == b.branch ||
           b.after[a.branch] >= a.number;
}

void StreamOrder::find_concurrent(std::uint64_t done) {
    concurrent_.clear();
    // What had run when the task was issued comes before it.
    for (std::size_t i = jobs_.size(); i > 0 && jobs_[i - 1].run > done; --i)
        if (!is_ordered(jobs_[i - 1].turn, turn_)) concurrent_.push_back(i - 1);
}

StreamOrder::Job& StreamOrder::add_job() {
    jobs_.push_back({turn_, runs_, {}, 1, 0, Kind::kernel});
    return jobs_.back();
}

void StreamOrder::begin_kernel(const Finding& name, std::uint32_t first) {
    Job& job = add_job();
    job.kernel = name;
    job.first = job.last = first;
}

void StreamOrder::end_kernel(std::uint32_t last) { jobs_.back().last = last; }

Use StreamOrder::job(Kind kind) {
    Use use;
    use.block = Use::host;
    if (!is_in_task_) return use;
    // The rows of a copy are one job.
    const auto place = [](const GraphTurn& turn) { return std::pair(turn.branch, turn.number); };
    if (jobs_.empty() || jobs_.back().run != runs_ || !jobs_.back().kernel.empty() ||
        place(jobs_.back().turn.in_graph) != place(turn_.in_graph))
        add_job().kind = kind;
    // That a copy to pageable memory has ended before is no order to rely on.
    if (kind == Kind::free) find_concurrent(turn_.waited);
    use.barriers = static_cast<std::uint32_t>(jobs_.size());
    return use;
}

Finding StreamOrder::line() const {
    const Frames& caller = is_in_graph() ? turn_.in_graph.caller : turn_.caller;
    return calling_place(is_in_task_ ? caller : calling_frames());
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

Finding StreamOrder::name_of(const Job& job) {
    if (!job.kernel.empty()) return job.kernel;
    return (job.kind == Kind::set        ? "cudaMemset"
            : job.kind == Kind::allocate ? "cudaMallocAsync"
            : job.kind == Kind::free     ? "cudaFreeAsync"
                                         : "the copy") +
           calling_place(job.turn.caller);
}

void StreamOrder::use(const Cell& cell, bool writes, bool atomic, std::uintptr_t address,
                      std::uint32_t code) {
    Side other{job_of(cell.write), true, cell.write.code};
    if (cell.write.atomic != 0 && atomic) other.job = nobody;
    for (const Use& read : cell.reads)
        if (writes && other.job == nobody) other = {job_of(read), false, read.code};
    if (other.job == nobody) return;
    // Each pair of jobs is looked at once.
    std::erase(concurrent_, other.job);
    Clash clash{{jobs_.size() - 1, writes, code}, other, {}};
    const auto issued = [this](const Side& side) {
        return std::pair(turn_of(side).issued, turn_of(side).in_graph.issued);
    };
    if (issued(clash.second) < issued(clash.first)) std::swap(clash.first, clash.second);
    // One event orders all that the two streams do, behind the last of the one and before the first
    // of the other. Best understood is a result that is used.
    const auto branch = [](const Turn& turn) { return Branch(turn.stream, turn.in_graph.branch); };
    const std::pair streams{branch(turn_of(clash.first)), branch(turn_of(clash.second))};
    const auto is_better = [&issued](const Clash& a, const Clash& b) {
        const auto rank = [](const Clash& c) { return c.first.writes && !c.second.writes ? 0 : 1; };
        return std::tuple(rank(a), issued(a.second), issued(b.first)) <
               std::tuple(rank(b), issued(b.second), issued(a.first));
    };
    const auto known = found_.find(streams);
    if (known != found_.end() && !is_better(clash, known->second)) return;
    const auto* const at = reinterpret_cast<const char*>(address);
    const Variable* const variable = find_variable(at);
    clash.memory = variable == nullptr ? describe(find_allocation(at)) : describe(*variable);
    found_[streams] = clash;
}

std::vector<Finding> StreamOrder::take() {
    std::vector<Finding> texts;
    std::set<std::string> reported;
    for (const auto& [streams, clash] : found_) {
        const Side &first = clash.first, &second = clash.second;
        const Finding names[] = {name_of(jobs_[first.job]), name_of(jobs_[second.job])};
        const auto [lower, higher] = std::minmax(names[0].text, names[1].text);
        if (!reported.insert(lower + higher).second) continue;
        const bool in_graph = turn_of(first).issued == turn_of(second).issued;
        const auto verb = [this](const Side& side) {
            const Kind kind = jobs_[side.job].kind;
            return kind == Kind::allocate ? " allocates "
                   : kind == Kind::free   ? " frees "
                   : side.writes          ? " writes "
                                          : " reads ";
        };
        const auto at = [](const Side& side) {
            return side.code == 0 ? Finding() : " at " + place_of(side.code);
        };
        const auto line = [](const Finding& name) {
            return name.places.empty() ? name.launch : name.places.front();
        };
        const bool is_one_line = line(names[0]) == line(names[1]);
        Finding finding(cuda_on_cpu::Kind::stream_order,
                        names[0] + (first.code != 0 ? "," : "") + verb(first) + clash.memory +
                            at(first) + ", and " + names[1] + ", in another " +
                            (in_graph ? "branch of the graph," : "stream,") + verb(second) +
                            "the same bytes" + at(second) +
                            ": nothing says which of the two comes first.");
        const auto& lost = turn_of(second).lost;
        const auto event = lost.find(turn_of(first).stream);
        if (!in_graph && event != lost.end() && event->second >= turn_of(first).task)
            finding.remedy =
                "an event for each: this one was recorded again before cudaStreamWaitEvent, which "
                "waits for what stood before the last cudaEventRecord only.";
        else
            finding.remedy = "cudaEventRecord(event, stream) behind " +
                             (is_one_line ? "the first" : line(names[0])) +
                             " and cudaStreamWaitEvent(the other stream, event) before " +
                             (is_one_line ? "the second" : line(names[1])) +
                             "; or one stream for both.";
        texts.push_back(std::move(finding));
    }
    return texts;
}

}  // namespace cuda_on_cpu::check
