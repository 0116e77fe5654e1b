// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Ours on the GPU: one variant of one lab, both chosen in peers.mk; and a copy of the same bytes,
// the lower bound. The lab's main() is compiled as lab_main(); it passes its variants to the
// run_lab() of this file.
#include "common/cuda/device.hpp"
#include "common/variant/lab.hpp"
#include "tools/peers/gpu.hpp"
#include "tools/peers/ours.hpp"

int lab_main(int argc, char** argv);

namespace {
std::vector<const convolab::Variant*> variants;
}

namespace convolab {
int run_lab(int, char**, const Lab& lab) {
    variants = lab.variants;
    return 0;
}
}  // namespace convolab

namespace peer {
namespace {

const convolab::Variant& our_variant() {
    if (variants.empty()) lab_main(0, nullptr);
    for (const auto* variant : variants)
        if (variant->name == PEER_VARIANT) return *variant;
    throw std::runtime_error("Lab " PEER_LAB " has no variant " PEER_VARIANT ".");
}

class Ours final : public GpuContender {
  public:
    explicit Ours(const PeerJob& job)
        : GpuContender(job.buffers),
          image_(image_of(job)),
          job_{{&image_}, filter_of(job), {convolab::BorderRule::replicate}, {}} {
        for (int i = 0; i < buffers(); ++i) {
            convolvers_.push_back(convolab::make_convolver(our_variant(), job_));
            convolvers_.back()->upload();
        }
    }
    void output(std::uint8_t* samples) override {
        convolvers_.front()->download();
        CUDA_CHECK(cudaDeviceSynchronize());
        copy_out(convolvers_.front()->result(), samples);
    }

  protected:
    void launch_on(int buffer) override { convolvers_[static_cast<std::size_t>(buffer)]->run(); }

  private:
    convolab::Image image_;
    convolab::Job job_;
    std::vector<std::unique_ptr<convolab::Convolver>> convolvers_;
};

class Copy final : public GpuContender {
  public:
    explicit Copy(const PeerJob& job)
        : GpuContender(job.buffers), bytes_(bytes(job)), images_(job, buffers()) {}
    void output(std::uint8_t* samples) override { images_.download(samples); }

  protected:
    void launch_on(int buffer) override {
        CUDA_CHECK(cudaMemcpyAsync(images_.d_out(buffer), images_.d_in(buffer), bytes_,
                                   cudaMemcpyDeviceToDevice));
    }

  private:
    std::size_t bytes_;
    DevicePairs images_;
};

}  // namespace

const char* functions() { return "ours,device copy"; }
std::string version() { return PEER_LAB " " PEER_VARIANT; }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    if (function == "device copy") return std::make_unique<Copy>(job);
    return std::make_unique<Ours>(job);
}

}  // namespace peer

/// The GPU's name; empty where no GPU can run this.
PEER_C const char* gpu_name() {
    static const std::string name = [] {
        try {
            return convolab::device_info().name;
        } catch (const std::exception&) {
            return std::string();
        }
    }();
    return name.c_str();
}
PEER_C std::int64_t gpu_cache_bytes() {
    return static_cast<std::int64_t>(convolab::device_info().l2_cache_bytes);
}
