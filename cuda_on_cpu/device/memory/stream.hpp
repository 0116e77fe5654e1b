// SPDX-License-Identifier: MIT
// Streams run as late as CUDA allows: when the host waits for them or asks about them. So a
// forgotten wait shows in every run, not only in some.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "device/base/source_line.hpp"
#include "runtime_types.hpp"

namespace cuda_on_cpu {

constexpr int any_device = -1;
using Work = std::function<cudaError_t()>;

struct Capture;
struct Stream;

/// For an observer: what precedes a task of a graph in every launch of the graph.
struct GraphTurn {
    std::size_t branch = 0, number = 0;  ///< in the branch, from 1; 0: in no graph
    std::vector<std::size_t> after;      ///< how many tasks of each branch come first
    Frames caller;                       ///< the captured call
    std::uint64_t issued = 0;            ///< its number in this order
};

/// For an observer: what precedes a task, however the device orders the rest.
struct Turn {
    unsigned stream = 0;                      ///< the stream's number
    std::uint64_t task = 0;                   ///< the task's number in the stream, from 1
    std::uint64_t issued = 0;                 ///< its number among all tasks
    std::map<unsigned, std::uint64_t> after;  ///< how many tasks of other streams come first
    std::map<unsigned, std::uint64_t> lost;   ///< did, before their event was recorded again
    std::uint64_t done = 0;                   ///< how many of all tasks had run when it was issued
    std::uint64_t waited = 0;                 ///< how many had run when the host last waited
    Frames caller;                            ///< the call that issued it
    GraphTurn in_graph;
};

/// The first `count` tasks of a stream.
struct Point {
    std::shared_ptr<Stream> stream;
    std::uint64_t count = 0;
    std::shared_ptr<const Turn> turn = nullptr;   ///< the last of these tasks
    std::map<unsigned, std::uint64_t> lost = {};  ///< an event's: where it was recorded before
};

struct Task {
    std::vector<Point> after;  ///< what must be done before
    Work work;
    std::shared_ptr<const Turn> turn;
};

struct Stream {
    Stream(bool blocking, int device);
    const unsigned number;
    const bool blocking;  ///< takes turns with the device's default stream
    const int device;     ///< the device it works on
    std::deque<Task> tasks;
    std::uint64_t done = 0, issued = 0;
    std::shared_ptr<const Turn> turn;  ///< the task that was issued last
    std::uint64_t asked = 0;           ///< tasks that is_not_ready() was asked about
    std::vector<Point> waits;          ///< for the next task: cudaStreamWaitEvent

    std::shared_ptr<Capture> capture;  ///< where its work goes instead, during a capture
    std::size_t branch = 0;            ///< its branch in that graph
};

/// The first `count` tasks of a branch of a graph.
struct GraphPoint {
    std::size_t branch = 0, count = 0;
};

struct GraphTask {
    std::vector<GraphPoint> after;
    Work work;
    Frames caller;  ///< for an observer
    std::uint64_t issued = 0;
};

/// The work of streams while they are recorded, with one branch for each stream; the first is the
/// origin.
struct Capture : std::enable_shared_from_this<Capture> {
    struct Branch {
        std::shared_ptr<Stream> stream;
        std::vector<GraphTask> tasks;
        std::vector<GraphPoint> waits;  ///< for the next task; one per branch

        void wait_for(const std::vector<GraphPoint>& points);
    };
    std::vector<Branch> branches;
    bool valid = true;
    bool ended = false;

    /// The stream's work goes to a new branch.
    void add(const std::shared_ptr<Stream>& stream);
    Branch& branch_of(const Stream& stream) { return branches[stream.branch]; }
};

cudaError_t create_stream(cudaStream_t* handle, unsigned flags);
cudaError_t destroy_stream(cudaStream_t handle);
/// nullptr if the handle is no stream.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);
cudaError_t enqueue(cudaStream_t handle, Work work);
/// The same for a copy that uses the memory of these devices: in a default stream it takes turns with
/// the default streams of all of them.
cudaError_t enqueue_between(const std::set<int>& devices, cudaStream_t handle, Work work);
/// While it lives, work such as a copy to pageable memory runs without counting as a wait of the
/// program.
struct RunsByItself {
    RunsByItself();
    ~RunsByItself();
};
/// Runs what comes before the point; returns the device's error if there is one.
cudaError_t run_until(const Point& point);
/// True for the first query about these tasks if they are not done; the next query runs them.
bool is_not_ready(const Point& point);
/// With CUDA_ON_CPU_ORDER=forward it runs only this stream, as late as CUDA allows; with another
/// order, first the streams that stand before it in that order.
cudaError_t run_stream(cudaStream_t handle);
cudaError_t run_all_streams();
/// Runs the streams of one device, or of any_device.
cudaError_t run_streams_of(int device);
/// Runs all streams, unless a call of CUDA is at work: the host waits in a loop for what the device
/// does. A signal handler may call it.
void run_by_themselves();
/// How many tasks were issued while an observer watches.
inline std::uint64_t tasks_issued = 0;
/// How many tasks have not run.
inline volatile unsigned waiting_tasks = 0;
void drop_all_streams();
/// True while any stream is being captured: calls that wait are then not permitted.
bool any_capture();
/// Bytes of pageable memory kept for copies that have not run.
void keep_staged(std::size_t bytes);

}  // namespace cuda_on_cpu
