// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/commands/difference_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "tests/difference_kit.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::noise_filter;
using namespace convolab::test;

namespace {

void write_stream(const std::string& path, const std::vector<Image>& frames, int threshold) {
    const VideoFormat format{frames.front().width(), frames.front().height(), {30000, 1001}};
    DifferenceSink sink(path, format, threshold);
    for (const auto& frame : frames) sink.write(frame);
    sink.finish();
}

std::vector<Image> clip(const char* name, int width, int height, int frames) {
    return all_frames(*open_source(name, {.width = width, .height = height, .frames = frames}));
}

int largest_difference(const Image& a, const Image& b) {
    int largest = 0;
    for (std::int64_t i = 0; i < a.samples(); ++i)
        largest =
            std::max(largest, std::abs(a.data<std::uint8_t>()[i] - b.data<std::uint8_t>()[i]));
    return largest;
}

/// Every sample rises by one per frame, far less than any threshold between two frames.
std::vector<Image> slow_change(int frames) {
    std::vector<Image> all;
    for (int n = 0; n < frames; ++n) {
        Image frame(9, 7, 3);
        for (std::int64_t i = 0; i < frame.samples(); ++i)
            frame.data<std::uint8_t>()[i] =
                static_cast<std::uint8_t>(std::min<std::int64_t>(n + i / 5, 255));
        all.push_back(std::move(frame));
    }
    return all;
}

}  // namespace

TEST_CASE("difference stream: with threshold 0 the frames come back identical") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    std::vector<std::vector<Image>> clips;
    clips.push_back(clip("moving", 97, 41, 7));
    clips.push_back(clip("static", 64, 48, 4));
    clips.push_back(clip("black", 33, 17, 3));
    clips.push_back(list(noise_frame(1, 1, 1), noise_frame(1, 1, 2), noise_frame(1, 1, 3)));
    clips.push_back(list(noise_frame(1, 9, 1)));
    clips.push_back(
        list(Image(300, 100, 3), Image(300, 100, 3), noise_frame(300, 100, 1), Image(300, 100, 3)));
    Image last(40000, 1, 3);  // counts of three bytes
    last.set_value(39999, 0, 2, 1);
    clips.push_back(list(Image(40000, 1, 3), Image(40000, 1, 3), std::move(last)));
    for (const auto& frames : clips) {
        write_stream(path, frames, 0);
        const auto source = open_difference_source(path);
        CHECK(source->format().rate.numerator == 30000);
        CHECK(source->format().rate.denominator == 1001);
        const auto back = all_frames(*source);
        REQUIRE(back.size() == frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) CHECK(same(back[i], frames[i]));
        Image none;
        CHECK_FALSE(source->next(none));  // again
    }
}

TEST_CASE("difference stream: the difference never passes the threshold, however slow the change") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    for (const int threshold : {0, 1, 5, 20, 255})
        for (const auto& frames :
             {slow_change(200), clip("moving", 64, 36, 30), clip("panning", 32, 18, 20)}) {
            INFO("threshold " << threshold);
            write_stream(path, frames, threshold);
            const auto back = all_frames(*open_difference_source(path));
            REQUIRE(back.size() == frames.size());
            int largest = 0;
            for (std::size_t i = 0; i < frames.size(); ++i)
                largest = std::max(largest, largest_difference(back[i], frames[i]));
            CHECK(largest <= threshold);
        }
    // If it compared with the last original frame, it would never send anything, and would drift.
    const auto frames = slow_change(200);
    for (std::size_t i = 1; i < frames.size(); ++i)
        CHECK(largest_difference(frames[i - 1], frames[i]) <= 1);
    CHECK(largest_difference(frames.front(), frames.back()) >= 199);
}

TEST_CASE("difference stream: the encoder knows what the receiver shows, and counts") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    const auto frames = clip("moving", 64, 36, 12);
    DifferenceSink sink(path, {64, 36, {}}, 20);
    for (const auto& frame : frames) sink.write(frame);
    sink.finish();
    const auto back = all_frames(*open_difference_source(path));
    CHECK(same(back.back(), sink.encoder().receiver()));
    CHECK(sink.encoder().bytes() == static_cast<std::int64_t>(slurp(path).size()));
    std::int64_t changed = 0;
    for (std::size_t i = 1; i < back.size(); ++i)
        for (std::int64_t p = 0; p < back[i].pixels(); ++p)
            changed += std::memcmp(back[i].raw() + 3 * p, back[i - 1].raw() + 3 * p, 3) != 0;
    CHECK(sink.encoder().sent_pixels() == changed);
    CHECK(changed > 0);
}

