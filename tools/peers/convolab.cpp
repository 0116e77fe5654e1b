// SPDX-License-Identifier: MIT
// Convolab on the CPU: `simd` of lab 01 with one thread, `simd_rows` of lab 02 with more; and a copy of
// the same bytes, the lower bound. Also the picture and the filters for all peers.
#include "tools/peers/convolab.hpp"

#include <algorithm>
#include <thread>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/measurement/machine.hpp"
#include "common/media/scene.hpp"
#include "labs/01_sequential/variants.hpp"
#include "labs/02_pthread/variants.hpp"

namespace peer {
namespace {

class Convolab final : public Contender {
  public:
    explicit Convolab(const PeerJob& job)
        : image_(image_of(job)),
          job_{{&image_}, filter_of(job), {convolab::BorderRule::replicate}, {}} {
        job_.settings.threads = job.threads;
        const auto& variant = job.threads == 1 ? convolab::simd : convolab::simd_rows;
        convolver_ = convolab::make_convolver(variant, job_);
    }
    void run() override { convolver_->run(); }
    void output(std::uint8_t* samples) override { copy_out(convolver_->result(), samples); }

  private:
    convolab::Image image_;
    convolab::Job job_;
    std::unique_ptr<convolab::Convolver> convolver_;
};

/// memcpy, one part per thread. All threads but the first are created in each run.
class Copy final : public Contender {
  public:
    explicit Copy(const PeerJob& job)
        : from_(job.pixels, job.pixels + bytes(job)), to_(from_.size()), threads_(job.threads) {}
    void run() override {
        std::vector<std::thread> others;
        for (int i = 1; i < threads_; ++i) others.emplace_back([this, i] { part(i); });
        part(0);
        for (auto& thread : others) thread.join();
    }
    void output(std::uint8_t* samples) override { std::copy(to_.begin(), to_.end(), samples); }

  private:
    void part(int i) {
        const std::size_t first = from_.size() * i / threads_;
        const std::size_t last = from_.size() * (i + 1) / threads_;
        std::memcpy(to_.data() + first, from_.data() + first, last - first);
    }
    std::vector<std::uint8_t> from_, to_;
    int threads_;
};

}  // namespace

const char* functions() { return "ours,memcpy"; }
std::string version() { return "01_sequential simd, 02_pthread simd_rows"; }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    if (function == "memcpy") return std::make_unique<Copy>(job);
    return std::make_unique<Convolab>(job);
}

}  // namespace peer

PEER_C void convolab_scene(int width, int height, std::uint8_t* samples) {
    peer::copy_out(convolab::draw_scene(width, height), samples);
}
/// The K taps of the project's Gaussian, divided by their greatest common divisor; sigma 0: the
/// default for this K.
PEER_C void convolab_gaussian(int ksize, double sigma, int* row) {
    const auto row_taps =
        sigma > 0 ? convolab::gaussian_taps(ksize, sigma) : convolab::gaussian_taps(ksize);
    int common = 0;
    for (const int tap : row_taps) common = std::__gcd(common, tap);
    for (int i = 0; i < ksize; ++i) row[i] = row_taps[i] / common;
}
/// The K x K taps, row by row, of a filter that is not separable; their divisor is 1.
PEER_C void convolab_edge(int ksize, int* taps) {
    std::ranges::copy(convolab::make_filter("edge", ksize).taps(), taps);
}
PEER_C const char* convolab_revision() { return PEER_REVISION; }
PEER_C const char* convolab_machine() {
    static const std::string name = convolab::machine_name();
    return name.c_str();
}
