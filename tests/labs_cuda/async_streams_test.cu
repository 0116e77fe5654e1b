// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Lab 06: what goes wrong with copies that overlap. Each mistake stands here, made with the lab's
// own bands; the variants are beside it.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "common/cuda/near_device.hpp"
#include "common/cuda/on_device.hpp"
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::async_streams {
extern const Variant pageable, pinned, streams, frames, graph, multi_gpu;
}

namespace convolab::defects {
namespace {

using async_streams::BandFilter;
using async_streams::cut_in_bands;
using async_streams::FramesOnHost;
using async_streams::HostMemory;

/// The image in bands, with steps() in the place of run().
template <class Steps>
class WithSteps final : public FramesOnHost {
  public:
    WithSteps(const Job& job, const std::vector<Band>& bands, Steps steps, int frames = 1)
        : FramesOnHost(job, HostMemory::pinned), steps_(steps) {
        for (int i = 0; i < frames; ++i) add_frame(job, bands);
    }
    void run() override { steps_(bands_); }

  private:
    Steps steps_;
};

template <class Steps>
Comparison compare_with(const Job& job, const std::vector<Band>& bands, Steps steps) {
    WithSteps<Steps> convolver(job, bands, steps);
    return against_reference(result_of(convolver), job);
}

void one_after_another(std::vector<BandFilter>& bands) {
    const Stream stream;
    for (BandFilter& band : bands) {
        band.copy_in(stream.get());
        band.filter(stream.get());
        band.copy_out(stream.get());
    }
    stream.wait();
}

}  // namespace

TEST_CASE("bands without their halos show seams; with them there are none") {
    const Image image = noise(41, 30);
    for (const auto rule : {BorderRule::replicate, BorderRule::wrap, BorderRule::constant}) {
        const Job job = job_of(image, make_filter("gaussian", 5), 16, {rule});
        std::vector<Band> bands = cut_in_bands(job, 3);
        CHECK(compare_with(job, bands, one_after_another).identical());

        // The defect: each third is filtered as a picture of its own.
        Image seams(41, 30, 3);
        for (const Band& band : bands) {
            const Image third = crop(image, 0, band.first, 41, band.rows);
            const Job alone{{&third}, job.filter, job.border, {}};
            const Image out = reference_convolution(alone);
            std::memcpy(seams.raw() + seams.index(0, band.first, 0), out.raw(), out.bytes());
        }
        CHECK_FALSE(against_reference(seams, job).identical());
    }
}

#ifdef CUDA_ON_CPU  // streams as late, or as early, as CUDA allows: not left to chance
namespace {

/// Waits for the stream of the copies out alone, and in both orders.
template <class Steps>
int wrong_orders(const Job& job, Steps steps) {
    int wrong = 0;
    for (const char* order : {"forward", "reverse"}) {
        setenv("CUDA_ON_CPU_ORDER", order, 1);
        wrong += !compare_with(job, cut_in_bands(job, 2), steps).identical();
    }
    unsetenv("CUDA_ON_CPU_ORDER");
    return wrong;
}

}  // namespace

TEST_CASE("a kernel that does not wait for its copy reads what was there before") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const auto steps = [](bool waits) {
        return [waits](std::vector<BandFilter>& bands) {
            const Stream compute, copies;
            for (BandFilter& band : bands) {
                band.copy_in(copies.get());
                Event arrived(cudaEventDisableTiming);
                arrived.record(copies.get());
                if (waits) arrived.make_wait(compute.get());
                band.filter(compute.get());
                band.copy_out(compute.get());
            }
            compute.wait();
            copies.wait();
        };
    };
    CHECK(wrong_orders(job, steps(true)) == 0);
    CHECK(wrong_orders(job, steps(false)) > 0);  // the defect
}

TEST_CASE("a copy out that does not wait for its kernel brings what was there before") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const auto steps = [](bool waits) {
        return [waits](std::vector<BandFilter>& bands) {
            const Stream out, compute;
            for (BandFilter& band : bands) {
                band.copy_in(compute.get());
                band.filter(compute.get());
                Event filtered(cudaEventDisableTiming);
                filtered.record(compute.get());
                if (waits) filtered.make_wait(out.get());
                band.copy_out(out.get());
            }
            out.wait();
            compute.wait();
        };
    };
    CHECK(wrong_orders(job, steps(true)) == 0);
    CHECK(wrong_orders(job, steps(false)) > 0);  // the defect
}

TEST_CASE("a run that ends without a wait gives an output that is not there") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const Stream stream;
    const auto no_wait = [&](std::vector<BandFilter>& bands) {
        for (BandFilter& band : bands) {
            band.copy_in(stream.get());
            band.filter(stream.get());
            band.copy_out(stream.get());
        }
    };
    WithSteps convolver(job, cut_in_bands(job, 2), no_wait);
    CHECK_FALSE(against_reference(result_of(convolver), job).identical());
    stream.wait();
    CHECK(against_reference(convolver.result(), job).identical());
}

