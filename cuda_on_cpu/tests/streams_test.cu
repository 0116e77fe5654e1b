// SPDX-License-Identifier: MIT
// Streams run late and in order, and wait for what they must. Also events, and several devices.
#include "helpers.hpp"

namespace {

__global__ void add(int* value, int x) { *value += x; }
__global__ void times(int* value, int x) { *value *= x; }
__global__ void fails() { __trap(); }

}  // namespace

TEST_CASE("without a wait a result does not exist yet") {
    const Stream stream;
    PinnedBuffer<int> pinned(1);
    DeviceBuffer<int> d_value(1);
    int *const d = d_value.data(), *const h = pinned.data();
    *h = 5;
    CHECK(cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, stream.get()) == cudaSuccess);
    add<<<1, 1, 0, stream.get()>>>(d, 10);
    *h = 7;  // too early: the copy has not run
    CHECK(cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, stream.get()) == cudaSuccess);
    CHECK(*h == 7);
    stream.wait();
    CHECK(*h == 17);
}

TEST_CASE("a reset waits for the unfinished work of the streams") {
    bool has_run = false;
    const auto note = [](void* flag) { *static_cast<bool*>(flag) = true; };
    REQUIRE(cudaLaunchHostFunc(nullptr, note, &has_run) == cudaSuccess);
    CHECK_FALSE(has_run);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(has_run);
}

TEST_CASE("a copy from pageable memory takes the bytes at once; one to it is finished on return") {
    const Stream stream;
    DeviceBuffer<int> d_value(1);
    int* const d = d_value.data();
    int value = 5;
    CHECK(cudaMemcpyAsync(d, &value, 4, cudaMemcpyHostToDevice, stream.get()) == cudaSuccess);
    value = 7;
    add<<<1, 1, 0, stream.get()>>>(d, 10);
    CHECK(cudaMemcpyAsync(&value, d, 4, cudaMemcpyDeviceToHost, stream.get()) == cudaSuccess);
    CHECK(value == 15);
}

TEST_CASE("the default stream and blocking streams take turns; others do not") {
    cudaStream_t blocking = nullptr;
    REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
    const Stream free_stream;
    PinnedBuffer<int> value(2);
    value[0] = value[1] = 1;
    add<<<1, 1, 0, blocking>>>(value.data(), 1);
    times<<<1, 1>>>(value.data(), 10);
    add<<<1, 1, 0, blocking>>>(value.data(), 3);
    add<<<1, 1, 0, free_stream.get()>>>(value.data() + 1, 1);
    CHECK(cudaStreamSynchronize(blocking) == cudaSuccess);
    CHECK(value[0] == 23);
    CHECK(value[1] == 1);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
    CHECK(value[1] == 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(value[1] == 2);
    CHECK(cudaStreamDestroy(blocking) == cudaSuccess);
    CHECK(cudaStreamSynchronize(blocking) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("each device has a default stream, and a copy between two devices waits for both") {
    const ScopedSetting devices("CUDA_ON_CPU_DEVICES", "2");
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const FreshDevice fresh;
        int *d_first = nullptr, *d_second = nullptr;
        REQUIRE(cudaMalloc(&d_first, sizeof(int)) == cudaSuccess);
        cudaMemset(d_first, 0, sizeof(int));
        cudaSetDevice(1);
        cudaMalloc(&d_second, sizeof(int));
        cudaMemset(d_second, 0, sizeof(int));
        PinnedBuffer<int> value(1);
        value[0] = 0;
        add<<<1, 1>>>(d_second, 1);
        add<<<1, 1>>>(value.data(), 1);
        cudaSetDevice(0);
        add<<<1, 1>>>(d_first, 5);
        if (order == every_order[0]) {
            cudaDeviceSynchronize();
            CHECK(value[0] == 0);  // that of device 1 has not run
        }
        CHECK(cudaMemcpyPeerAsync(d_first, 0, d_second, 1, sizeof(int)) == cudaSuccess);
        cudaSetDevice(1);
        add<<<1, 1>>>(d_second, 10);
        int results[2] = {};
        cudaMemcpy(&results[1], d_second, sizeof(int), cudaMemcpyDeviceToHost);
        cudaSetDevice(0);
        cudaMemcpy(&results[0], d_first, sizeof(int), cudaMemcpyDeviceToHost);
        CHECK(results[0] == 1);
        CHECK(results[1] == 11);
        cudaSetDevice(1);
        add<<<1, 1>>>(d_second, 100);
        cudaSetDevice(0);  // a copy waits for the owner of the memory, too
        cudaMemcpy(&results[1], d_second, sizeof(int), cudaMemcpyDeviceToHost);
        CHECK(results[1] == 111);
    }
}

TEST_CASE("two events may come in any order, so a missing wait between them is visible") {
    for (const char* order : {"forward", "reverse"}) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const Stream one, other, both;
        Event one_done, other_done;
        PinnedBuffer<int> value(1);
        value[0] = 1;
        add<<<1, 1, 0, one.get()>>>(value.data(), 1);
        one_done.record(one.get());
        times<<<1, 1, 0, other.get()>>>(value.data(), 10);  // does not wait for `one`: the defect
        other_done.record(other.get());
        one_done.make_wait(both.get());
        other_done.make_wait(both.get());
        add<<<1, 1, 0, both.get()>>>(value.data(), 0);
        both.wait();
        CHECK(value[0] == (std::string(order) == "forward" ? 20 : 11));
    }
}

TEST_CASE("a stream waits for another's event, whatever the order of streams") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const Stream first, second;
        Event done;
        PinnedBuffer<int> value(1);
        value[0] = 1;
        add<<<1, 1, 0, first.get()>>>(value.data(), 1);
        done.record(first.get());
        add<<<1, 1, 0, first.get()>>>(value.data(), 100);  // after the event
        done.make_wait(second.get());
        times<<<1, 1, 0, second.get()>>>(value.data(), 10);
        second.wait();
        const int after = value[0];
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        // Work after the event may run before or after the second stream, as on a GPU.
        const bool late = after == 20 && value[0] == 120;
        const bool early = after == 1020 && value[0] == 1020;
        CHECK((late || (early && std::string(order) != "forward")));
    }
}

