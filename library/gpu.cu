// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/cuda/backend.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/frame.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "labs/07_separable/variants.hpp"
#include "labs/12_tensor/variants.hpp"
#include "library/task.hpp"

namespace convolab::lib {

constexpr int kGroup = 16;  // bytes that a lane loads and stores at once

struct GpuForm {
    std::string name;
    BandKernel kernel;
    bool is_plain = false;

    bool takes(const Input& in, const Output& out) const {
        const auto begins = [](const void* at, std::int64_t lead) {
            return (reinterpret_cast<std::uintptr_t>(at) - lead) % kGroup == 0;
        };
        const auto fits = [](std::int64_t bytes) { return bytes % kGroup == 0; };
        return is_plain || (begins(in.data, kernel.in.lead) && begins(out.data, 0) &&
                            fits(in.pitch) && fits(out.pitch) && fits(out.width * out.channels));
    }
};

/// The best first.
static std::vector<GpuForm> forms_for(const Job& job) {
    std::vector<GpuForm> forms;
    const auto add = [&](const char* name, auto kernel_of) {
        try {
            forms.push_back({name, kernel_of(job, whole_image(job))});
        } catch (const Unsupported&) {  // the next form
        }
    };
    // It reads the `lead` bytes before the first pixel: they are there if they are in its group.
    const bool can_lead = job.filter.radius() * job.image().channels() < kGroup;
    const int ksize = job.filter.ksize();
    const bool is_separable = job.filter.outer_product().has_value();
    if (can_lead && ksize >= (is_separable ? 7 : 3))
        add("lab 12 tensor", tensor_cores::tensor_kernel);
    if (is_separable) add("lab 07 packed", separable::packed_kernel_of);
    add("lab 05 packed", cuda_shared::packed_kernel_of);
    forms.push_back({"plain", plain_band_kernel(job, whole_image(job)), true});
    return forms;
}

struct Gpu::Plan : PlannedJob {
    explicit Plan(const Task& task) : PlannedJob(task), forms((require_gpu(), forms_for(job))) {
        const std::vector<float> taps(job.filter.taps().begin(), job.filter.taps().end());
        d_taps = DeviceBuffer<float>(taps.size());
        d_taps.upload(taps.data());
    }

    const GpuForm& form(const Input& in, const Output& out) const {
        check_views(job, in, out);
        constexpr std::int64_t kMaxPitch = std::int64_t{1} << 30;
        if (std::max(in.pitch, out.pitch) > kMaxPitch)
            throw Error("A pitch is over 2^30 bytes, more than the kernels count; use the CPU.");
        return *std::find_if(forms.begin(), forms.end(),
                             [&](const GpuForm& form) { return form.takes(in, out); });
    }

    std::vector<GpuForm> forms;
    DeviceBuffer<float> d_taps;  // for border renormalise
};

Gpu::Gpu(const Task& task) : plan_(guarded([&] { return std::make_shared<Plan>(task); })) {}

void Gpu::run(const Input& in, const Output& out, cudaStream_t stream) const {
    guarded([&] {
        const GpuForm& form = plan_->form(in, out);
        form.kernel.launch_at(
            {in.data, out.data, static_cast<int>(in.pitch), static_cast<int>(out.pitch)}, stream);
        CUDA_CHECK(cudaGetLastError());
        const Job& job = plan_->job;
        if (form.is_plain || job.border.rule != BorderRule::renormalise) return;
        renormalise_frame({{const_cast<std::uint8_t*>(in.data), in.pitch, in.channels, 1},
                           {out.data, out.pitch, out.channels, 1},
                           PixelType::uint8,
                           PixelType::uint8,
                           static_cast<int>(out.width),
                           static_cast<int>(out.height),
                           out.channels,
                           job.filter.ksize(),
                           plan_->d_taps.data(),
                           true},
                          stream);
    });
}

std::string Gpu::which(const Input& in, const Output& out) const {
    return guarded([&] { return plan_->form(in, out).name; });
}

int Gpu::lead() const { return plan_->forms.front().kernel.in.lead % kGroup; }

}  // namespace convolab::lib
