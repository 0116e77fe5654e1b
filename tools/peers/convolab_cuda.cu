// SPDX-License-Identifier: MIT
// Convolab on the GPU: lab 07's `packed` for a separable filter, lab 12's `tensor` for another; and a
// copy of the same bytes, the lower bound.
#include "common/cuda/device.hpp"
#include "labs/07_separable/variants.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tools/peers/convolab.hpp"
#include "tools/peers/gpu.hpp"

namespace peer {
namespace {

class Convolab final : public GpuContender {
  public:
    explicit Convolab(const PeerJob& job)
        : GpuContender(job.buffers),
          image_(image_of(job)),
          job_{{&image_}, filter_of(job), {convolab::BorderRule::replicate}, {}} {
        const auto& variant =
            job.row != nullptr ? convolab::separable::packed : convolab::tensor_cores::tensor;
        for (int i = 0; i < buffers(); ++i) {
            convolvers_.push_back(convolab::make_convolver(variant, job_));
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
std::string version() { return "07_separable packed, for edge 12_tensor tensor"; }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    if (function == "device copy") return std::make_unique<Copy>(job);
    return std::make_unique<Convolab>(job);
}

}  // namespace peer

/// The GPU's name; empty if no GPU can run this.
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
