// SPDX-License-Identifier: MIT
// The library on the CPU: it writes every byte of the output and no other. Also allocations,
// threads and mistakes.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <thread>

#include "library/convolab.h"
#include "tests/library/kit.hpp"

namespace {
std::atomic<int> allocations = 0;

void* counted(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
    ++allocations;
    bytes = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, bytes)) return memory;
    throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void* operator new(std::size_t bytes, std::align_val_t to) {
    return counted(bytes, static_cast<std::size_t>(to));
}
void* operator new[](std::size_t bytes, std::align_val_t to) {
    return counted(bytes, static_cast<std::size_t>(to));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace convolab::lib {
namespace {

/// The bytes of a view that ends where its memory ends.
std::int64_t bytes_of(const Size& size, std::int64_t offset, std::int64_t pitch) {
    return offset + (size.height - 1) * pitch + size.row();
}

void check(const Task& task, int threads, std::int64_t offset, std::int64_t gap) {
    const Size size{task.width, task.height, task.channels}, out_size = output_size(task);
    const std::int64_t pitch = size.row() + gap, out_pitch = out_size.row() + gap;
    const auto in = noise(bytes_of(size, offset, pitch), 1);
    const auto before = noise(bytes_of(out_size, offset, out_pitch), 2);
    auto out = before;
    const Cpu plan(task, threads);
    const int allocated = allocations;
    plan.run({in.data() + offset, size.width, size.height, size.channels, pitch},
             {out.data() + offset, out_size.width, out_size.height, out_size.channels, out_pitch});
    const int in_run = allocations - allocated;
    INFO(describe(task) << ", offset " << offset << ", gap " << gap << ", " << threads
                        << " threads");
    REQUIRE(in_run == 0);
    REQUIRE(plan.threads() == threads);
    REQUIRE(holds_only(out, before, out_size, offset, out_pitch,
                       reference(task, rows_of(in, size, offset, pitch))));
}

const Task kBlur{
    .width = 150, .height = 40, .channels = 3, .taps = {1, 2, 1, 2, 4, 2, 1, 2, 1}, .divisor = 16};

TEST_CASE("library, CPU: the reference's bytes, and none beside the view; it allocates nothing") {
    for (Task task : filters())
        for (const Border& border : all_borders())
            for (const Size& size : {Size{37, 23, 1}, {37, 23, 3}, {190, 12, 4}, {401, 13, 3}})
                if (complete(task, size, border)) {
                    check(task, 1, 0, 0);
                    check(task, 1, 5, 13);
                }
    Task wide{.taps = direct_taps(11, 6), .divisor = 50};
    for (const Border& border : all_borders())
        if (complete(wide, {401, 13, 3}, border)) check(wide, 1, 1, 1);
    const int before = allocations;
    const Cpu plan(kBlur);
    REQUIRE(allocations > before);  // the counter counts
}

std::int64_t multiply_adds(const Task& task) {
    const std::int64_t ksize = filter_of(task).ksize();
    return filter_of(task).outer_product() ? 2 * ksize : ksize * ksize;
}

TEST_CASE("library, CPU: the same with a band of rows for each of three threads") {
    std::size_t next = 0;
    for (Task task : filters()) {
        Size size{40001, 15'000'000 / (40000 * 3 * multiply_adds(task)) + 1, 3};
        size.height = std::max<std::int64_t>(size.height, 7);  // bands thinner than the filter
        Border border;
        do border = all_borders()[next++ % all_borders().size()];
        while (!complete(task, size, border));
        if (border.rule == BorderRule::valid) task.height += 2 * filter_of(task).ksize();
        check(task, 3, 5, 13);
    }
}

TEST_CASE("library, CPU: a small picture takes fewer threads than it may") {
    const auto threads = [](Task task, const Size& size, int most) {
        complete(task, size, {});
        return Cpu(task, most).threads();
    };
    const Task gaussian_5 = {.taps = gaussian(5), .divisor = 65536};
    CHECK(threads(gaussian_5, {640, 480, 3}, 2) == 1);
    CHECK(threads(gaussian_5, {1000, 333, 3}, 2) == 1);  // 9.99 million multiply-adds
    CHECK(threads(gaussian_5, {1000, 334, 3}, 2) == 2);
    CHECK(threads(gaussian_5, {1920, 1080, 3}, 4) == 4);
    CHECK(threads(gaussian_5, {1920, 1080, 3}, 64) == 12);
    const Task direct_5 = {.taps = direct_taps(5, 8), .divisor = 100};
    CHECK(threads(direct_5, {1000, 399, 1}, 2) == 1);
    CHECK(threads(direct_5, {1000, 400, 1}, 2) == 2);
    CHECK(threads(direct_5, {1, 1, 1}, 1024) == 1);
}

TEST_CASE("library: the taps of a Gaussian are those of the labs") {
    for (const int ksize : {1, 5, 9, 31}) {
        CHECK(gaussian(ksize) == make_filter("gaussian", ksize).taps());
        CHECK(gaussian(ksize, 1.7) == make_filter("gaussian", ksize, 1.7).taps());
    }
}

TEST_CASE("library, CPU: rows of a large picture that do not begin on a cache line") {
    Task task = kBlur;  // over the last-level cache: non-temporal stores, if rows allow them
    task.width = 4096;
    task.height = 2000;
    const Size size{task.width, task.height, 3};
    const auto in = noise(size.row() * size.height, 1);
    std::vector<std::uint8_t> first;
    const Cpu plan(task);
    for (const std::int64_t gap : {0, 64, 1}) {
        for (const std::int64_t offset : {0, 3}) {
            const std::int64_t pitch = size.row() + gap;
            std::vector<std::uint8_t> out(static_cast<std::size_t>(bytes_of(size, offset, pitch)));
            plan.run({in.data(), size.width, size.height, 3, size.row()},
                     {out.data() + offset, size.width, size.height, 3, pitch});
            const auto rows = rows_of(out, size, offset, pitch);
            if (first.empty()) first = rows;
            REQUIRE(rows == first);
        }
    }
}

TEST_CASE("library, CPU: calls from two threads, with one plan and with two") {
    Task task = kBlur;
    task.width = 1000, task.height = 600;
    const Size size{task.width, task.height, task.channels};
    const auto in_a = noise(size.row() * size.height, 1), in_b = noise(size.row() * size.height, 2);
    const auto wanted_a = reference(task, in_a), wanted_b = reference(task, in_b);
    const Cpu plan(task, 2), same = plan, other(task, 2);
    REQUIRE(plan.threads() == 2);
    for (const Cpu* second : {&same, &other}) {
        std::atomic<int> wrong = 0;
        const auto call = [&](const Cpu& with, const auto& in, const auto& wanted) {
            std::vector<std::uint8_t> out(in.size());
            for (int i = 0; i < 50; ++i) {
                std::fill(out.begin(), out.end(), std::uint8_t{});
                with.run({in.data(), size.width, size.height, 3, size.row()},
                         {out.data(), size.width, size.height, 3, size.row()});
                if (out != wanted) ++wrong;
            }
        };
        std::thread beside([&] { call(*second, in_b, wanted_b); });
        call(plan, in_a, wanted_a);
        beside.join();
        CHECK(wrong == 0);
    }
}

TEST_CASE("library, CPU: two rectangles of one picture") {
    const Size size{150, 40, 3};
    const std::int64_t pitch = 2 * size.row();
    auto both = noise(size.height * pitch, 1);
    const auto before = both;
    Cpu(kBlur).run({both.data(), 150, 40, 3, pitch}, {both.data() + size.row(), 150, 40, 3, pitch});
    CHECK(holds_only(both, before, size, size.row(), pitch,
                     reference(kBlur, rows_of(before, size, 0, pitch))));
}

std::string message(const auto& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("library: a mistake gives one error message") {
    const auto plan_of = [](const auto& change) {
        Task task = kBlur;
        change(task);
        return message([&] { Cpu plan(task); });
    };
    CHECK(plan_of([](Task&) {}).empty());
    CHECK(plan_of([](Task& t) { t.channels = 2; }) == "An image has 1, 3 or 4 channels, not 2.");
    CHECK(plan_of([](Task& t) { t.width = 0; }).find("0 x 40 pixels") != std::string::npos);
    CHECK(plan_of([](Task& t) { t.taps.pop_back(); }).find("needs 9 taps and has 8") !=
          std::string::npos);
    CHECK(plan_of([](Task& t) { t.taps.clear(); }).find("side must be odd") != std::string::npos);
    CHECK(plan_of([](Task& t) { t.divisor = 0; }).find("divisor must be") != std::string::npos);
    CHECK(plan_of([](Task& t) { t.border = "mirror"; }).find("Border 'mirror'") == 0);
    CHECK(plan_of([](Task& t) { t.border = "valid", t.height = 2; }).find("Border valid") == 0);
    CHECK(
        plan_of([](Task& t) { t.taps.assign(121, 1000); }) ==
        "Filter 'yours' of side 11 has taps that add up to 121000 in absolute value; 65536 is the "
        "maximum that stays exact.");
    CHECK(message([] { Cpu plan(kBlur, 0); }) ==
          "A team of 0 threads is not possible: choose 1 to 1024.");
    CHECK(message([] { gaussian(33); }) ==
          "A Gaussian of side 33 is not possible: its side is odd, from 1 to 31.");
    for (const double sigma : {-1.0, HUGE_VAL, double{NAN}})
        CHECK(message([&] { gaussian(3, sigma); }).find("Sigma is ") == 0);

    std::vector<std::uint8_t> in(450 * 40), out(450 * 40);
    const Cpu plan(kBlur);
    const auto run = [&](const Input& from, const Output& to) {
        return message([&] { plan.run(from, to); });
    };
    const Input good_in{in.data(), 150, 40, 3, 450};
    const Output good_out{out.data(), 150, 40, 3, 450};
    CHECK(run(good_in, good_out).empty());
    CHECK(run({in.data(), 150, 39, 3, 450}, good_out) ==
          "The input is 150 x 39 x 3 and this plan's is 150 x 40 x 3: make a plan for each size.");
    CHECK(run(good_in, {out.data(), 150, 40, 1, 450}).find("The output is 150 x 40 x 1") == 0);
    CHECK(run({nullptr, 150, 40, 3, 450}, good_out) ==
          "The input has no memory: its address is null.");
    CHECK(run(good_in, {out.data(), 150, 40, 3, 449}) ==
          "A row of the output has 450 bytes and its pitch is 449: give the bytes from one row to "
          "the next.");
    CHECK(run({out.data() + 3, 150, 39, 3, 450}, good_out).find("The input is") == 0);
    CHECK(run({out.data(), 150, 40, 3, 450}, good_out) ==
          "Input and output overlap: give the output separate memory.");
}

TEST_CASE("library, C: the bytes of the C++ plan, and the same errors as text") {
    std::vector<std::uint8_t> in = noise(450 * 40, 1), out(in.size()), wanted(in.size());
    const auto& taps = kBlur.taps;
    Cpu(kBlur).run({in.data(), 150, 40, 3, 450}, {wanted.data(), 150, 40, 3, 450});
    char error[CONVOLAB_ERROR] = "none";
    convolab_cpu* plan = convolab_cpu_new(150, 40, 3, taps.data(), 3, 16, "replicate", 2, error);
    REQUIRE(plan != nullptr);
    CHECK(convolab_cpu_threads(plan) == 1);
    REQUIRE(convolab_cpu_run(plan, in.data(), 450, out.data(), 450, error) == 0);
    CHECK(error == std::string("none"));
    CHECK(out == wanted);
    CHECK(convolab_cpu_run(plan, in.data(), 450, nullptr, 450, error) == 1);
    CHECK(error == std::string("The output has no memory: its address is null."));
    convolab_cpu_free(plan);

    plan = convolab_cpu_new(150, 40, 3, taps.data(), 3, 16, "valid", 1, error);
    const std::vector<std::uint8_t> before = noise(450 * 40, 2);
    out = before;
    REQUIRE(convolab_cpu_run(plan, in.data(), 450, out.data(), 450, error) == 0);
    Task valid = kBlur;
    valid.border = "valid";
    CHECK(holds_only(out, before, {148, 38, 3}, 0, 450, reference(valid, in)));
    convolab_cpu_free(plan);

    const std::string border(2 * CONVOLAB_ERROR, 'x');
    CHECK(convolab_cpu_new(150, 40, 3, taps.data(), 3, 16, border.c_str(), 1, error) == nullptr);
    CHECK(std::string(error).find("Border 'xxx") == 0);
    std::vector<std::int32_t> gauss(25);
    REQUIRE(convolab_gaussian(5, 0, gauss.data(), error) == 0);
    CHECK(gauss == gaussian(5));
    CHECK(convolab_gaussian(4, 0, gauss.data(), error) == 1);
}

}  // namespace
}  // namespace convolab::lib
