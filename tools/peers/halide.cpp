// SPDX-License-Identifier: MIT
// Halide (Debian: libhalide14-0-dev). The schedules are written for this comparison and compiled
// before the timing for the machine that runs them. The algorithm is separable and exact: sums of
// 16 bits if they are large enough, else of 32 bits; rounded half up; the border is part of the
// timed work. A row has width * channels samples.
//   line   for each output row: sums down K rows, then along the row; nothing is reused
//   ring   sums along each row first; the last K of these rows are kept for the next output rows
// With T threads the picture is cut into T strips, one per thread.
#include <Halide.h>

#include "tools/peers/peer.hpp"

namespace peer {
namespace {

using namespace Halide;

class Separable final : public Contender {
  public:
    Separable(const std::string& schedule, const PeerJob& job)
        : in_(job.width * job.channels, job.height), out_(job.width * job.channels, job.height) {
        std::memcpy(in_.data(), job.pixels, bytes(job));
        const int radius = job.ksize / 2, divisor = job.divisor;
        const int* row = row_of(job);
        if (job.row_divisor > 256)
            throw std::runtime_error("Row sums of 16 bits need taps <= 256.");
        const Type sum_type = divisor <= 256 ? UInt(16) : UInt(32);  // 255 * 256 + 128 < 2^16
        const int samples = job.width * job.channels;
        const Var x("x"), y("y"), strip("strip"), line("line");
        Func edged("edged"), first("first"), blurred("blurred");
        // Outside the picture: the border pixel of the same channel.
        const Expr channel = x % job.channels;  // not negative: Halide's %
        edged(x, y) = in_(select(x < 0, channel, x >= samples, samples - job.channels + channel,
                                 clamp(likely(x), 0, samples - 1)),
                          clamp(likely(y), 0, job.height - 1));
        const auto summed = [&](const Func& from, const Type& type, Expr sum, bool down) {
            for (int i = -radius; i <= radius; ++i)
                sum += cast(type, down ? from(x, y + i) : from(x + i * job.channels, y)) *
                       cast(type, row[i + radius]);
            return sum;
        };
        const bool ring = schedule == "ring";
        first(x, y) = summed(edged, UInt(16), cast<std::uint16_t>(0), !ring);
        const Expr half = cast(sum_type, divisor / 2);
        blurred(x, y) =
            cast<std::uint8_t>(summed(first, sum_type, half, ring) / cast(sum_type, divisor));

        const int vector = get_jit_target_from_environment().natural_vector_size<std::uint8_t>();
        const int rows = (job.height + job.threads - 1) / job.threads;
        blurred.split(y, strip, line, rows, TailStrategy::GuardWithIf)
            .vectorize(x, vector, TailStrategy::ShiftInwards);
        if (job.threads > 1) blurred.parallel(strip);
        first.compute_at(blurred, line).vectorize(x, vector);
        edged.compute_at(blurred, line).vectorize(x, vector);
        if (ring)
            first.store_at(blurred, strip);
        else
            edged.store_at(blurred, strip);
        function_ = blurred;
        function_.compile_jit();
    }
    void run() override { function_.realize(out_); }
    void output(std::uint8_t* samples) override {
        std::memcpy(samples, out_.data(), out_.size_in_bytes());
    }

  private:
    Buffer<std::uint8_t> in_, out_;
    Func function_;
};

}  // namespace

const char* functions() { return "line,ring"; }
std::string version() {
#ifdef HALIDE_VERSION_MAJOR  // from Halide 15 on
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR);
#else
    return PEER_HALIDE_FOLDER;
#endif
}
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job) {
    return std::make_unique<Separable>(function, job);
}

}  // namespace peer
