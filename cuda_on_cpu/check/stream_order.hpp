// SPDX-License-Identifier: MIT
// Kernels and copies in two streams, or branches of a graph, that use the same bytes, while no event
// and no wait of the host says which comes first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/base/observer.hpp"
#include "device/memory/stream.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

class StreamOrder {
  public:
    void begin_task(const Turn& turn);
    void begin_graph_task(const GraphTurn& turn);
    void end_task() {
        is_in_task_ = false;
        concurrent_.clear();
    }
    /// The task is this kernel, whose blocks are numbered from `first`; `last` when it has ended.
    void begin_kernel(const Finding& name, std::uint32_t first);
    void end_kernel(std::uint32_t last);
    enum class Kind : std::uint8_t { kernel, copy, set, allocate, free };
    /// The task is of this kind: what it leaves in the cells that it uses.
    Use job(Kind kind);
    bool is_in_task() const { return is_in_task_; }
    /// " at lab.cu:12": who has issued the copy that runs.
    Finding line() const;
    /// No more messages about the copy.
    void forget_copy();

    /// The number of the task, among all tasks.
    std::uint64_t issued() const { return turn_.issued; }
    bool is_in_graph() const { return turn_.in_graph.number > 0; }
    /// Whether anything that has run might as well run now.
    bool is_open() const { return !concurrent_.empty(); }
    /// The task is about to use the cell, at a place in the program; a copy has none.
    void use(const Cell& cell, bool writes, bool atomic, std::uintptr_t address,
             std::uint32_t code);
    bool has_found() const { return !found_.empty(); }
    /// The messages: one for two streams or branches, and one for two lines.
    std::vector<Finding> take();

  private:
    struct Job {  // a kernel or a copy
        Turn turn;
        std::uint64_t run = 0;  // it was the how many-th task
        Finding kernel;
        std::uint32_t first = 1, last = 0;  // its blocks
        Kind kind = Kind::kernel;
    };
    static constexpr std::size_t nobody = ~std::size_t{0};
    struct Side {
        std::size_t job;
        bool writes;
        std::uint32_t code;
    };
    struct Clash {
        Side first, second;  // as they were issued
        std::string memory;
    };
    /// Looks at the tasks after the first `done`.
    void find_concurrent(std::uint64_t done);
    static bool is_ordered(const Turn& before, const Turn& now);
    Job& add_job();
    std::size_t job_of(const Use& use) const;
    const Turn& turn_of(const Side& side) const { return jobs_[side.job].turn; }
    static Finding name_of(const Job& job);

    std::vector<Job> jobs_;                           // as they have run
    std::vector<std::size_t> concurrent_;             // those that nothing orders with this task
    using Branch = std::pair<unsigned, std::size_t>;  // a stream, and of a graph there
    std::map<std::pair<Branch, Branch>, Clash> found_;
    Turn turn_;
    std::uint64_t runs_ = 0;
    bool is_in_task_ = false;
};

}  // namespace cuda_on_cpu::check
