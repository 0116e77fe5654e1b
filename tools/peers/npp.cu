// SPDX-License-Identifier: MIT
// NVIDIA's NPP (part of the CUDA toolkit): FilterBorder with our integer taps and one divisor, for
// any filter; FilterGaussAdvancedBorder, separable, with our taps as floats; FilterGaussBorder,
// which chooses its taps from the side. Three channels, border replicate.
#include "tools/peers/gpu.hpp"
#include "tools/peers/npp.hpp"

namespace peer {
namespace {

NppiMaskSize mask_of(int ksize) {
    switch (ksize) {
        case 3:
            return NPP_MASK_SIZE_3_X_3;
        case 5:
            return NPP_MASK_SIZE_5_X_5;
        case 7:
            return NPP_MASK_SIZE_7_X_7;
        case 9:
            return NPP_MASK_SIZE_9_X_9;
        default:
            throw std::runtime_error("NPP has no Gaussian of this side.");
    }
}

class Npp final : public GpuContender {
  public:
    Npp(std::string function, const PeerJob& job)
        : GpuContender(job.buffers),
          function_(std::move(function)),
          job_(job),
          images_(job, buffers()),
          d_taps_(static_cast<std::size_t>(job.ksize) * job.ksize),
          d_row_(static_cast<std::size_t>(job.ksize)),
          context_(default_stream()) {
        if (job.channels != 3) throw std::runtime_error("NPP is timed with three channels.");
        if (function_ == "FilterGaussBorder") {
            mask_ = mask_of(job.ksize);
            if (job.sigma > 0) throw std::runtime_error("FilterGaussBorder takes no sigma.");
        }
        d_taps_.upload(job.taps);
        if (function_ == "FilterBorder") return;
        std::vector<Npp32f> row;
        for (int i = 0; i < job.ksize; ++i)
            row.push_back(static_cast<float>(row_of(job)[i]) / static_cast<float>(job.row_divisor));
        d_row_.upload(row.data());
    }
    void output(std::uint8_t* samples) override { images_.download(samples); }

  protected:
    void launch_on(int buffer) override {
        const NppiSize size{job_.width, job_.height};
        const int step = job_.width * 3;
        const auto* d_in = images_.d_in(buffer);
        auto* d_out = images_.d_out(buffer);
        NppStatus status;
        if (function_ == "FilterBorder")
            status = nppiFilterBorder_8u_C3R_Ctx(d_in, step, size, {0, 0}, d_out, step, size,
                                                 d_taps_.data(), {job_.ksize, job_.ksize},
                                                 {job_.ksize / 2, job_.ksize / 2}, job_.divisor,
                                                 NPP_BORDER_REPLICATE, context_);
        else if (function_ == "FilterGaussAdvancedBorder")
            status = nppiFilterGaussAdvancedBorder_8u_C3R_Ctx(d_in, step, size, {0, 0}, d_out, step,
                                                              size, job_.ksize, d_row_.data(),
                                                              NPP_BORDER_REPLICATE, context_);
        else
            status = nppiFilterGaussBorder_8u_C3R_Ctx(d_in, step, size, {0, 0}, d_out, step, size,
                                                      mask_, NPP_BORDER_REPLICATE, context_);
        require_success(function_, status);
    }

  private:
    std::string function_;
    PeerJob job_;
    DevicePairs images_;
    convolab::DeviceBuffer<Npp32s> d_taps_;
    convolab::DeviceBuffer<Npp32f> d_row_;
    NppiMaskSize mask_ = NPP_MASK_SIZE_5_X_5;
    NppStreamContext context_;
};

}  // namespace

const char* functions() { return "FilterBorder,FilterGaussAdvancedBorder,FilterGaussBorder"; }
std::string version() { return npp_version(); }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    return std::make_unique<Npp>(function, job);
}

}  // namespace peer
