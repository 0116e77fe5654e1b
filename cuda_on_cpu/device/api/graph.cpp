// SPDX-License-Identifier: MIT
// CUDA graphs by stream capture. A branch of the graph is the work of one stream. A launch runs one
// branch after the other and, before each task, the tasks that it waits for. CUDA_ON_CPU_ORDER
// gives the order of the branches.
#include <algorithm>
#include <map>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/settings.hpp"
#include "device/memory/stream.hpp"
#include "runtime_api.hpp"

namespace cuda_on_cpu {
namespace {

using Branches = std::vector<std::vector<GraphTask>>;
using Graph = std::shared_ptr<const Branches>;

template <class Handle>
struct Handles {
    std::map<Handle, Graph> by_handle;
    std::uintptr_t next = 0x200000;

    void add(Handle* handle, Graph graph) {
        next += 16;
        *handle = reinterpret_cast<Handle>(next);
        by_handle[*handle] = std::move(graph);
    }
    Graph find(Handle handle) const {
        const auto found = by_handle.find(handle);
        return found == by_handle.end() ? nullptr : found->second;
    }
};
auto& graphs = *new Handles<cudaGraph_t>;
auto& executables = *new Handles<cudaGraphExec_t>;

/// Whether the origin has waited for every task, itself or through other branches.
bool all_joined(const std::vector<Capture::Branch>& branches) {
    std::vector<std::size_t> reached(branches.size());
    std::vector<GraphPoint> open = branches.front().waits;
    open.push_back({0, branches.front().tasks.size()});
    while (!open.empty()) {
        const GraphPoint point = open.back();
        open.pop_back();
        for (std::size_t& count = reached[point.branch]; count < point.count; ++count) {
            const auto& after = branches[point.branch].tasks[count].after;
            open.insert(open.end(), after.begin(), after.end());
        }
    }
    for (std::size_t b = 0; b < branches.size(); ++b)
        if (reached[b] < branches[b].tasks.size()) return false;
    return true;
}

cudaError_t end_capture(const std::shared_ptr<Stream>& stream, cudaGraph_t* graph) {
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    const auto capture = stream->capture;
    if (capture == nullptr) return cudaErrorIllegalState;
    if (stream->branch != 0) return cudaErrorStreamCaptureUnmatched;
    capture->ended = true;
    const bool joined = all_joined(capture->branches);
    Branches branches;
    for (Capture::Branch& branch : capture->branches) {
        branch.stream->capture = nullptr;
        branches.push_back(std::move(branch.tasks));
    }
    if (!capture->valid) return cudaErrorStreamCaptureInvalidated;
    if (!joined) return cudaErrorStreamCaptureUnjoined;
    graphs.add(graph, std::make_shared<const Branches>(std::move(branches)));
    return cudaSuccess;
}

/// One launch of a graph.
class Run {
  public:
    explicit Run(const Branches& branches)
        : branches_(branches), done_(branches.size()), after_(branches.size()) {}

    cudaError_t all() {
        std::vector<GraphPoint> ends;
        for (std::size_t b = 0; b < branches_.size(); ++b) ends.push_back({b, branches_[b].size()});
        return until_all(ends);
    }

  private:
    cudaError_t until_all(const std::vector<GraphPoint>& points) {
        const Permutation order(order_from_environment(), points.size(), 0);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const cudaError_t error = until(points[order[i]]);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    }
    cudaError_t until(const GraphPoint& point) {
        std::size_t& done = done_[point.branch];
        while (done < point.count) {
            const GraphTask& task = branches_[point.branch][done++];
            cudaError_t error = until_all(task.after);
            if (observer != nullptr) observe(task, point.branch);
            if (error == cudaSuccess) error = task.work();
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    }

    void observe(const GraphTask& task, std::size_t branch) {
        auto& all = after_[branch];
        std::vector<std::size_t> after(branches_.size());
        if (!all.empty()) after = all.back();
        for (const GraphPoint& point : task.after) {
            for (std::size_t b = 0; b < after.size() && point.count > 0; ++b)
                after[b] = std::max(after[b], after_[point.branch][point.count - 1][b]);
            after[point.branch] = std::max(after[point.branch], point.count);
        }
        all.push_back(after);
        observer->begin_graph_task({branch, all.size(), after, task.caller, task.issued});
    }

    const Branches& branches_;
    std::vector<std::size_t> done_;
    // For an observer: for each task that has begun, how many tasks of each branch come before it.
    std::vector<std::vector<std::vector<std::size_t>>> after_;
};

}  // namespace
}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    return api([&] {
        const auto stream = find_stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (handle == nullptr || handle == cudaStreamLegacy)
            return cudaErrorStreamCaptureUnsupported;
        if (stream->capture != nullptr) return cudaErrorIllegalState;
        std::make_shared<Capture>()->add(stream);
        return cudaSuccess;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return api([&] { return end_capture(find_stream(stream), graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return api([&] {
        const auto stream = find_stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        *status = stream->capture == nullptr ? cudaStreamCaptureStatusNone
                  : stream->capture->valid   ? cudaStreamCaptureStatusActive
                                             : cudaStreamCaptureStatusInvalidated;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return api([&] {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        graphs.add(graph, std::make_shared<const Branches>());
        return cudaSuccess;
    });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return api([&] {
        const Graph found = graphs.find(graph);
        if (exec == nullptr || found == nullptr) return cudaErrorInvalidValue;
        executables.add(exec, found);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return api([&] {
        const Graph graph = executables.find(exec);
        if (graph == nullptr) return cudaErrorInvalidValue;
        return enqueue(stream, [graph] { return Run(*graph).all(); });
    });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return api(
        [&] { return executables.find(exec) == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    return api([&] {
        const Graph found = graphs.find(graph);
        if (found == nullptr || count == nullptr) return cudaErrorInvalidValue;
        std::size_t tasks = 0;
        for (const std::vector<GraphTask>& branch : *found)
            for (const GraphTask& task : branch) {
                if (nodes != nullptr && tasks < *count)
                    nodes[tasks] = reinterpret_cast<cudaGraphNode_t>(const_cast<GraphTask*>(&task));
                ++tasks;
            }
        if (nodes != nullptr)  // CUDA: no node is behind the last
            for (std::size_t i = tasks; i < *count; ++i) nodes[i] = nullptr;
        *count = nodes == nullptr ? tasks : std::min(tasks, *count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return api(
        [&] { return graphs.by_handle.erase(graph) == 1 ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return api([&] {
        return executables.by_handle.erase(exec) == 1 ? cudaSuccess : cudaErrorInvalidValue;
    });
}
