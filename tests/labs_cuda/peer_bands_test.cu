// SPDX-License-Identifier: MIT
// Lab 06, peer_bands: one picture on 1 to 5 devices, with halos that last for 1 to 3 filters. Also
// machines and pictures that are too small, missing waits, and rows that are overwritten too early.
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/bands.hpp"
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/parts/peers.hpp"
#include "labs/06_async_streams/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"
#include "tests/unfinished_work.hpp"

#ifdef CUDA_ON_CPU  // as many devices as the test needs

namespace convolab::async_streams {
// The variant's file with one wait left out: the defects.
#define WAIT_EXCEPT_FOR(left_out, stream, event) \
    (std::strcmp(#event, left_out) == 0 ? cudaSuccess : (cudaStreamWaitEvent)(stream, event, 0))
namespace forgotten {
#define cudaStreamWaitEvent(stream, event, flags) \
    WAIT_EXCEPT_FOR("other->sent.get()", stream, event)
#include "labs/06_async_streams/09_peer_bands.cu"
#undef cudaStreamWaitEvent
}  // namespace forgotten

namespace too_early {
#define cudaStreamWaitEvent(stream, event, flags) \
    WAIT_EXCEPT_FOR("other->ready.get()", stream, event)
#include "labs/06_async_streams/09_peer_bands.cu"
#undef cudaStreamWaitEvent
}  // namespace too_early

namespace unordered {
#define cudaGraphLaunch(graph, stream) \
    cudaGraphLaunch(graph, origin_.get())  // the default stream does not wait
#include "labs/06_async_streams/09_peer_bands.cu"
#undef cudaGraphLaunch
}  // namespace unordered
}  // namespace convolab::async_streams

namespace convolab::defects {
namespace {

using async_streams::bands_on_devices;
using async_streams::kRowsPerHaloRow;
using async_streams::passes_per_exchange;
using async_streams::peer_bands;

struct Devices {
    explicit Devices(int count) { setenv("CUDA_ON_CPU_DEVICES", std::to_string(count).c_str(), 1); }
    ~Devices() { unsetenv("CUDA_ON_CPU_DEVICES"); }
};
struct Order {
    explicit Order(const char* order) { setenv("CUDA_ON_CPU_ORDER", order, 1); }
    ~Order() { unsetenv("CUDA_ON_CPU_ORDER"); }
};
constexpr const char* kOrders[] = {"forward", "reverse", "random:1", "random:2"};

Job chain_job(const Image& image, const Filter& filter, int filters, const Border& border = {}) {
    Job job = job_of(image, filter, 16, border);
    job.settings.filters = filters;
    return job;
}

Comparison against_chain(const Variant& variant, const Job& job) {
    const Image expected = async_streams::filters_on_device().reference(job);
    return compare(result_of(*variant.make(job)), expected);
}

/// Why peer_bands does not do the job; empty if it does.
std::string message(const Job& job) {
    try {
        static_cast<void>(peer_bands.make(job));
        return "";
    } catch (const Error& why) {
        return why.what();
    }
}

/// Compares peer_bands with a chain of filters, with each border that keeps the picture's size.
void check_borders(const Image& image, const Filter& filter, int filters, int kernel) {
    for (const Border& border : all_borders()) {
        const bool is_possible = border.rule != BorderRule::renormalise ||
                                 (kernel == 1 && filter.can_renormalise() && filter.radius() > 0);
        if (border.rule == BorderRule::valid || !is_possible) continue;
        Job job = chain_job(image, filter, filters, border);
        job.settings.kernel = kernel;
        INFO(image.height() << " rows, " << filters << " filters, " << to_string(border)
                            << ", kernel " << kernel);
        CHECK(against_chain(peer_bands, job).identical());
    }
}

}  // namespace

TEST_CASE("peer_bands: every border, kernel and number of filters, on 1 to 5 devices") {
    for (const int devices : {1, 2, 3, 5}) {
        const Devices machine(devices);
        INFO(devices << " devices");
        for (const int rows : {2, 3, 4, 7})
            for (const int kernel : {1, 2})  // uneven bands
                check_borders(noise(37, rows * devices + (devices > 1)), make_filter("gaussian", 5),
                              1 + rows, kernel);
    }
}

TEST_CASE("peer_bands: a halo lasts for as many filters as the bands' height allows") {
    const Filter filter = make_filter("3x3: 1 2 3 4 5 6 7 8 9 / 45");
    for (const char* name : kOrders)
        for (const int passes : {1, 2, 3})
            for (const int devices : {2, 3}) {
                const Devices machine(devices);
                const Order order(name);
                const Image image = noise(9, kRowsPerHaloRow * passes * devices + 1, 1);
                const Job job = chain_job(image, filter, 1);
                CHECK(passes_per_exchange(job, bands_on_devices(job, devices)) == passes);
                INFO(name << ", " << passes << " passes, " << devices << " devices");
                for (const int filters : {1, passes, passes + 1, 3 * passes + 1})
                    check_borders(image, filter, filters, 1);
            }
}

TEST_CASE("peer_bands: the streams in any order, run again, with fewer devices than there are") {
    const Image image = noise(65, 70);
    for (const char* name : kOrders) {
        const Devices machine(4);
        const Order order(name);
        for (const int devices : {2, 3, 4}) {
            Job job = chain_job(image, make_filter("gaussian", 7), 5, {BorderRule::wrap});
            job.settings.devices = devices;
            const auto convolver = peer_bands.make(job);
            CHECK(convolver->devices() == devices);
            const Image expected = async_streams::filters_on_device().reference(job);
            CHECK(compare(result_of(*convolver), expected).identical());
            convolver->run();  // from the same input
            convolver->run();
            convolver->download();
            CHECK(compare(convolver->result(), expected).identical());
        }
    }
}

TEST_CASE("peer_bands: bands as thin as their halo, and a filter that needs no neighbour") {
    const Devices machine(3);
    for (const char* name : kOrders) {
        const Order order(name);
        INFO(name);
        check_borders(noise(21, 12), make_filter("box", 9), 5, 1);
        check_borders(noise(21, 3), make_filter("1x1: 1 / 2"), 5, 1);
    }
}

TEST_CASE("peer_bands: a part of a band leaves the other parts' rows alone, at every height") {
    const Devices machine(2);
    for (int rows = 12; rows < 36; ++rows) {       // a band's height, with every remainder
        const Image image = noise(400, 2 * rows);  // three strips, one of them away from the edges
        const Job job = chain_job(image, make_filter("gaussian", 5), 3);
        INFO("bands of " << rows << " rows");
        CHECK(against_chain(peer_bands, job).identical());
    }
}

TEST_CASE("without a wait for the halo, it has not arrived") {
    namespace forgotten = async_streams::forgotten::convolab::async_streams;
    const Devices machine(3);
    const Image image = noise(33, 30);
    const Job job = chain_job(image, make_filter("gaussian", 5), 4);
    CHECK(against_chain(peer_bands, job).identical());
    CHECK_FALSE(against_chain(forgotten::peer_bands, job).identical());
}

TEST_CASE("rows that a neighbour still reads are overwritten unless the sender waits for it") {
    namespace too_early = async_streams::too_early::convolab::async_streams;
    const Image image = noise(33, 30);
    int found = 0;
    for (const char* name : kOrders) {
        const Devices machine(3);
        const Order order(name);
        const Job job = chain_job(image, make_filter("gaussian", 5), 4);
        CHECK(against_chain(peer_bands, job).identical());
        found += against_chain(too_early::peer_bands, job).identical() ? 0 : 1;
    }
    CHECK(found > 0);
}

TEST_CASE("peer_bands: the default stream waits for the bands, so kernel_ms leaves nothing out") {
    namespace unordered = async_streams::unordered::convolab::async_streams;
    const Devices machine(3);
    const Image image = noise(33, 30);
    const Job job = chain_job(image, make_filter("gaussian", 5), 4);
    CHECK_FALSE(leaves_work(*peer_bands.make(job), gpu_backend()));
    CHECK(leaves_work(*unordered::peer_bands.make(job), gpu_backend()));
}

TEST_CASE("bands thinner than the halo, and devices that do not exist, are unsupported") {
    const Devices machine(3);
    const Image image = noise(20, 5);
    Job job = chain_job(image, make_filter("gaussian", 5), 2);
    CHECK(message(job) ==
          "An image of 5 rows in 3 bands has bands thinner than the halo of 2 rows; take "
          "fewer --devices.");
    job.settings.devices = 2;
    CHECK(against_chain(peer_bands, job).identical());
    const Image two_rows = noise(20, 2);
    CHECK(message(chain_job(two_rows, make_filter("1x1: 1 / 2"), 2)) ==
          "An image of 2 rows cannot be shared by 3 devices; take fewer --devices.");
    for (const Variant* variant : {&peer_bands, &async_streams::multi_gpu}) {
        job.settings.devices = 4;
        CHECK_THROWS_AS(variant->make(job), Skipped);
    }
}

TEST_CASE("GPUs that cannot write to each other's memory are unsupported") {
    const Devices machine(2);
    setenv("CUDA_ON_CPU_PEER_ACCESS", "0", 1);
    const Image image = noise(20, 20);
    Job job = chain_job(image, make_filter("gaussian", 5), 2);
    CHECK(message(job) ==
          "GPU 0 cannot write to the memory of GPU 1, as the bands need; use --devices 1, or "
          "--variant multi_gpu.");
    job.settings.devices = 1;
    CHECK(against_chain(peer_bands, job).identical());
    unsetenv("CUDA_ON_CPU_PEER_ACCESS");
}

TEST_CASE("multi_gpu takes as many devices as the setting says") {
    const Devices machine(3);
    const Image image = noise(20, 15);
    Job job = job_of(image, make_filter("gaussian", 5), 16);
    job.settings.devices = 2;
    CHECK(async_streams::multi_gpu.make(job)->devices() == 2);
    CHECK(check_variant(async_streams::multi_gpu, job).identical());
}

}  // namespace convolab::defects
#endif
