// SPDX-License-Identifier: MIT
// lab savings: what each filter and threshold saves of a clip. There is one row for each filter,
// side and threshold: how much still changes from frame to frame, how much quality the filter and
// the stream cost, and how many bytes the stream and FFV1 need for the same filtered frames.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "common/base/atomic_file.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/interrupts.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/ffmpeg.hpp"
#include "common/media/pictures.hpp"
#include "labs/10_noise_filter/commands/clip_filter.hpp"
#include "labs/10_noise_filter/commands/commands.hpp"
#include "labs/10_noise_filter/commands/difference_stream.hpp"

namespace convolab::noise_filter {
namespace {

namespace fs = std::filesystem;

struct SavingsQuestion {
    std::string video;          ///< a clip, as `lab run` takes it
    std::optional<int> length;  ///< frames at most
    std::vector<int> thresholds = {0, 5, 20};
};

const std::vector<std::string> kSavingsColumns = words_of(
    "video width height frames filter ksize threshold changed_pixels changed_samples "
    "filtered_psnr_db received_psnr_db stream_bytes stream_share ffv1_bytes ffv1_share reason");

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

/// How many bytes FFV1, ffmpeg's lossless codec, needs for a clip.
class Ffv1 {
  public:
    explicit Ffv1(const VideoFormat& format) {
        std::string folder = (fs::temp_directory_path() / "convolab_ffv1_XXXXXX").string();
        if (::mkdtemp(folder.data()) == nullptr)
            throw Error("Folder '" + folder + "' cannot be made; name another with TMPDIR.");
        clip_ = fs::path(folder) / "clip.mkv";
        sink_ = open_encoder("FFV1", "-c:v ffv1 -level 3 -pix_fmt bgr0", clip_.string(),
                             {format.width, format.height, {}});
    }
    ~Ffv1() {
        sink_.reset();
        std::error_code ignored;
        fs::remove_all(clip_.parent_path(), ignored);
    }
    Ffv1(const Ffv1&) = delete;
    Ffv1& operator=(const Ffv1&) = delete;

    void write(const Image& frame) try {
        if (skipped_.empty()) sink_->write(frame);
    } catch (const Skipped& why) {
        skipped_ = why.what();
    }
    /// The size of the file, including the bytes of its format; 0 if it was skipped.
    std::int64_t finish() {
        if (!skipped_.empty()) return 0;
        sink_->finish();
        return static_cast<std::int64_t>(fs::file_size(clip_));
    }
    /// Why, because there is no ffmpeg; empty if it was not.
    const std::string& skipped() const { return skipped_; }

  private:
    std::string skipped_;
    fs::path clip_;
    std::unique_ptr<FrameSink> sink_;
};

/// One row per threshold: the share of pixels and samples that change from frame to frame, PSNR in
/// decibels ("" if the frames are equal), and the bytes of the stream and of FFV1 for the same
/// frames. It reads the clip once. filter: "none" or a filter of this lab. Returns no rows if
/// interrupted.
std::vector<Row> savings_rows(const SavingsQuestion& question, const std::string& filter,
                              int ksize) {
    const auto source = open_clip(question.video, question.length);
    const VideoFormat format = source->format();
    ClipFilter frames(*source, filter, ksize);
    std::vector<Stream> streams;
    for (const int threshold : question.thresholds) streams.emplace_back(format, threshold);
    Ffv1 ffv1(format);
    SquaredError filtered;
    Image previous;
    std::int64_t n = 0;
    for (; (!question.length || n < *question.length) && frames.next(); ++n) {
        if (interrupted()) return {};
        filtered.add(frames.filtered(), frames.unfiltered());
        for (Stream& stream : streams) stream.add(frames, previous);
        ffv1.write(frames.filtered());
        previous = frames.filtered().copy();
    }
    const std::int64_t pixels = format.width * format.height, raw = 3 * pixels * n;
    const std::int64_t ffv1_bytes = ffv1.finish();
    const bool has_ffv1 = ffv1.skipped().empty();
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
                        {"ffv1_bytes", has_ffv1 ? std::to_string(ffv1_bytes) : ""},
                        {"ffv1_share", has_ffv1 ? share(ffv1_bytes, raw) : ""},
                        {"reason", ffv1.skipped()}});
    }
    return rows;
}

