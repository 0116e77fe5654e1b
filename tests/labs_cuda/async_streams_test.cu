// SPDX-License-Identifier: MIT
// Lab 06: mistakes with overlapping copies. Each is made here with frames in flight, as the
// variants use them, and tested beside the right form.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

using async_streams::BandOnDevice;
using async_streams::FramesOnHost;

/// Frames in flight whose steps a test puts into streams of its choice; steps(*this) is the run.
template <class Steps>
class WithSteps final : public FramesOnHost {
  public:
    WithSteps(const Job& job, std::size_t places, Steps steps) : FramesOnHost(job), steps_(steps) {
        for (std::size_t i = 0; i < places; ++i) {
            places_.push_back({{job, whole_image(job)}, {}, {}, {}, {}});
            Place& place = places_.back();
            place.h_in = PinnedBuffer<std::uint8_t>(place.image.in.host_bytes());
            place.h_out = PinnedBuffer<std::uint8_t>(place.image.out.host_bytes());
            place.in = DeviceBuffer<std::uint8_t>(place.image.in.device_bytes());
            place.out = DeviceBuffer<std::uint8_t>(place.image.out.device_bytes());
            place.image.d_in = place.in.data();
            place.image.d_out = place.out.data();
            add_frame(job, place.h_in.data(), place.h_out.data());
            add_band(place.image);
        }
    }
    void run() override { steps_(*this); }

    void copy_in(int frame, cudaStream_t stream) {
        const BandOnDevice& image = place_of(frame).image;
        CUDA_CHECK(cudaMemcpy2DAsync(image.d_in + image.in.lead, image.in.pitch, input_of(frame),
                                     image.in.bytes, image.in.bytes, image.in.count,
                                     cudaMemcpyHostToDevice, stream));
    }
    void filter(int frame, cudaStream_t stream) {
        const BandOnDevice& image = place_of(frame).image;
        image.kernel.launch(image.d_in + image.in.lead, image.d_out, stream);
        CUDA_CHECK(cudaGetLastError());
    }
    void copy_out(int frame, cudaStream_t stream) {
        Place& place = place_of(frame);
        const BandOnDevice& image = place.image;
        CUDA_CHECK(cudaMemcpy2DAsync(place.h_out.data(), image.out.bytes, image.d_out,
                                     image.out.pitch, image.out.bytes, image.out.count,
                                     cudaMemcpyDeviceToHost, stream));
    }

  private:
    struct Place {
        BandOnDevice image;
        PinnedBuffer<std::uint8_t> h_in, h_out;
        DeviceBuffer<std::uint8_t> in, out;
    };
    Place& place_of(int frame) { return places_[static_cast<std::size_t>(frame) % places_.size()]; }
    Steps steps_;
    std::vector<Place> places_;
};

}  // namespace

TEST_CASE("bands without halos show seams; bands with halos do not") {
    const Image image = noise(41, 30);
    for (const auto rule : {BorderRule::replicate, BorderRule::reflect101, BorderRule::constant}) {
        Job job = job_of(image, make_filter("gaussian", 5), 16, {rule});
        job.settings.bands = 3;
        CHECK(check_variant(async_streams::streams, job).identical());

        // The defect: each third is filtered as a separate picture.
        Image seams(41, 30, 3);
        for (const Band& band : async_streams::cut_in_bands(job)) {
            const Image third = crop(image, 0, band.first, 41, band.rows);
            const Job alone{{&third}, job.filter, job.border, {}};
            const Image out = reference_convolution(alone);
            std::memcpy(seams.raw() + seams.index(0, band.first, 0), out.raw(), out.bytes());
        }
        CHECK_FALSE(against_reference(seams, job).identical());
    }
}

TEST_CASE("with border `wrap` bands are unsupported, but the whole image is not") {
    const Image image = noise(41, 30);
    Job job = job_of(image, make_filter("gaussian", 5), 16, {BorderRule::wrap});
    for (const Variant* variant : {&async_streams::streams, &async_streams::graph}) {
        job.settings.bands = 3;
        CHECK_THROWS_AS(variant->make(job), Unsupported);
        job.settings.bands = 1;
        CHECK(check_variant(*variant, job).identical());
    }
}

#ifdef CUDA_ON_CPU  // streams run as late, or as early, as CUDA allows
namespace {

/// Runs two frames in both orders.
template <class Steps>
int wrong_orders(const Job& job, Steps steps) {
    int wrong = 0;
    for (const char* order : {"forward", "reverse"}) {
        setenv("CUDA_ON_CPU_ORDER", order, 1);
        WithSteps convolver(job, 2, steps);
        try {
            wrong += !against_reference(result_of(convolver), job).identical();
        } catch (const Error&) {  // the frames differ
            ++wrong;
        }
    }
    unsetenv("CUDA_ON_CPU_ORDER");
    return wrong;
}

}  // namespace