TEST_CASE("difference stream: the bytes are as the header of difference_stream.hpp says") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    Image first(200, 1, 3), second(200, 1, 3);
    first.set_value(0, 0, 0, 7);
    second.set_value(0, 0, 0, 7);
    for (int c = 0; c < 3; ++c) second.set_value(131, 0, c, 10 + c);
    second.set_value(132, 0, 1, 6);
    second.set_value(199, 0, 2, 5);  // not over the threshold
    write_stream(path, list(std::move(first), std::move(second)), 5);

    std::vector<std::string> parts(4);
    parts[0] = "CVLBDIF1" + number(200) + number(1) + number(30000) + number(1001) + number(5);
    parts[1] = number(600) + '\7' + std::string(599, '\0');
    parts[2] = number(3 + 6) + std::string{'\x83', '\1', '\2', 10, 11, 12, 0, 6, 0};
    parts[3] = number(0xFFFFFFFFU);
    CHECK(slurp(path) == with_checks(parts));
}

TEST_CASE("difference stream: no frame is longer than the bound that the reader believes") {
    const Folder folder;
    for (const int run : {1, 2, 127, 128, 16383, 16384, 16385}) {
        Image before(400000, 1, 3), after(400000, 1, 3);
        for (int x = 0; x < 400000; ++x)
            if (x % (run + 1) != run) after.set_value(x, 0, 1, 200);
        DifferenceEncoder encoder({400000, 1, {}}, 0);
        encoder.head();
        encoder.frame(before);
        CHECK(static_cast<std::int64_t>(encoder.frame(after).size()) - 8 <=
              longest_difference(400000));
    }
}

TEST_CASE("difference stream: cut anywhere, it gives its whole frames, then one sentence") {
    const Folder folder;
    const std::string path = folder.file("x.dif"), cut = folder.file("cut.dif");
    const auto frames = clip("moving", 16, 9, 4);
    write_stream(path, frames, 3);
    const std::string whole = slurp(path);
    const auto parts = parts_of(whole);
    REQUIRE(parts.size() == 6);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        spill(cut, whole.substr(0, size));
        std::string error;
        std::vector<Image> back;
        const std::string refused =
            refusal([&] { back = all_frames(*open_difference_source(cut), &error); });
        std::size_t end = 0, n = 0;
        while (n < parts.size() && end + parts[n].size() + 4 <= size) end += parts[n++].size() + 4;
        CHECK(back.size() == (n == 0 ? 0 : n - 1));
        if (size < 28)
            says(refused, {cut, "not a difference stream"});
        else
            says(refused + error, {cut, "is cut", std::to_string(back.size()) + " frames"});
    }
}

