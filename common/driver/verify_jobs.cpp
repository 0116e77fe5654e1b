// SPDX-License-Identifier: MIT
// lab verify: one job of one variant, with each instruction set, and the message if it fails.
#include <cctype>
#include <filesystem>
#include <iostream>
#include <new>

#include "common/base/error.hpp"
#include "common/base/isa.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/supervisor.hpp"
#include "common/driver/verify.hpp"
#include "common/media/png.hpp"

namespace convolab {
namespace {

constexpr int kMaximumPictures = 5;             // of failures, per variant
constexpr std::int64_t kLargePixels = 1 << 20;  // above it the memory is asked for first
constexpr std::int64_t kMostPixelsOfEachIsa = 10000;

/// Ends the description of a job before the name of an instruction set that was asked for.
constexpr const char* kIsa = ", CONVOLAB_ISA=";

std::string without_isa(const std::string& text) { return text.substr(0, text.find(kIsa)); }
/// In front of a command: "CONVOLAB_ISA=avx2 ", or nothing.
std::string isa_for_the_shell(const std::string& text) {
    const auto at = text.find(kIsa);
    return at == std::string::npos ? "" : text.substr(at + 2) + ' ';
}

}  // namespace

std::optional<Tally> VerifyJobs::compare(const Variant& variant, const Job& job,
                                         const std::string& picture,
                                         const std::function<const Expected&()>& expected) {
    std::string text = describe(lab_.operation, variant, job, picture);
    Tally tally;
    tally.jobs = 1;
    std::string failed;
    if (const auto before = earlier_failure(variant.name)) {
        if (without_isa(before->job) != text) return {};
        text = before->job;
        failed = "it " + before->how;
    } else {
        failed = run_each_isa(variant, job, text, expected(), tally);
    }
    if (failed.empty()) return tally;
    tally.failed = 1;
    tally.failure = text + ": " + failed;
    tally.repeat = isa_for_the_shell(text);
    tally.repeat += lab_.operation.frames == 1  // what `lab run` can do
                        ? repeat_command(options_.program, variant, job, picture)
                        : repeat_command(options_, variant);
    return tally;
}

std::string VerifyJobs::run_each_isa(const Variant& variant, const Job& job, std::string& text,
                                     const Expected& expected, Tally& tally) {
    isas_not_chosen();  // what other variants have left
    std::string failed = run(variant, job, text, expected, tally);
    const bool is_left_out = job.image().pixels() > kMostPixelsOfEachIsa ||
                             variant.uses & kUsesRanks;  // ranks are other processes
    for (const Isa isa : isas_not_chosen()) {
        if (!failed.empty() || is_left_out) break;
        const IsaOfThread here(isa);
        Tally again;
        const std::string with_isa = text + kIsa + to_string(isa);
        failed = run(variant, job, with_isa, expected, again);
        if (failed.empty()) continue;
        tally.different += again.different;
        text = with_isa;
    }
    return failed;
}

std::string VerifyJobs::run(const Variant& variant, const Job& job, const std::string& text,
                            const Expected& expected, Tally& tally) {
    const double k = job.filter.ksize();
    const double taps =
        static_cast<double>(job.image().samples()) * k * k * filters_of(variant, job.settings);
    const RunningVariant running(variant.name, text, options_.limit_s(slow_run_s(taps)));
    try {
        if (job.image().pixels() > kLargePixels) require_memory(lab_, variant, job);
        const auto convolver = make_convolver(variant, job);
        const Image& result = output_of(*convolver);
        const Comparison comparison = convolab::compare(result, expected);
        tally.samples = comparison.samples;
        tally.different = comparison.different;
        if (!comparison.identical()) {
            draw_failure(variant, text, result, *expected.image);
            return describe(comparison);
        }
        tally.largest_width = job.image().width();
        tally.largest_height = job.image().height();
    } catch (const MissingLibrary& why) {
        tally.refuse(why.what());
        tally.without_library = 1;
    } catch (const OverLimit& why) {
        return why.what();
    } catch (const Unsupported& why) {
        tally.refuse(why.what());
    } catch (const Skipped& why) {
        tally.jobs = 0;
        tally.refusal = why.what();
        say_not_compared(why.what());
    } catch (const std::bad_alloc&) {
        return "the machine has not enough memory";
    } catch (const std::exception& why) {
        if (!lab_.backend_of(variant).works())
            start_again_without(variant.name, text, std::string("failed (") + why.what() + ")");
        return why.what();
    } catch (...) {
        return kNoException;
    }
    return "";
}

void VerifyJobs::draw_failure(const Variant& variant, const std::string& text, const Image& result,
                              const Image& expected) {
    if (options_.pictures.empty() || !shows_a_pattern(result)) return;
    const std::scoped_lock lock(mutex_);
    if (drawn_[variant.name]++ >= kMaximumPictures) return;
    std::string name;
    for (const char c : lab_.name + ' ' + variant.name + ' ' + text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            name += c;
        else if (!name.ends_with('_'))
            name += '_';
    const std::string path = options_.pictures + '/' + name + ".png";
    try {
        std::filesystem::create_directories(options_.pictures);
        write_png(path, difference_picture(result, expected));
        std::cerr << "difference picture: " << path << '\n';
    } catch (const std::exception& why) {  // the comparison counts without it
        std::cerr << "no difference picture: " << why.what() << '\n';
    }
}

void VerifyJobs::say_not_compared(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    if (said_.insert(why).second) std::cerr << lab_.name << ": not compared: " << why << '\n';
}

}  // namespace convolab
