// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/commands/clip_savings.hpp"

#include <cmath>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/video/pictures.hpp"
#include "labs/10_noise_filter/commands/clip_filter.hpp"
#include "labs/10_noise_filter/commands/difference_stream.hpp"
#include "labs/10_noise_filter/commands/ffv1.hpp"

namespace convolab::noise_filter {
namespace {

/// Adds up the squared errors of samples.
class SquaredError {
  public:
    void add(const Image& a, const Image& b) {
        const auto *x = a.data<std::uint8_t>(), *y = b.data<std::uint8_t>();
        for (std::int64_t i = 0; i < a.samples(); ++i) sum_ += (x[i] - y[i]) * (x[i] - y[i]);
        samples_ += a.samples();
    }
    /// Decibels, or "" if nothing differs, because it is infinite then.
    std::string psnr() const {
        if (sum_ == 0) return "";
        const double mean = static_cast<double>(sum_) / static_cast<double>(samples_);
        return to_decimal(std::round(1000 * std::log10(255 * 255 / mean)) / 100);
    }

  private:
    std::int64_t sum_ = 0, samples_ = 0;
};

/// One row: one threshold, for the frames of one filter.
struct Stream {
    Stream(const VideoFormat& format, int threshold)
        : threshold(threshold), encoder(format, threshold) {
        encoder.head();
    }
    void add(const ClipFilter& frames, const Image& previous) {
        encoder.frame(frames.filtered());
        received.add(encoder.receiver(), frames.unfiltered());
        if (encoder.frames() == 1) return;
        const auto *a = previous.data<std::uint8_t>(), *b = frames.filtered().data<std::uint8_t>();
        for (std::int64_t i = 0; i < previous.samples(); i += 3) {
            int changed = 0;
            for (int c = 0; c < 3; ++c) changed += std::abs(a[i + c] - b[i + c]) > threshold;
            changed_samples += changed;
            changed_pixels += changed > 0;
        }
    }

    int threshold;
    DifferenceEncoder encoder;
    SquaredError received;
    std::int64_t changed_pixels = 0, changed_samples = 0;
};

std::string share(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? "" : to_decimal(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::vector<Row> savings_rows(const SavingsQuestion& question, const std::string& filter,
                              int ksize) {
    const auto source = open_clip(question.video, question.length);
    const VideoFormat format = source->format();
    ClipFilter frames(*source, filter, ksize);
    std::vector<Stream> streams;
    for (const int threshold : question.thresholds) streams.emplace_back(format, threshold);
    std::optional<Ffv1> ffv1;
    std::string reason;
    try {
        ffv1.emplace(format);
    } catch (const Skipped& why) {
        reason = why.what();
    }
    SquaredError filtered;
    Image previous;
    std::int64_t n = 0;
    for (; (!question.length || n < *question.length) && frames.next(); ++n) {
        if (interrupted()) return {};
        filtered.add(frames.filtered(), frames.unfiltered());
        for (Stream& stream : streams) stream.add(frames, previous);
        if (ffv1) ffv1->write(frames.filtered());
        previous = frames.filtered().copy();
    }
    const std::int64_t pixels = format.width * format.height, raw = 3 * pixels * n;
    const std::int64_t ffv1_bytes = ffv1 ? ffv1->finish() : 0;
    std::vector<Row> rows;
    for (Stream& stream : streams) {
        stream.encoder.end();
        rows.push_back({{"video", question.video},
                        {"width", std::to_string(format.width)},
                        {"height", std::to_string(format.height)},
                        {"frames", std::to_string(n)},
                        {"filter", filter},
                        {"ksize", filter == "none" ? "" : std::to_string(ksize)},
                        {"threshold", std::to_string(stream.threshold)},
                        {"changed_pixels", share(stream.changed_pixels, pixels * (n - 1))},
                        {"changed_samples", share(stream.changed_samples, 3 * pixels * (n - 1))},
                        {"filtered_psnr_db", filtered.psnr()},
                        {"received_psnr_db", stream.received.psnr()},
                        {"stream_bytes", std::to_string(stream.encoder.bytes())},
                        {"stream_share", share(stream.encoder.bytes(), raw)},
                        {"ffv1_bytes", ffv1 ? std::to_string(ffv1_bytes) : ""},
                        {"ffv1_share", ffv1 ? share(ffv1_bytes, raw) : ""},
                        {"reason", reason}});
    }
    return rows;
}

}  // namespace convolab::noise_filter
