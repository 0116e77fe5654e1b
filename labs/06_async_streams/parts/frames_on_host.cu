// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "common/cuda/byte_rows.hpp"
#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

constexpr int kPoison = 0xA5;

/// Where sample i, of channel c, is in a frame with `turn`.
std::int64_t turned(std::int64_t i, int c, int channels, int turn) {
    return i - c + (c + turn) % channels;
}

Rows rows_of(int first, int count, std::int64_t samples, const DeviceRows& on_device) {
    const auto bytes = static_cast<std::size_t>(samples);
    return {static_cast<std::size_t>(count), bytes, static_cast<std::size_t>(first) * bytes,
            packed_pitch(on_device, samples), static_cast<std::size_t>(on_device.lead)};
}

void move_rows(std::uint8_t* d_to, std::size_t to_pitch, const std::uint8_t* d_from,
               std::size_t from_pitch, const Rows& rows, cudaStream_t stream) {
    CUDA_CHECK(cudaMemcpy2DAsync(d_to, to_pitch, d_from, from_pitch, rows.bytes, rows.count,
                                 cudaMemcpyDeviceToDevice, stream));
}

}  // namespace

BandOnDevice::BandOnDevice(const Job& job, const Band& band)
    : kernel(band_kernel(job, band)),
      in(rows_of(band.low, band.high - band.low, job.image().width() * job.image().channels(),
                 kernel.in)),
      out(rows_of(band.first, band.rows, job.out_width() * job.image().channels(), kernel.out)) {}

FramesOnHost::FramesOnHost(const Job& job) : output_(output_for(job, PixelType::uint8)) {}

void FramesOnHost::add_frame(const Job& job, std::uint8_t* h_in, std::uint8_t* h_out) {
    const Image in = input_for(job, PixelType::uint8);
    const auto number = static_cast<int>(frames_.size()), channels = in.channels();
    const int on_devices = std::max(1, frames_in_flight(job)) * devices();
    const int turn = (number / devices() + number % devices() + number / on_devices) % channels;
    for (int c = 0; c < channels; ++c)
        for (std::int64_t i = c; i < in.samples(); i += channels)
            h_in[turned(i, c, channels, turn)] = in.data<std::uint8_t>()[i];
    std::memset(h_out, kPoison, output_.bytes());
    frames_.push_back({h_in, h_out, turn, frames_.size()});
}

void FramesOnHost::overwrite(std::uint8_t* d_rows, std::size_t bytes) {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    device_memory_.push_back({d_rows, bytes, device});
    CUDA_CHECK(cudaMemset(d_rows, kPoison, bytes));
    CUDA_CHECK(cudaStreamSynchronize(nullptr));  // other streams do not wait for it
}

void FramesOnHost::add_band(const BandOnDevice& band) {
    resources_ = band.kernel.resources;
    overwrite(band.d_in, band.in.device_bytes());
    overwrite(band.d_out, band.out.device_bytes());
}

const std::uint8_t* FramesOnHost::input_of(int number) {
    const std::size_t n = static_cast<std::size_t>(number), places = frames_.size();
    Frame& frame = frames_[n % places];
    frame.reads = (n + n / places * static_cast<std::size_t>(devices())) % places;
    return frames_[frame.reads].h_in;
}

BandOnDevice FramesOnHost::image_without_gaps(const Job& job) {
    BandOnDevice image(job, whole_image(job));
    const auto apart = [this](const Rows& rows) {
        DeviceBuffer<std::uint8_t> d_rows(rows.pitch > rows.bytes ? rows.device_bytes() : 0);
        if (d_rows.size() > 0) overwrite(d_rows.data(), d_rows.size());
        return d_rows;
    };
    d_in_apart_ = apart(image.in);
    d_out_apart_ = apart(image.out);
    image.kernel.launch_at = [this, in = image.in, out = image.out,
                              launch_at = image.kernel.launch_at](const DeviceBand& at,
                                                                  cudaStream_t stream) {
        const std::uint8_t* d_in = at.d_in;
        std::uint8_t *d_in_apart = d_in_apart_.data(), *d_out_apart = d_out_apart_.data();
        if (d_in_apart != nullptr) {
            move_rows(d_in_apart + in.lead, in.pitch, d_in, in.bytes, in, stream);
            d_in = d_in_apart + in.lead;
        }
        launch_at({d_in, d_out_apart != nullptr ? d_out_apart : at.d_out}, stream);
        if (d_out_apart != nullptr)
            move_rows(at.d_out, out.bytes, d_out_apart, out.pitch, out, stream);
    };
    for (Rows* rows : {&image.in, &image.out}) rows->pitch = rows->bytes, rows->lead = 0;
    return image;
}

const Image& FramesOnHost::result() {
    auto* samples = output_.data<std::uint8_t>();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const int turn = frames_[frames_[f].reads].turn;
        for (int c = 0; c < output_.channels(); ++c)
            for (std::int64_t i = c; i < output_.samples(); i += output_.channels()) {
                const std::uint8_t sample =
                    frames_[f].h_out[turned(i, c, output_.channels(), turn)];
                if (f == 0) samples[i] = sample;
                if (samples[i] != sample)
                    throw Error("Of the frames in flight, number " + std::to_string(f) +
                                " has not the output of number 0, though their inputs differ only "
                                "in the order of the channels.");
            }
    }
    return output_;
}

std::vector<Span> FramesOnHost::timeline() {
    constexpr int kWarmUps = 3;
    for (int i = 0; i < kWarmUps; ++i) run();
    Timeline timeline(devices());
    timeline_ = &timeline;
    prepare();
    run();
    timeline_ = nullptr;
    prepare();
    return timeline.spans();
}

void FramesOnHost::poison() {
    for (const Frame& frame : frames_) std::memset(frame.h_out, kPoison, output_.bytes());
    for (const DeviceMemory& memory : device_memory_) {
        const OnDevice here(memory.device);
        CUDA_CHECK(cudaMemset(memory.d_rows, kPoison, memory.bytes));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

int frames_in_flight(const Job& job) {
    return std::min(job.settings.in_flight, job.settings.frames);
}

int frames_on_host(const Job& job) {
    return job.cold ? job.settings.frames : frames_in_flight(job);
}

MemoryNeed frames_memory(const Job& job) {
    const MemoryNeed one = cuda_memory(job);
    return {frames_on_host(job) * one.host, frames_in_flight(job) * one.device};
}

}  // namespace convolab::async_streams
