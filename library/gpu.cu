// SPDX-License-Identifier: MIT
#include "common/cuda/backend.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/frame.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "labs/07_separable/variants.hpp"
#include "labs/12_tensor/variants.hpp"
#include "library/task.hpp"

namespace convolab::lib {

struct GpuForm {
    std::string name;
    BandKernel kernel;
    enum class Takes { aligned, any, all_alike } views = Takes::any;
    int lead = 0;  ///< bytes after a multiple of 16 at which an aligned input begins

    /// Whether the kernel can load and store 16 bytes at once.
    bool is_aligned(const Input& in, const Output& out) const {
        const auto address = reinterpret_cast<std::uintptr_t>(in.data) - lead;
        return (address | reinterpret_cast<std::uintptr_t>(out.data) | in.pitch | out.pitch) % 16 ==
               0;
    }
    bool is_plain() const { return views == Takes::all_alike; }
};

/// Below, `wgmma` takes longer to begin than it gains with K = 3: 1080p in color, 4K in gray.
constexpr std::int64_t kFewSamples = 1 << 23;

/// The best first.
static std::vector<GpuForm> forms_for(const Job& job) {
    using Takes = GpuForm::Takes;
    std::vector<GpuForm> forms;
    const auto add = [&](const char* name, auto kernel_of, int lead, Takes views = Takes::any) {
        try {
            forms.push_back({name, kernel_of(job, whole_image(job)), views, lead});
        } catch (const Unsupported&) {  // the next form
        }
    };
    const int packed_lead = packed_input_rows(job).lead;
    const auto add_packed = [&] { add("lab 07 packed", separable::packed_kernel_of, packed_lead); };
    const auto add_direct = [&] {
        add("lab 05 packed", cuda_shared::packed_kernel_of, packed_lead);
    };
    const int ksize = job.filter.ksize();
    const bool is_separable = job.filter.outer_product().has_value();
    if (is_separable && ksize < 7) add_packed();
    const bool is_direct_first = ksize == 3 && job.image().samples() <= kFewSamples;
    if (is_direct_first) add_direct();
    if (ksize > 1 && job.image().channels() == 1)
        add("lab 12 tensor", tensor_cores::tensor_kernel, 0, Takes::aligned);
    if (ksize > 1) add("lab 12 wgmma", tensor_cores::wgmma_kernel, 0);
    if (is_separable && ksize >= 7) add_packed();
    if (!is_direct_first) add_direct();
    forms.push_back({"plain", plain_band_kernel(job, whole_image(job)), Takes::all_alike});
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
        for (const GpuForm& form : forms)
            if (form.is_aligned(in, out) && !form.is_plain()) return form;
        return *std::find_if(forms.begin(), forms.end(), [](const GpuForm& form) {
            return form.views != GpuForm::Takes::aligned;
        });
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
        if (form.is_plain() || job.border.rule != BorderRule::renormalise) return;
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
    return guarded([&] {
        const GpuForm& form = plan_->form(in, out);
        const bool is_slower = !form.is_plain() && !form.is_aligned(in, out);
        return form.name + (is_slower ? ", any address" : "");
    });
}

}  // namespace convolab::lib
