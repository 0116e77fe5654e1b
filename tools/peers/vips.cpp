// SPDX-License-Identifier: MIT
// libvips (Debian: libvips-dev): conv, for any filter, and convsep with our taps in integer
// precision, which rounds in its own way and, for convsep, also between the passes. Its border is
// replicate. Each call builds the pipeline and writes a new image in memory, which is how the
// library is used.
#include <vips/vips8>

#include "tools/peers/peer.hpp"

namespace peer {
namespace {

class Vips final : public Contender {
  public:
    Vips(const std::string& function, const PeerJob& job)
        : separable_(function == "convsep"), pixels_(job.pixels, job.pixels + bytes(job)) {
        vips_concurrency_set(job.threads);
        in_ = vips::VImage::new_from_memory(pixels_.data(), pixels_.size(), job.width, job.height,
                                            job.channels, VIPS_FORMAT_UCHAR);
        const int* first = separable_ ? row_of(job) : job.taps;
        const std::vector<double> values(first, first + job.ksize * (separable_ ? 1 : job.ksize));
        taps_ = vips::VImage::new_matrix(job.ksize, separable_ ? 1 : job.ksize,
                                         const_cast<double*>(values.data()),
                                         static_cast<int>(values.size()));
        taps_.set("scale", 1.0 * (separable_ ? job.row_divisor : job.divisor));
    }
    void run() override {
        auto* options = vips::VImage::option()->set("precision", VIPS_PRECISION_INTEGER);
        out_ = separable_ ? in_.convsep(taps_, options) : in_.conv(taps_, options);
        out_ = out_.copy_memory();
    }
    void output(std::uint8_t* samples) override {
        std::memcpy(samples, out_.data(), pixels_.size());
    }

  private:
    bool separable_;
    std::vector<std::uint8_t> pixels_;
    vips::VImage in_, taps_, out_;
};

}  // namespace

const char* functions() { return "convsep,conv"; }
std::string version() { return vips_version_string(); }
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    static const bool failed = VIPS_INIT("peers") != 0;
    if (failed) throw std::runtime_error("libvips could not be initialised.");
    vips_cache_set_max(0);  // else the second call returns the image of the first
    return std::make_unique<Vips>(function, job);
}

}  // namespace peer
