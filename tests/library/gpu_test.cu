// SPDX-License-Identifier: MIT
// The library on a GPU: it writes every byte of the output and no other, in each form. Also
// allocations, threads and mistakes.
#include <cuda_runtime.h>

#include <atomic>
#include <set>
#include <thread>

#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "tests/library/kit.hpp"

// The linker replaces cudaMalloc by these functions.
namespace {
std::atomic<int> allocations = 0;
}
extern "C" {
cudaError_t __real_cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t __wrap_cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t __wrap_cudaMalloc(void** pointer, std::size_t bytes) {
    ++allocations;
    return __real_cudaMalloc(pointer, bytes);
}
}

namespace convolab::lib {
namespace {

#define NEEDS_GPU() \
    if (device_count() == 0) SKIP_TEST("there is no GPU")

std::int64_t up_to(std::int64_t bytes, std::int64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// A buffer on the device with a view in it, as part of the rows of a larger picture. Kernels may
/// read the 16 bytes in which the last pixel is, so all of them are allocated.
struct Buffer {
    Buffer(const Size& view_size, std::int64_t first, std::int64_t bytes_per_row, unsigned seed)
        : size(view_size),
          offset(first),
          pitch(bytes_per_row),
          before(noise(up_to(offset + pitch * size.height, 16), seed)),
          device(before.size()) {
        device.upload(before.data());
    }
    Input in() const {
        return {device.data() + offset, size.width, size.height, size.channels, pitch};
    }
    Output out() { return {device.data() + offset, size.width, size.height, size.channels, pitch}; }
    std::vector<std::uint8_t> now() const {
        std::vector<std::uint8_t> bytes(before.size());
        device.download(bytes.data());
        return bytes;
    }
    bool holds_only(const std::vector<std::uint8_t>& expected) const {
        return lib::holds_only(now(), before, size, offset, pitch, expected);
    }

    Size size;
    std::int64_t offset, pitch;
    std::vector<std::uint8_t> before;
    DeviceBuffer<std::uint8_t> device;
};

/// Returns the form that the plan chose.
std::string check(const Task& task, std::int64_t in_offset, std::int64_t out_offset,
                  std::int64_t unit) {
    const Size size{task.width, task.height, task.channels}, out_size = output_size(task);
    const Buffer in(size, in_offset, up_to(in_offset + size.row(), unit), 1);
    Buffer out(out_size, out_offset, up_to(out_offset + out_size.row(), unit), 2);
    const Gpu plan(task);
    const std::string form = plan.which(in.in(), out.out());
    const Stream stream;
    plan.run(in.in(), out.out(), stream.get());
    stream.wait();
    INFO(describe(task) << ", offsets " << in_offset << " and " << out_offset << ", rows of "
                        << unit << ": " << form);
    REQUIRE(out.holds_only(reference(task, rows_of(in.before, size, in_offset, in.pitch))));
    return form;
}

Task blur() {
    return {.width = 150,
            .height = 40,
            .channels = 3,
            .taps = {1, 2, 1, 2, 4, 2, 1, 2, 1},
            .divisor = 16};
}

TEST_CASE("library, GPU: the reference's bytes, and none beside the view, in each form") {
    NEEDS_GPU();
    std::set<std::string> forms;
    for (Task task : filters())
        for (const Border& border : all_borders())
            for (const Size& size : {Size{37, 23, 1}, {37, 23, 3}, {192, 24, 4}, {208, 24, 3}}) {
                if (!complete(task, size, border)) continue;
                forms.insert(check(task, 16, 16, 16));  // in a larger picture
                forms.insert(check(task, 17, 35, 1));
            }
    std::set<std::string> wanted = {"lab 05 packed", "lab 07 packed", "plain"};
    if (device_info().compute_capability / 10 == 9) wanted.insert("lab 12 wgmma");
    for (const std::string& form : std::set<std::string>(wanted))
        if (form != "plain") wanted.insert(form + ", any address");
    if (device_info().compute_capability / 10 == 9) wanted.insert("lab 12 tensor");
    CHECK(forms == wanted);
}

TEST_CASE("library, GPU: any address of rows that are several strips wide") {
    NEEDS_GPU();
    for (Task task : {filters()[1], filters()[6], filters()[9], filters()[10]})
        for (const Size& size : {Size{2571, 9, 1}, {853, 11, 3}, {701, 10, 4}, {11, 17, 3}})
            for (std::int64_t offset = 0; offset < 16; ++offset) {
                complete(task, size, all_borders()[offset % 6]);  // not renormalise
                check(task, offset, (offset + 5) % 16, offset % 2 == 0 ? 16 : 1);
            }
}

TEST_CASE(
    "library, GPU: the fastest form takes all views whose addresses and pitches are aligned") {
    NEEDS_GPU();
    if (device_info().compute_capability / 10 != 9) SKIP_TEST("the GPU has no `wgmma`");
    const auto form = [](Task task, const Size& size, const Border& border = {}) {
        complete(task, size, border);
        std::uint8_t* pixels = nullptr;
        std::size_t pitch = 0;
        const auto rows = static_cast<std::size_t>(size.height);
        CUDA_CHECK(
            cudaMallocPitch(&pixels, &pitch, 2 * static_cast<std::size_t>(size.row()) + 16, rows));
        const auto view_pitch = static_cast<std::int64_t>(pitch);
        const Size out = output_size(task);
        const std::string name = Gpu(task).which(
            {pixels, size.width, size.height, size.channels, view_pitch},
            {pixels + up_to(size.row(), 16), out.width, out.height, out.channels, view_pitch});
        CUDA_CHECK(cudaFree(pixels));
        return name;
    };
    const auto box = [](int side) {
        return Task{.taps = std::vector<std::int32_t>(static_cast<std::size_t>(side * side), 1),
                    .divisor = side * side};
    };
    const Task gaussian = {.taps = make_filter("gaussian", 9).taps(), .divisor = 65536};
    for (const std::int64_t width : {853, 1000, 1918, 1920}) {
        CHECK(form(box(5), {width, 24, 3}) == "lab 07 packed");
        CHECK(form(box(7), {width, 24, 3}) == "lab 12 wgmma");
        CHECK(form(box(7), {width, 24, 1}) == "lab 12 tensor");
        CHECK(form(gaussian, {width, 24, 4}) == "lab 07 packed");
        for (const int side : {3, 5, 7, 9}) {
            const Task task = {.taps = direct_taps(side, 8), .divisor = 7};
            CHECK(form(task, {width, 24, 3}) == (side == 3 ? "lab 05 packed" : "lab 12 wgmma"));
            CHECK(form(task, {width, 24, 4}, {BorderRule::valid}) == "lab 12 wgmma");
            CHECK(form(task, {width, 24, 1}) == (side == 3 ? "lab 05 packed" : "lab 12 tensor"));
        }
        const Task large = {.taps = direct_taps(3, 8), .divisor = 7};
        CHECK(form(large, {width, 4000, 3}) == "lab 12 wgmma");
        CHECK(form(large, {width, 12000, 1}) == "lab 12 tensor");
        CHECK(form({.taps = direct_taps(5, 11), .divisor = 1000}, {width, 24, 3}) ==
              "lab 05 packed");
    }
}

TEST_CASE("library, GPU: a call allocates nothing") {
    NEEDS_GPU();
    for (Task task : filters())
        for (const Border& border : {Border{}, Border{BorderRule::renormalise}}) {
            if (!complete(task, {208, 24, 3}, border)) continue;
            const int before_plan = allocations;
            const Gpu plan(task);
            REQUIRE(allocations > before_plan);  // the counter counts
            const Buffer in({208, 24, 3}, 0, 640, 1);
            Buffer out({208, 24, 3}, 0, 640, 2);
            const int before = allocations;
            plan.run(in.in(), out.out());
            CHECK(allocations == before);
            out.now();
        }
}

TEST_CASE("library, GPU: calls from two threads, with one plan and with two") {
    NEEDS_GPU();
    const Task task = blur();
    const Size size{task.width, task.height, task.channels};
    const Gpu plan(task), same = plan, other(task);
    for (const Gpu* second : {&same, &other}) {
        std::atomic<int> wrong = 0;
        const auto call = [&](const Gpu& with, unsigned seed) {
            const Buffer in(size, 0, 464, seed);
            Buffer out(size, 0, 464, seed + 2);
            const Stream stream;
            for (int i = 0; i < 5; ++i) with.run(in.in(), out.out(), stream.get());
            stream.wait();
            if (!out.holds_only(reference(task, rows_of(in.before, size, 0, 464)))) ++wrong;
        };
        std::thread beside([&] { call(*second, 1); });
        call(plan, 2);
        beside.join();
        CHECK(wrong == 0);
    }
}

TEST_CASE("library, GPU: a mistake gives one error message") {
    NEEDS_GPU();
    const auto message = [](const auto& work) -> std::string {
        try {
            work();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    Task task = blur();
    const Buffer in({150, 40, 3}, 0, 450, 1);
    Buffer out({150, 40, 3}, 0, 450, 2);
    const Gpu plan(task);
    CHECK(message([&] { plan.run(in.in(), out.out()); }).empty());
    out.now();
    Output short_out = out.out();
    short_out.height = 39;
    CHECK(message([&] { plan.run(in.in(), short_out); }).find("The output is 150 x 39 x 3") == 0);
    CHECK(message([&] { plan.which(out.in(), out.out()); }) ==
          "Input and output overlap: give the output separate memory.");
    task.taps.assign(121, 1);
    CHECK(message([&] { Gpu large(task); }) ==
          "The plain kernel is compiled for filters of side 1 to 9, not 11.");
}

}  // namespace
}  // namespace convolab::lib