TEST_CASE("difference stream: what is no stream, and impossible sizes, are errors") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    const auto refused = [&](const std::vector<std::string>& parts) {
        spill(path, with_checks(parts));
        return refusal([&] {
            const auto source = open_difference_source(path);
            for (Image frame; source->next(frame);) {
            }
        });
    };
    const auto head = [](std::uint32_t width, std::uint32_t height, std::uint32_t threshold = 0,
                         std::uint32_t rate = 25) {
        return "CVLBDIF1" + number(width) + number(height) + number(rate) + number(1) +
               number(threshold);
    };
    const std::string end = number(0xFFFFFFFFU), black = number(12) + std::string(12, '\0');
    says(refused({head(65536, 1)}), {path, "65536x1"});
    says(refused({head(0, 1)}), {path, "0x1"});
    says(refused({head(65535, 65535)}), {path, "samples in all"});
    says(refused({head(2, 2, 256)}), {path, "threshold"});
    says(refused({head(2, 2, 0, 0)}), {path, "frame rate"});
    says(refused({head(13000, 13000), number(507000000) + "few"}), {path, "ends within a frame"});
    says(refused({head(2, 2), number(11) + std::string(11, '\0')}), {path, "length"});
    says(refused({head(2, 2), black, number(29) + std::string(29, '\0')}), {path, "length"});
    says(refused({head(2, 2), end}), {path, "contains no frames"});
    const auto second = [&](const std::string& body) {
        return refused(
            {head(2, 2), black, number(static_cast<std::uint32_t>(body.size())) + body, end});
    };
    CHECK(second("") == "");
    CHECK(second({'\3', '\1', 1, 2, 3}) == "");
    CHECK(second({'\x83', '\x80', '\0', '\1', 1, 2, 3}) == "");  // a long way to say 3
    const std::string run = "a run of pixels";
    says(second({'\4', '\1', 1, 2, 3}), {run, "the 1 frames"});  // after the frame
    says(second({'\3', '\2', 1, 2, 3, 4, 5, 6}), {run});
    says(second({'\0', '\0'}), {run});
    says(second({'\0'}), {run});
    says(second({'\0', '\1', 1, 2}), {run});
    says(second({'\xFF', '\xFF', '\xFF', '\xFF', '\xFF', '\xFF', '\1'}), {run});
    says(refusal([&] { open_difference_source(folder.file("missing.dif")); }), {"check the name"});
    spill(path, "YUV4MPEG2 W4 H4 F25:1 C444\nFRAME\n");
    says(refusal([&] { open_difference_source(path); }), {path, "not a difference stream"});
}

TEST_CASE("difference stream: 10,000 damaged streams") {
    const Folder folder;
    const std::string path = folder.file("x.dif");
    std::vector<Image> frames = clip("moving", 8, 5, 4);
    frames.push_back(noise_frame(8, 5, 1));
    write_stream(path, frames, 2);
    const std::string whole = slurp(path);
    const auto right = all_frames(*open_difference_source(path));
    Damage damage(whole);
    int refused = 0, survived = 0;
    for (int i = 0; i < 10'000; ++i) {
        // Every second stream gets matching checksums, because only then does the reader see the
        // damage.
        const bool fitting = i % 2 == 1;
        const std::string bytes = fitting ? damage.with_fitting_checks() : damage.next();
        std::filesystem::remove(path);  // writing over a file is slow on some disks
        spill(path, bytes);
        std::vector<Image> back;
        const std::string error = refusal([&] {
            const auto source = open_difference_source(path);
            for (Image frame; source->next(frame);) back.push_back(frame.copy());
        });
        bool ok = error.empty() || (error.back() == '.' && error.find(path) != std::string::npos);
        if (!fitting) {  // whole frames only, and all of them if there is no error
            ok = ok && back.size() <= right.size() &&
                 (!error.empty() || back.size() == right.size());
            for (std::size_t n = 0; ok && n < back.size(); ++n) ok = same(back[n], right[n]);
        }
        if (!ok) FAIL("damaged stream number " << i << ": " << error);
        (error.empty() ? survived : refused) += 1;
    }
    CHECK(refused > 5'000);
    CHECK(survived > 500);  // other pixels with matching checksums
}

TEST_CASE("difference stream: through a pipe; a full disk") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const auto frames = clip("moving", 64, 36, 5);
    const std::string in = "/dev/fd/" + std::to_string(ends[0]);
    const std::string out = "/dev/fd/" + std::to_string(ends[1]);
    std::thread writer([&] { write_stream(out, frames, 0); });
    const auto back = [&] {
        const auto source = open_difference_source(in);
        std::vector<Image> all;
        for (Image frame; source->next(frame);) all.push_back(frame.copy());
        return all;
    }();
    writer.join();
    REQUIRE(back.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(same(back[i], frames[i]));
    ::close(ends[1]);
    ::close(ends[0]);

    const Folder folder;
    const std::string path = folder.file("x.dif");
    REQUIRE(::symlink("/dev/full", path.c_str()) == 0);
    says(refusal([&] { write_stream(path, frames, 0); }),
         {path, "No space left", "0 whole frames"});
    says(refusal([&] { write_stream("/nowhere/x.dif", frames, 0); }), {"No such file"});
    const std::string other = folder.file("y.dif");
    DifferenceSink(other, {64, 36, {}}, 0).finish();  // without a frame
    CHECK_FALSE(std::filesystem::exists(other));
}
