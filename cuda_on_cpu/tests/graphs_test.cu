// SPDX-License-Identifier: MIT
// Captured streams: graphs, and mistakes during a capture.
#include "helpers.hpp"

namespace {

__global__ void add(int* value, int x) { *value += x; }
__global__ void times(int* value, int x) { *value *= x; }

}  // namespace

TEST_CASE("a captured graph does its work at each launch, and not before") {
    const Stream origin, branch;
    Event fork, join;
    PinnedBuffer<int> value(2);
    value[0] = value[1] = 1;
    REQUIRE(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    add<<<1, 1, 0, origin.get()>>>(value.data(), 1);
    fork.record(origin.get());
    fork.make_wait(branch.get());
    times<<<1, 1, 0, branch.get()>>>(value.data() + 1, 3);
    join.record(branch.get());
    times<<<1, 1, 0, origin.get()>>>(value.data(), 2);
    join.make_wait(origin.get());
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamEndCapture(origin.get(), &graph) == cudaSuccess);
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
    CHECK(count == 3);  // an event is no node
    cudaGraphNode_t nodes[4] = {};
    CHECK(cudaGraphGetNodes(graph, nodes, &(count = 4)) == cudaSuccess);
    CHECK(count == 3);
    CHECK(nodes[2] != nullptr);
    CHECK(nodes[3] == nullptr);
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(value[0] == 1);
    CHECK(cudaGraphLaunch(exec, origin.get()) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, origin.get()) == cudaSuccess);
    origin.wait();
    CHECK(value[0] == 10);
    CHECK(value[1] == 9);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    add<<<1, 1, 0, branch.get()>>>(value.data(), 5);  // the branch is an ordinary stream again
    branch.wait();
    CHECK(value[0] == 15);
}

TEST_CASE("an empty graph does nothing") {
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 1) == cudaErrorInvalidValue);
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a graph keeps which task waits for which, but not the order of the calls") {
    for (const bool joined : {true, false}) {  // the addition waits for the branch's product
        const Stream origin, branch;
        Event fork, join;
        PinnedBuffer<int> value(1);
        REQUIRE(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
        fork.record(origin.get());
        fork.make_wait(branch.get());
        times<<<1, 1, 0, branch.get()>>>(value.data(), 3);
        join.record(branch.get());
        if (joined) join.make_wait(origin.get());
        add<<<1, 1, 0, origin.get()>>>(value.data(), 1);
        if (!joined) join.make_wait(origin.get());
        cudaGraph_t graph = nullptr;
        REQUIRE(cudaStreamEndCapture(origin.get(), &graph) == cudaSuccess);
        cudaGraphExec_t exec = nullptr;
        REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
        const auto run = [&](const char* name) {
            const ScopedSetting order("CUDA_ON_CPU_ORDER", name);
            value[0] = 1;
            CHECK(cudaGraphLaunch(exec, origin.get()) == cudaSuccess);
            origin.wait();
            return value[0];
        };
        CHECK(run("forward") == (joined ? 4 : 6));
        CHECK(run("reverse") == 4);
        CHECK(cudaGraphDestroy(graph) == cudaSuccess);
        CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    }
}

TEST_CASE("mistakes during a capture") {
    const Stream origin, branch;
    Event fork;
    cudaGraph_t graph = nullptr;
    PinnedBuffer<int> value(1);
    const auto begin = [&] {
        REQUIRE(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    };
    CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
          cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorIllegalState);
    begin();  // waiting is not permitted
    CHECK(cudaStreamSynchronize(origin.get()) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    begin();  // a branch that never joins
    fork.record(origin.get());
    fork.make_wait(branch.get());
    add<<<1, 1, 0, branch.get()>>>(value.data(), 1);
    CHECK(cudaStreamEndCapture(branch.get(), &graph) == cudaErrorStreamCaptureUnmatched);
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureUnjoined);
    CHECK(graph == nullptr);
    cudaGetLastError();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a capture whose branches do not all join") {
    const Stream origin, branch, other;
    Event fork, early, own, join;
    cudaGraph_t graph = nullptr;
    PinnedBuffer<int> value(1);
    const auto begin = [&] {
        REQUIRE(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
        fork.record(origin.get());
        fork.make_wait(branch.get());
    };
    const auto work = [&](const Stream& stream) {
        add<<<1, 1, 0, stream.get()>>>(value.data(), 1);
    };
    begin();  // work after the event that the origin waits for
    early.record(branch.get());
    work(branch);
    early.make_wait(origin.get());
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureUnjoined);
    begin();  // a branch that waits for itself
    work(branch);
    own.record(branch.get());
    own.make_wait(branch.get());
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureUnjoined);
    // A third stream joins the branch, before or after the origin has waited for the branch.
    for (const bool whole : {false, true}) {
        begin();
        fork.make_wait(other.get());
        work(branch);
        work(other);
        join.record(other.get());
        if (whole) join.make_wait(branch.get());
        own.record(branch.get());
        own.make_wait(origin.get());
        if (!whole) join.make_wait(branch.get());
        CHECK(cudaStreamEndCapture(origin.get(), &graph) ==
              (whole ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
    }
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorStreamCaptureUnjoined);
}

TEST_CASE("two branches that wait for each other many times are one wait per branch") {
    const Stream origin, branch;
    Event fork, join;
    PinnedBuffer<int> value(1);
    REQUIRE(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    for (int i = 0; i < 40; ++i) {  // without merging: 3^40 waits
        fork.record(origin.get());
        fork.make_wait(branch.get());
        join.record(branch.get());
        join.make_wait(origin.get());
    }
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("events inside and outside of a capture are not interchangeable") {
    const Stream origin, second, outside;
    Event inside, before;
    cudaGraph_t graph = nullptr;
    before.record(outside.get());
    const auto begin = [&](const Stream& stream) {
        REQUIRE(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    };
    begin(origin);
    CHECK(cudaStreamWaitEvent(origin.get(), before.get(), 0) == cudaErrorStreamCaptureIsolation);
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    begin(origin);
    inside.record(origin.get());
    CHECK(cudaEventQuery(inside.get()) == cudaErrorCapturedEvent);
    begin(second);
    CHECK(cudaStreamWaitEvent(second.get(), inside.get(), 0) == cudaErrorStreamCaptureMerge);
    CHECK(cudaStreamEndCapture(second.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamWaitEvent(outside.get(), inside.get(), 0) == cudaErrorCapturedEvent);
    cudaGetLastError();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}