namespace {

/// Seven frames, three in flight; with the defect, those that share a place are on different streams.
class FramesInPlaces final : public FramesOnHost {
  public:
    FramesInPlaces(const Job& job, bool defective)
        : FramesOnHost(job, HostMemory::pinned), defective_(defective) {
        for (int i = 0; i < 3; ++i) add_frame(job, {whole_image(job)});
    }
    void run() override {
        const Stream streams[3];
        for (int frame = 0; frame < 7; ++frame) {
            const std::size_t place = place_of(frame);
            const auto later = static_cast<std::size_t>(defective_ ? frame / 3 : 0);
            const cudaStream_t stream = streams[(place + later) % 3].get();
            bands_[place].copy_in(stream);
            bands_[place].filter(stream);
            bands_[place].copy_out(stream);
        }
        for (const Stream& stream : streams) stream.wait();
    }

  private:
    bool defective_;
};

}  // namespace

TEST_CASE("frames that share a place but not a stream give another frame's output") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    for (const char* order : {"forward", "reverse"}) {
        setenv("CUDA_ON_CPU_ORDER", order, 1);
        FramesInPlaces right(job, false), wrong(job, true);
        CHECK(against_reference(result_of(right), job).identical());
        CHECK_THROWS_AS(result_of(wrong), Error);
    }
    unsetenv("CUDA_ON_CPU_ORDER");
}

TEST_CASE("multi_gpu gives every device its frames, each on its own streams and memory") {
    const Image image = noise(64, 40);
    Job job = job_of(image, make_filter("gaussian", 5), 16);
    job.settings.frames = 4;
    setenv("CUDA_ON_CPU_DEVICES", "3", 1);
    {
        const auto convolver = async_streams::multi_gpu.make(job);
        CHECK(convolver->devices() == 3);
        CHECK(convolver->frames_per_run() == 12);
        CHECK(against_reference(result_of(*convolver), job).identical());
        int frames[3] = {};
        for (const Span& span : convolver->timeline())
            if (span.what == "filter") ++frames[span.device];
        CHECK((frames[0] == 4 && frames[1] == 4 && frames[2] == 4));
    }
    unsetenv("CUDA_ON_CPU_DEVICES");
}

TEST_CASE("buffers are allocated once: a run takes no memory") {
    const Image image = noise(64, 40);
    Job job = job_of(image, make_filter("gaussian", 5), 16);
    job.settings.frames = 9;
    for (const Variant* variant : {&async_streams::streams, &async_streams::frames}) {
        const auto convolver = variant->make(job);
        std::size_t before = 0, after = 0, total = 0;
        CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
        convolver->run();
        CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
        CHECK(before == after);
    }
}
#endif

TEST_CASE("a wrong frame in flight is not hidden by the right ones") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    for (const std::size_t left_out : {0, 1, 2}) {
        const auto steps = [&](std::vector<BandFilter>& frames) {
            const Stream stream;
            for (std::size_t i = 0; i < frames.size(); ++i) {
                frames[i].copy_in(stream.get());
                frames[i].filter(stream.get());
                if (i != left_out) frames[i].copy_out(stream.get());  // the defect
            }
            stream.wait();
        };
        WithSteps convolver(job, {whole_image(job)}, steps, 3);
        convolver.poison();
        convolver.run();
        CHECK_THROWS_AS(convolver.result(), Error);
    }
}

TEST_CASE("a timeline has three steps of each band or frame, each after the one before it") {
    const Image image = noise(64, 40);
    Job job = job_of(image, make_filter("gaussian", 5), 16);
    job.settings.streams = 2;
    job.settings.bands = 5;
    job.settings.frames = 7;
    const std::pair<const Variant*, int> parts[] = {
        {&async_streams::streams, 5}, {&async_streams::graph, 5}, {&async_streams::frames, 7}};
    for (const auto& [variant, count] : parts) {
        INFO(variant->name);
        const auto convolver = variant->make(job);
        convolver->poison();
        const std::vector<Span> spans = convolver->timeline();
        CHECK(against_reference(convolver->result(), job).identical());
        REQUIRE(spans.size() == static_cast<std::size_t>(3 * count));
        for (std::size_t i = 0; i < spans.size(); ++i) {
            CHECK(spans[i].part == static_cast<int>(i / 3));
            CHECK(spans[i].what == std::vector{"copy in", "filter", "copy out"}[i % 3]);
            CHECK(spans[i].stream == spans[i].part % (variant == &async_streams::frames ? 3 : 2));
            CHECK(spans[i].start_ms <= spans[i].end_ms);
            if (i % 3 > 0) CHECK(spans[i].start_ms >= spans[i - 1].end_ms);
        }
        convolver->poison();
        convolver->run();  // as before, without events
        CHECK(against_reference(convolver->result(), job).identical());
    }
}

TEST_CASE("sides over 9 are refused in words") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 11), 16);
    CHECK_THROWS_AS(async_streams::streams.make(job), Unsupported);
}

}  // namespace convolab::defects
