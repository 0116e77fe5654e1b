// SPDX-License-Identifier: MIT
// When verify fails: if outputs differ, if a variant was compared with nothing, or if it does not
// support a job but does not name the limit. And what it prints about unsupported jobs.
#include <atomic>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/isa.hpp"
#include "common/driver/run_lab.hpp"
#include "common/driver/verify.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/media/png.hpp"
#include "tests/catch.hpp"
#include "tests/kit.hpp"

namespace convolab {
namespace {

Tally identical() {
    Tally tally;
    tally.jobs = tally.samples = 1;
    return tally;
}

Tally refused(bool for_a_library) {
    Tally tally;
    tally.jobs = tally.unsupported = 1;
    tally.without_library = for_a_library ? 1 : 0;
    tally.refusal = for_a_library ? "a library is missing" : "the image is too wide";
    return tally;
}

/// How many variants count as failed, each with two jobs.
int failed(const std::vector<std::pair<Tally, Tally>>& of_variants) {
    const Lab lab{.name = "lab", .variants = {}, .backend = &cpu_backend()};
    const std::vector<Variant> variants(of_variants.size());
    std::vector<const Variant*> pointers;
    for (const Variant& variant : variants) pointers.push_back(&variant);
    Tallies tallies(lab, pointers, {make_filter("box", 3)});
    for (std::size_t v = 0; v < of_variants.size(); ++v) {
        tallies.at(v, 0, 0) = of_variants[v].first;
        tallies.at(v, 0, 1) = of_variants[v].second;
    }
    return tallies.print(true);
}

/// What `work` prints.
template <class Work>
std::string printed(const Work& work) {
    std::ostringstream text;
    std::streambuf* terminal = std::cout.rdbuf(text.rdbuf());
    work();
    std::cout.rdbuf(terminal);
    return text.str();
}

/// The reference's output, but nothing for pictures under 50 pixels wide.
template <class Refusal>
struct TooNarrow final : Convolver {
    explicit TooNarrow(const Job& job) : output(reference_convolution(job)) {
        if (job.image().width() < 50)
            throw Refusal(std::to_string(job.image().width()) + " pixels are too few.");
    }
    void run() override {}
    const Image& result() override { return output; }
    void poison() override {}
    Image output;
};

/// The exit code of verify, and what it prints.
std::pair<int, std::string> printed_by_verify(const Lab& lab, std::vector<std::string> options) {
    options.insert(options.begin(), {"build/lab", "verify"});
    std::vector<char*> arguments;
    for (std::string& option : options) arguments.push_back(option.data());
    arguments.push_back(nullptr);
    int code = 0;
    const std::string text = printed(
        [&] { code = run_lab_here(static_cast<int>(options.size()), arguments.data(), lab); });
    return {code, text};
}

/// The result of verify for a variant that does not support two of three pictures.
template <class Refusal>
std::pair<int, std::string> verify_refusals() {
    const Variant narrow{.name = "narrow", .idea = "", .make = [](const Job& job) {
                             return std::make_unique<TooNarrow<Refusal>>(job);
                         }};
    return printed_by_verify({"lab", {&narrow}, &cpu_backend()}, {"--size", "60x4,40x4,30x4"});
}

}  // namespace

TEST_CASE("verify: a variant that lacks a library is no failure if others were compared") {
    const std::pair same{identical(), identical()};
    CHECK(failed({same}) == 0);
    CHECK(failed({same, {refused(false), refused(false)}}) == 1);
    CHECK(failed({same, {refused(true), refused(true)}}) == 0);
    CHECK(failed({same, {refused(false), refused(true)}}) == 0);
    CHECK(failed({same, {identical(), refused(true)}}) == 0);
    CHECK(failed({{refused(true), refused(true)}}) == 1);
    CHECK(failed({{refused(true), refused(true)}, {refused(false), refused(false)}}) == 1);
}

TEST_CASE(
    "verify: text and picture of two frames that differ name no filter; a command repeats it") {
    const test::Folder folder;
    struct Black final : Convolver {
        explicit Black(const Job& job) : output(job.image().width(), job.image().height(), 3) {}
        void run() override {}
        void poison() override {}
        const Image& result() override { return output; }
        Image output;
    };
    const Variant black{.name = "black", .idea = "", .make = [](const Job& job) {
                            return std::make_unique<Black>(job);
                        }};
    Lab lab{.name = "lab", .variants = {&black}, .backend = &cpu_backend()};
    lab.operation.frames = 2;
    lab.operation.has_filter = false;
    const std::string sizes =
        printed_by_verify(lab, {"--size", "60x16,64x8", "--pictures", folder.path}).second;
    CHECK(sizes.find(
              "black FAILED, first: moving:60x16, 3 channels, uint8, interleaved: at (0, 0) ") !=
          std::string::npos);
    CHECK(sizes.find("again: build/lab verify --variant black --size 60x16,64x8\n") !=
          std::string::npos);
    CHECK(std::filesystem::exists(
        folder.file("lab_black_moving_60x16_3_channels_uint8_interleaved.png")));
    lab.operation.has_filter = true;
    lab.operation.has_border = false;
    lab.operation.filters = {"gaussian"};
    const std::string quick = printed_by_verify(lab, {"--quick"}).second;
    CHECK(quick.find("FAILED, first: gaussian 3x3, random:1x1:1, 3 channels") != std::string::npos);
    CHECK(quick.find("again: build/lab verify --variant black --quick\n") != std::string::npos);
}

TEST_CASE("verify prints how many jobs a variant does not support, one line for each reason") {
    const auto [code, text] = verify_refusals<Unsupported>();
    CHECK(code == 0);
    CHECK(text.find("unsupported: narrow 2: 30 pixels are too few.\n") != std::string::npos);
    CHECK(text.ends_with("\nlab: 1 variant, 1 comparison, all identical; 2 unsupported\n"));
}

TEST_CASE("verify --brief prints one line for the lab, and what failed") {
    const auto print = [](const Tally& first, const Tally& second) {
        const Variant one{.name = "one", .idea = ""}, two{.name = "two", .idea = ""};
        const Lab lab{.name = "lab", .variants = {}, .backend = &cpu_backend()};
        Tallies tallies(lab, {&one, &two}, {make_filter("box", 3)});
        tallies.at(0, 0, 0) = first;
        tallies.at(1, 0, 0) = second;
        return printed([&] { tallies.print(true); });
    };
    Tally wrong = identical();
    wrong.failed = 1;
    wrong.first = 0;
    wrong.failure = "a job: it differs";
    wrong.repeat = "call";
    CHECK(print(identical(), identical()) == "lab: 2 variants, 2 comparisons, all identical\n");
    CHECK(print(identical(), refused(true)) ==
          "lab: 2 variants, 1 comparison, all identical; 1 unsupported\n"
          "    two not compared, a library is missing\n");
    CHECK(print(identical(), wrong) ==
          "lab: 2 variants, 2 comparisons, 1 identical, 1 failed\n"
          "    two FAILED, first: a job: it differs\n    again: call\n");
}

TEST_CASE("a row of verify says why a part of its jobs was not possible") {
    const Variant one{.name = "one", .idea = ""};
    const Lab lab{.name = "lab", .variants = {}, .backend = &cpu_backend()};
    Tallies tallies(lab, {&one}, {make_filter("box", 3)});
    tallies.at(0, 0, 0) = identical();
    tallies.at(0, 0, 0) += refused(false);
    const Row row = tallies.rows().at(0);
    CHECK(row.at("status") == "ok");
    CHECK(row.at("reason") == "the image is too wide");
}

TEST_CASE("verify: a limit that the variant does not name is a failure") {
    const auto [code, text] = verify_refusals<OverLimit>();
    CHECK(code == 1);
    CHECK(text.find("40 pixels are too few.\n") != std::string::npos);
    CHECK(text.find("unsupported: ") == std::string::npos);
}

TEST_CASE("verify tries each instruction set that a variant can choose, and names the wrong one") {
    choose_isa();
    const std::vector<Isa> others = isas_not_chosen();
    if (others.empty()) SKIP_TEST("this machine has, or CONVOLAB_ISA names, one instruction set");
    struct WrongInOne final : Convolver {
        explicit WrongInOne(const Job& job)
            : output(reference_convolution(job)), is_wrong(choose_isa() == Isa::plain) {}
        void run() override {}
        void poison() override {}
        const Image& result() override {
            if (is_wrong) output.poison();
            return output;
        }
        Image output;
        bool is_wrong;
    };
    const Variant wrong{.name = "wrong", .idea = "", .make = [](const Job& job) {
                            return std::make_unique<WrongInOne>(job);
                        }};
    const auto [code, text] =
        printed_by_verify({"lab", {&wrong}, &cpu_backend()}, {"--size", "60x4"});
    CHECK(code == 1);
    CHECK(text.find("uint8, interleaved, CONVOLAB_ISA=plain: at (0, 0) ") != std::string::npos);
    CHECK(text.find("again: CONVOLAB_ISA=plain build/lab run --variant wrong ") !=
          std::string::npos);
    CHECK(choose_isa() != Isa::plain);
}

TEST_CASE("verify leaves a variant out that has failed often, and continues with the others") {
    static std::atomic<int> tried;
    tried = 0;
    const Variant wrong{
        .name = "wrong", .idea = "", .make = [](const Job&) -> std::unique_ptr<Convolver> {
            ++tried;
            throw Error("It cannot start.");
        }};
    const Variant right{.name = "right", .idea = "", .make = [](const Job& job) {
                            return std::make_unique<TooNarrow<Unsupported>>(job);
                        }};
    const auto [code, text] =
        printed_by_verify({"lab", {&wrong, &right}, &cpu_backend()}, {"--quick"});
    CHECK(code == 1);
    CHECK(tried >= kEnoughFailures);
    CHECK(tried < kEnoughFailures + 256);  // other threads were at work
    CHECK(text.find("wrong FAILED, first: ") != std::string::npos);
    CHECK(text.find("after " + std::to_string(tried) +
                    " failures its other jobs were left out\n") != std::string::npos);
    CHECK(text.find("4099x4099\n") != std::string::npos);  // the largest picture, of `right`
}

TEST_CASE("verify draws differences that one can look at") {
    struct Wrong final : Convolver {
        Wrong(const Job& job, std::int64_t most) : output(reference_convolution(job)) {
            if (job.image().width() <= most) output.poison();
        }
        void run() override {}
        const Image& result() override { return output; }
        void poison() override {}
        Image output;
    };
    const auto drawn = [](std::int64_t most) {
        const Variant wrong{.name = "wrong", .idea = "", .make = [=](const Job& job) {
                                return std::make_unique<Wrong>(job, most);
                            }};
        const test::Folder folder;
        printed_by_verify({"lab", {&wrong}, &cpu_backend()},
                          {"--quick", "--pictures", folder.file("pictures")});
        std::vector<Size> sizes;
        if (std::filesystem::exists(folder.file("pictures")))
            for (const auto& one : std::filesystem::directory_iterator(folder.file("pictures"))) {
                const Image picture = read_png(one.path()).colour;
                sizes.push_back({"", picture.width(), picture.height()});
            }
        return sizes;
    };
    CHECK(drawn(15).empty());
    const auto sizes = drawn(1 << 20);
    REQUIRE(!sizes.empty());
    for (const Size& size : sizes) CHECK((size.width >= 16 && size.height >= 16));
}

}  // namespace convolab
