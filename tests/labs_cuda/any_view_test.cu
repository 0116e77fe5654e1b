// SPDX-License-Identifier: MIT
// The packed kernels on views at any address, with any pitch and width: the reference's bytes, and
// no byte written beside the view.
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/memory.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "labs/07_separable/variants.hpp"
#include "tests/labs_cuda/defect.hpp"
#include "tests/library/kit.hpp"

namespace convolab::defects {
namespace {

struct Kernel {
    BandKernel (*of)(const Job& job, const Band& band);
    Filter filter;
};

std::vector<Kernel> kernels() {
    return {{packed_band_kernel, make_filter("gaussian", 3)},
            {packed_band_kernel, make_filter("gaussian", 9)},
            {separable::packed_kernel_of, make_filter("gaussian", 5)},
            {separable::packed_kernel_of, make_filter("gaussian", 7)},
            {separable::packed_kernel_of, make_filter("box", 9)},
            {cuda_shared::packed_kernel_of, make_filter("sharpen")},
            {cuda_shared::packed_kernel_of, make_filter("gaussian", 5, 1.1)},
            {cuda_shared::packed_kernel_of, make_filter("edge", 7)}};
}

std::int64_t up_to(std::int64_t bytes, std::int64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// A view on the device, from `offset` bytes after a multiple of 16 on, with a pitch that is a
/// multiple of `unit`. The memory ends with the 16 bytes in which the last pixel is.
struct Buffer {
    Buffer(const lib::Size& view, std::int64_t first, std::int64_t unit, unsigned seed)
        : size(view),
          offset(first),
          pitch(up_to(first + view.row(), unit)),
          before(lib::noise(up_to(first + pitch * (view.height - 1) + view.row(), 16), seed)),
          device(before.size()) {
        device.upload(before.data());
    }
    Image image() const {
        Image copy(size.width, size.height, size.channels);
        const auto rows = lib::rows_of(before, size, offset, pitch);
        std::copy(rows.begin(), rows.end(), copy.data<std::uint8_t>());
        return copy;
    }
    bool holds_only(const Image& expected) const {
        std::vector<std::uint8_t> now(before.size());
        device.download(now.data());
        const auto* bytes = expected.data<std::uint8_t>();
        return lib::holds_only(now, before, size, offset, pitch,
                               {bytes, bytes + expected.samples()});
    }

    lib::Size size;
    std::int64_t offset, pitch;
    std::vector<std::uint8_t> before;
    DeviceBuffer<std::uint8_t> device;
};

struct Views {
    Border border;
    lib::Size out;
    std::int64_t in_offset, in_unit, out_offset, out_unit;
};

void check(const Kernel& kernel, const Views& views) {
    const int lost = views.border.rule == BorderRule::valid ? kernel.filter.ksize() - 1 : 0;
    const lib::Size size{views.out.width + lost, views.out.height + lost, views.out.channels};
    const Buffer in(size, views.in_offset, views.in_unit, 1);
    Buffer out(views.out, views.out_offset, views.out_unit, 2);
    const Image image = in.image();
    const Job job = job_of(image, kernel.filter, 16, views.border);
    kernel.of(job, whole_image(job))
        .launch_at({in.device.data() + in.offset, out.device.data() + out.offset,
                    static_cast<int>(in.pitch), static_cast<int>(out.pitch)},
                   nullptr);
    CUDA_CHECK(cudaGetLastError());
    INFO(kernel.filter.name() << ' ' << kernel.filter.ksize() << ", " << to_string(views.border)
                              << ", output of " << out.size.width << 'x' << out.size.height << 'x'
                              << out.size.channels << ", offsets " << in.offset << " and "
                              << out.offset << ", pitches " << in.pitch << " and " << out.pitch);
    CHECK(out.holds_only(reference_convolution(job)));
}

const std::vector<Border> kBorders = {{BorderRule::constant, 77}, {BorderRule::replicate},
                                      {BorderRule::reflect},      {BorderRule::reflect101},
                                      {BorderRule::wrap},         {BorderRule::valid}};

TEST_CASE("packed: views at any address, with any pitch") {
    int i = 0;
    for (const Kernel& kernel : kernels())
        for (const int channels : {1, 3, 4})
            for (int offset = 0; offset < 16; ++offset, ++i) {
                const int widths[] = {1, 5, 480 / channels, 1100 / channels + i % 7,
                                      1856 / channels};
                check(kernel, {kBorders[i % kBorders.size()],
                               {widths[i / 2 % 5], 17, channels},
                               offset,
                               i % 3 == 0 ? 16 : 1,
                               16 + (offset + i / 16) % 16,
                               i % 4 == 0 ? 16 : 1});
            }
}

TEST_CASE("packed: of an aligned view of any width, only the pixels are written") {
    for (const Kernel& kernel : kernels())
        for (const int channels : {1, 3, 4})
            for (int i = 0; i < 17; ++i) {
                const Border& border = kBorders[i % kBorders.size()];
                const int reach = kernel.filter.radius() * channels;
                const int begin = border.rule == BorderRule::valid ? 32 - reach : 16;
                check(kernel,
                      {border, {1100 / channels + i, 17, channels}, begin % 16, 16, 16, 16});
            }
}

/// An inner strip of unaligned rows would fail on a GPU only.
TEST_CASE("packed: rows are aligned if t = 0 is at a multiple of 16 in all rows") {
    const Image image(20, 20, 3);
    const std::uintptr_t in = 1024, out = 4096;  // never read
    const auto aligned = [&](Border border, std::uintptr_t in_at, std::uintptr_t out_at,
                             int in_pitch, int out_pitch) {
        const Job job = job_of(image, make_filter("box", 5), 16, border);
        return are_aligned(rows_at(byte_rows(job, whole_image(job)),
                                   {reinterpret_cast<const std::uint8_t*>(in_at),
                                    reinterpret_cast<std::uint8_t*>(out_at), in_pitch, out_pitch}));
    };
    CHECK(aligned({}, in, out, 0, 0));  // the pitches of a lab
    CHECK(aligned({}, in + 16, out, 64, 80));
    CHECK_FALSE(aligned({}, in + 8, out, 64, 64));
    CHECK_FALSE(aligned({}, in, out + 1, 64, 64));
    CHECK_FALSE(aligned({}, in, out, 60, 64));
    CHECK_FALSE(aligned({}, in, out, 64, 72));
    CHECK_FALSE(aligned({BorderRule::valid}, in, out, 64, 64));
    CHECK(aligned({BorderRule::valid}, in + 10, out, 64, 64));
}

}  // namespace
}  // namespace convolab::defects