TEST_CASE("a kernel or a copy to the host that does not wait works on what was there before") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const auto steps = [](bool kernel_waits, bool copy_waits) {
        return [=](auto& frames) {
            const Stream in, compute, out;
            for (const int frame : {0, 1}) {
                Event arrived(cudaEventDisableTiming), filtered(cudaEventDisableTiming);
                frames.copy_in(frame, in.get());
                arrived.record(in.get());
                if (kernel_waits) arrived.make_wait(compute.get());
                frames.filter(frame, compute.get());
                filtered.record(compute.get());
                if (copy_waits) filtered.make_wait(out.get());
                frames.copy_out(frame, out.get());
            }
            for (const Stream* stream : {&out, &compute, &in}) stream->wait();
        };
    };
    CHECK(wrong_orders(job, steps(true, true)) == 0);
    CHECK(wrong_orders(job, steps(false, true)) > 0);  // the defects
    CHECK(wrong_orders(job, steps(true, false)) > 0);
}

TEST_CASE("a run that ends without a wait gives an incomplete output") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const Stream stream;
    WithSteps convolver(job, 1, [&](auto& frames) {
        frames.copy_in(0, stream.get());
        frames.filter(0, stream.get());
        frames.copy_out(0, stream.get());
    });
    CHECK_FALSE(against_reference(result_of(convolver), job).identical());
    stream.wait();
    CHECK(against_reference(convolver.result(), job).identical());
}

TEST_CASE("frames that share memory but not a stream give another frame's output") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const auto seven_frames = [](bool defective) {
        return [defective](auto& frames) {
            const Stream streams[3];
            for (int frame = 0; frame < 7; ++frame) {
                const int later = defective ? frame / 3 : 0;
                const cudaStream_t stream = streams[(frame + later) % 3].get();
                frames.copy_in(frame, stream);
                frames.filter(frame, stream);
                frames.copy_out(frame, stream);
            }
            for (const Stream& stream : streams) stream.wait();
        };
    };
    for (const char* order : {"forward", "reverse"}) {
        setenv("CUDA_ON_CPU_ORDER", order, 1);
        WithSteps right(job, 3, seven_frames(false)), wrong(job, 3, seven_frames(true));
        CHECK(against_reference(result_of(right), job).identical());
        CHECK_THROWS_AS(result_of(wrong), Error);
    }
    unsetenv("CUDA_ON_CPU_ORDER");
}

TEST_CASE("with cold caches, each frame of a run has its own picture in host memory") {
    const Image image = noise(33, 20);
    Job job = job_of(image, make_filter("box", 3), 16);
    job.settings.frames = 8;
    const auto warm = async_streams::frames_memory(job);
    job.cold = true;
    CHECK(async_streams::frames_on_host(job) == 8);
    CHECK(3 * async_streams::frames_memory(job).host == 8 * warm.host);
    CHECK(async_streams::frames_memory(job).device == warm.device);
    CHECK(check_variant(async_streams::frames, job).identical());
    CHECK_THROWS_AS(async_streams::multi_gpu.make(job), Unsupported);
}

TEST_CASE("multi_gpu gives every device its frames, with its own streams and memory") {
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

TEST_CASE("buffers are allocated once: a run allocates nothing") {
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

TEST_CASE("if memory is short, a variant frees what it has, and device 0 is selected") {
    const Image image = noise(600, 400);  // 0.7 MiB, and as much for the output
    const Job job = job_of(image, make_filter("gaussian", 5), 16);
    setenv("CUDA_ON_CPU_DEVICES", "2", 1);
    require_gpu();  // allocates, once
    const std::pair<const Variant*, const char*> short_memory[] = {
        {&async_streams::pageable, "1"}, {&async_streams::pinned, "1"},
        {&async_streams::chain, "1"},    {&async_streams::peer_bands, "1"},
        {&async_streams::streams, "1"},  {&async_streams::graph, "1"},
        {&async_streams::frames, "2"},   {&async_streams::multi_gpu, "2"}};  // one frame fits
    for (const auto& [variant, mib] : short_memory) {
        setenv("CUDA_ON_CPU_MEMORY_MIB", mib, 1);
        INFO(variant->name);
        std::size_t before = 0, after = 0, total = 0;
        int device = -1;
        CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
        CHECK_THROWS_AS(variant->make(job), Skipped);
        CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
        CHECK(before == after);
        CHECK(cudaGetDevice(&device) == cudaSuccess);
        CHECK(device == 0);
    }
    unsetenv("CUDA_ON_CPU_MEMORY_MIB");
    unsetenv("CUDA_ON_CPU_DEVICES");
}
#endif

TEST_CASE("a wrong frame in flight is not hidden by the right ones") {
    const Image image = noise(33, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    for (const int left_out : {0, 1, 2}) {
        WithSteps convolver(job, 3, [&](auto& frames) {
            const Stream stream;
            for (int i = 0; i < 3; ++i) {
                frames.copy_in(i, stream.get());
                frames.filter(i, stream.get());
                if (i != left_out) frames.copy_out(i, stream.get());  // the defect
            }
            stream.wait();
        });
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

}  // namespace convolab::defects