std::string percent(const std::string& share) {
    if (share.empty()) return "-";
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << 100 * std::stod(share) << " %";
    return text.str();
}

void print(const std::vector<std::string>& cells) {
    const int widths[] = {9, 3, 10, 11, 11, 12, 12, 10, 10};
    for (std::size_t i = 0; i < cells.size(); ++i)
        std::cout << (i == 0 ? std::left : std::right) << std::setw(widths[i]) << cells[i];
    std::cout << std::endl;
}

void print(const Row& row) {
    const auto decibels = [](const std::string& psnr) { return psnr.empty() ? "exact" : psnr; };
    print({row.at("filter"), row.at("ksize"), row.at("threshold"),
           percent(row.at("changed_pixels")), percent(row.at("changed_samples")),
           decibels(row.at("filtered_psnr_db")), decibels(row.at("received_psnr_db")),
           percent(row.at("stream_share")), percent(row.at("ffv1_share"))});
}

}  // namespace

int savings_command(int argc, char** argv) {
    SavingsQuestion question;
    std::vector<std::string> filters = {"none", "box", "gaussian", "median"};
    std::vector<int> ksizes = {3, 5, 7, 9};
    std::string csv;
    question.video = "moving";
    const auto numbers = [](std::vector<int>& to, const std::string& name, int least, int most) {
        return [=, &to](const std::vector<std::string>& texts) {
            to.clear();
            for (const auto& text : texts) to.push_back(whole_number(text, name, least, most));
        };
    };
    const bool read = read_options(
        argc, argv,
        "What filters and thresholds save: changes from frame to frame, quality, and the bytes of "
        "the difference stream and of FFV1, ffmpeg's lossless codec, for the same frames.",
        {text_option("--video",
                     "a clip, as `lab run` takes it; read once per filter (default: moving)",
                     question.video),
         number_option("--length", "frames of the clip at most", 1, 1'000'000'000,
                       [&](int length) { question.length = length; }),
         {"--filter", "none, box, gaussian, median (default: all)",
          [&](const std::vector<std::string>& texts) { filters = texts; }, true},
         {"--ksize", "sides of the filters (default: 3,5,7,9)",
          numbers(ksizes, "--ksize", 1, 65536), true},
         {"--threshold", "thresholds (default: 0,5,20)",
          numbers(question.thresholds, "--threshold", 0, 255), true},
         text_option("--csv", "write the rows to this file", csv)});
    if (!read) return 0;
    if (csv == "-")
        throw UsageError("Option --csv: rows go to a file, not to standard output; name one.");
    if (!csv.empty()) require_writable(csv);
    catch_interrupts();
    print({"filter", "K", "threshold", "pixels", "samples", "filtered dB", "received dB", "stream",
           "FFV1"});
    std::string text = csv_line(kSavingsColumns), reason;
    for (const auto& filter : filters)
        for (const int ksize : filter == "none" ? std::vector{0} : ksizes) {
            const auto rows = savings_rows(question, filter, ksize);
            if (rows.empty()) return interrupted_exit_code();
            for (const Row& row : rows) {
                print(row);
                std::vector<std::string> fields;
                for (const auto& column : kSavingsColumns) fields.push_back(row.at(column));
                text += csv_line(fields);
                reason = row.at("reason");
            }
        }
    std::cout
        << "pixels, samples: the share that differs from the frame before by more than the "
           "threshold; dB: PSNR against the clip; stream, FFV1: share of the frames' bytes.\n";
    if (!reason.empty()) std::cout << "FFV1 was skipped: " << reason << '\n';
    if (!csv.empty()) write_whole_file(csv, text.data(), text.size());
    return 0;
}

}  // namespace convolab::noise_filter