TEST_CASE(
    "while the host waits for one stream, another may run first, so a missing event is visible") {
    const auto value_with = [](const char* order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const Stream first, second;
        PinnedBuffer<int> value(1);
        value[0] = 1;
        add<<<1, 1, 0, first.get()>>>(value.data(), 1);
        times<<<1, 1, 0, second.get()>>>(value.data(), 10);  // no event between them
        first.wait();
        second.wait();
        return value[0];
    };
    CHECK(value_with("forward") == 20);
    CHECK(value_with("reverse") == 11);
}

TEST_CASE("copies between devices name the devices of both pointers") {
    const FreshDevice fresh;
    const ScopedSetting setting("CUDA_ON_CPU_DEVICES", "2");
    DeviceBuffer<int> d_from(1);
    const int value = 7;
    d_from.upload(&value);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    DeviceBuffer<int> d_to(1);
    d_to.fill(0);
    const Stream stream;
    const auto copy = [&](int to, int from) {
        return cudaMemcpyPeerAsync(d_to.data(), to, d_from.data(), from, sizeof(int), stream.get());
    };
    CHECK(copy(0, 0) == cudaErrorInvalidValue);
    CHECK(copy(1, 1) == cudaErrorInvalidValue);
    CHECK(copy(1, 0) == cudaSuccess);
    int read = -1;
    d_to.download(&read);
    CHECK(read == 0);  // the host has not waited for the stream
    stream.wait();
    d_to.download(&read);
    CHECK(read == 7);
}

TEST_CASE("a kernel writes to another device's memory if its device has been given access") {
    const FreshDevice fresh;
    const ScopedSetting setting("CUDA_ON_CPU_DEVICES", "3");
    DeviceBuffer<int> d_value(1);
    d_value.fill(0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    int can = -1;
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 0) == cudaSuccess);
    CHECK(can == 1);
    CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrPerformanceRank, 1, 0) == cudaSuccess);
    CHECK(can == 0);
    CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 1, 0) == cudaSuccess);
    CHECK(can == 1);
    CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 1, 1) ==
          cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 1) == cudaSuccess);
    CHECK(can == 0);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 3) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
    CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaSuccess);
    CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    {
        const Stream stream;
        add<<<1, 1, 0, stream.get()>>>(d_value.data(), 7);
        stream.wait();
    }
    int value = 0;
    d_value.download(&value);
    CHECK(value == 7);

    CHECK(cudaSetDevice(2) == cudaSuccess);  // it has no access
    add<<<1, 1>>>(d_value.data(), 1);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(contains(cuda_on_cpu::last_report(), "memory of device 0"));
}

TEST_CASE("a memory pool opens a device's memory to another device, and closes it again") {
    const FreshDevice fresh;
    const ScopedSetting setting("CUDA_ON_CPU_DEVICES", "2");
    cudaMemPool_t pool = nullptr;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 2) == cudaErrorInvalidDevice);
    REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    DeviceBuffer<int> d_value(1);
    d_value.fill(0);
    cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
    CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    add<<<1, 1>>>(d_value.data(), 7);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    access.location.id = 2;
    CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue);
    cudaGetLastError();
    access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtNone};
    CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
    add<<<1, 1>>>(d_value.data(), 7);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("devices that cannot access each other's memory report it") {
    const FreshDevice fresh;
    const ScopedSetting devices("CUDA_ON_CPU_DEVICES", "2");
    const ScopedSetting none("CUDA_ON_CPU_PEER_ACCESS", "0");
    int can = -1;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess);
    CHECK(can == 0);
    CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess);
    CHECK(can == 0);
    CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessUnsupported);
    cudaGetLastError();
}

