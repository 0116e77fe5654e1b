// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Streams run as late as CUDA allows: when the host waits for them or asks about them. A wait that
// the program forgot is then seen in every run, not in some.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "device/source_line.hpp"
#include "runtime_types.hpp"

namespace cuda_on_cpu {

constexpr int any_device = -1;
using Work = std::function<cudaError_t()>;

struct Capture;
struct Stream;

/// For an observer: what comes before a task of a graph in every launch of it.
struct GraphTurn {
    std::size_t branch = 0, number = 0;  ///< in its branch, from 1; 0: the task is no graph's
    std::vector<std::size_t> after;      ///< so many tasks of each branch
    Frames caller;                       ///< who was captured
    std::uint64_t issued = 0;            ///< in this order
};

/// For an observer: what comes before a task, however the device goes on.
struct Turn {
    unsigned stream = 0;                      ///< its number
    std::uint64_t task = 0;                   ///< the task's number in it, from 1
    std::uint64_t issued = 0;                 ///< and of all
    std::map<unsigned, std::uint64_t> after;  ///< so many tasks of other streams
    std::uint64_t done = 0;                   ///< so many of all had run when it was issued
    std::uint64_t waited = 0;                 ///< and so many when the host waited for something
    Frames caller;                            ///< who has issued it
    GraphTurn in_graph;
};

/// The first `count` tasks of a stream.
struct Point {
    std::shared_ptr<Stream> stream;
    std::uint64_t count = 0;
    std::shared_ptr<const Turn> turn = nullptr;  ///< of the last of them
};

struct Task {
    std::vector<Point> after;  ///< what has to be done before
    Work work;
    std::shared_ptr<const Turn> turn;
};

struct Stream {
    Stream(bool blocking, int device);
    const unsigned number;  ///< 0 is the default stream
    const bool blocking;    ///< takes turns with the default stream
    const int device;       ///< that it works on; any_device: the current one
    std::deque<Task> tasks;
    std::uint64_t done = 0, issued = 0;
    std::shared_ptr<const Turn> turn;  ///< of the task that was issued last
    std::uint64_t asked = 0;           ///< is_not_ready() has said so once for so many tasks
    std::vector<Point> waits;          ///< for the next task: cudaStreamWaitEvent

    std::shared_ptr<Capture> capture;  ///< where its work goes instead, during a capture
    std::size_t branch = 0;            ///< its branch there
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

/// The work of streams while they are recorded, one branch for each; the first is the origin.
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

    /// The stream's work goes to a branch of its own.
    void add(const std::shared_ptr<Stream>& stream);
    Branch& branch_of(const Stream& stream) { return branches[stream.branch]; }
};

/// nullptr for a handle that is no stream.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);
cudaError_t enqueue(cudaStream_t handle, Work work);
/// While it lives, the program does not wait for what runs, such as a copy to pageable memory.
struct RunsByItself {
    RunsByItself();
    ~RunsByItself();
};
/// Does what is due up to the point; returns the device's error where there is one.
cudaError_t run_until(const Point& point);
/// As late as CUDA allows with CUDA_ON_CPU_ORDER=forward; with another order, after the streams
/// that stand before it there.
/// For the first who asks whether these tasks are done. The next one runs them.
bool is_not_ready(const Point& point);
cudaError_t run_stream(cudaStream_t handle);
cudaError_t run_all_streams();
/// Of one device, and those that work on any.
cudaError_t run_streams_of(int device);
void drop_all_streams();
/// True while any stream is being captured: calls that wait are then not permitted.
bool any_capture();
/// Bytes of pageable memory kept for copies that have not run.
void keep_staged(std::size_t bytes);

}  // namespace cuda_on_cpu