TEST_CASE("a stream with a priority, or a window of the cache, is a stream") {
    int least = -1, greatest = 1;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
    CHECK(least == 0);
    CHECK(greatest < least);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess);
    PinnedBuffer<int> value(1);
    cudaStreamAttrValue kept{};
    kept.accessPolicyWindow = {value.data(), sizeof(int), 1.0F, cudaAccessPropertyPersisting,
                               cudaAccessPropertyStreaming};
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &kept) ==
          cudaSuccess);
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 4096) == cudaSuccess);
    value[0] = 1;
    add<<<1, 1, 0, stream>>>(value.data(), 1);
    CHECK(value[0] == 1);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(value[0] == 2);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("several devices: streams, events and memory belong to the one that was current") {
    const FreshDevice fresh;
    const ScopedSetting setting("CUDA_ON_CPU_DEVICES", "2");
    int count = 0;
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
    CHECK(count == 2);
    CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    const Stream other;
    Event event;
    DeviceBuffer<int> d_other(1);
    CHECK(cudaSetDevice(0) == cudaSuccess);
    const Stream here;
    CHECK(cudaEventRecord(event.get(), here.get()) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord(event.get(), other.get()) == cudaSuccess);

    PinnedBuffer<int> value(1);  // every device can use it
    value[0] = 1;
    add<<<1, 1, 0, other.get()>>>(value.data(), 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(contains(cuda_on_cpu::last_report(), "no such stream on device 0, but on device 1"));
    CHECK(cudaSetDevice(1) == cudaSuccess);
    add<<<1, 1, 0, other.get()>>>(value.data(), 1);
    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);  // device 0 has nothing to do
    CHECK(value[0] == 1);
    other.wait();
    CHECK(value[0] == 2);

    add<<<1, 1, 0, here.get()>>>(d_other.data(), 1);
    CHECK(cudaStreamSynchronize(here.get()) == cudaErrorIllegalAddress);
    CHECK(contains(cuda_on_cpu::last_report(), "memory of device 1"));
}

TEST_CASE("destroying a stream keeps its work") {
    PinnedBuffer<int> value(1);
    value[0] = 1;
    {
        const Stream stream;
        add<<<1, 1, 0, stream.get()>>>(value.data(), 1);
    }
    CHECK(value[0] == 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(value[0] == 2);
}

TEST_CASE("host functions run in the stream's order") {
    const Stream stream;
    int seen = 0;
    PinnedBuffer<int> value(1);
    value[0] = 1;
    struct Job {
        int *from, *to;
    } job{value.data(), &seen};
    add<<<1, 1, 0, stream.get()>>>(value.data(), 1);
    const auto look = [](void* data) {
        *static_cast<Job*>(data)->to = *static_cast<Job*>(data)->from;
    };
    CHECK(cudaLaunchHostFunc(stream.get(), look, &job) == cudaSuccess);
    add<<<1, 1, 0, stream.get()>>>(value.data(), 1);
    CHECK(seen == 0);
    stream.wait();
    CHECK(seen == 2);
}

TEST_CASE("a stream is not ready at the first query, as on a GPU that needs time") {
    const Stream stream;
    CHECK(cudaStreamQuery(stream.get()) == cudaSuccess);
    int seen = 0;
    cudaLaunchHostFunc(
        stream.get(), [](void* data) { *static_cast<int*>(data) = 1; }, &seen);
    CHECK(cudaStreamQuery(stream.get()) == cudaErrorNotReady);
    CHECK(seen == 0);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaStreamQuery(stream.get()) == cudaSuccess);
    CHECK(seen == 1);
}

TEST_CASE("events: no time, and CUDA's errors") {
    const Stream stream;
    Event a, b, plain(cudaEventDisableTiming);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, a.get(), b.get()) == cudaErrorInvalidResourceHandle);
    a.record(stream.get());
    b.record(stream.get());
    plain.record(stream.get());
    CHECK(cudaEventElapsedTime(&ms, a.get(), b.get()) == cudaErrorNotReady);
    CHECK(cudaEventQuery(b.get()) == cudaErrorNotReady);
    CHECK(cudaEventQuery(b.get()) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, a.get(), b.get()) == cudaSuccess);
    CHECK(ms == 0);
    CHECK(cudaEventElapsedTime(&ms, a.get(), plain.get()) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventSynchronize(nullptr) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("a wait returns the error of a kernel") {
    const FreshDevice fresh;
    const Stream stream;
    fails<<<1, 1, 0, stream.get()>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream.get()) == cudaErrorLaunchFailure);
}
