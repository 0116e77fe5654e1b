// SPDX-License-Identifier: MIT
// What verify compares of the packed kernels: also the strips inside the picture, which run
// different code.
#include <map>
#include <utility>

#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_kernel.hpp"
#include "common/driver/verify.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

template <int ksize>
struct Side {
    static constexpr int kKsize = ksize;
};

template <class Body>
__global__ void count_inner(ByteRows rows, int* d_count) {
    const StripPlace place = strip_place<Body>(rows);
    if (threadIdx.x == 0 && place.has_work && !place.at_edge) atomicAdd(d_count, 1);
}

/// The number of strips inside the picture, on a device that runs them all at once.
template <int ksize>
int inner_strips(const Job& job) {
    constexpr int kManyBlocks = 1000, kStages = 4, kRowsPerWarp = 20;
    ByteRows rows = byte_rows(job, whole_image(job));
    const LaunchShape shape = strip_shape(rows, kManyBlocks, kStripBytes, kStages, kRowsPerWarp);
    DeviceBuffer<int> d_count(1);
    d_count.fill(0);
    count_inner<Side<ksize>><<<shape.grid, shape.block>>>(rows, d_count.data());
    CUDA_CHECK(cudaGetLastError());
    int count = 0;
    d_count.download(&count);
    return count;
}

TEST_CASE("verify, quick and full, has strips inside the picture for each side and border") {
    Variant packed;
    packed.awkward = strip_ends();
    for (const bool quick : {true, false}) {
        const VerifyPlan plan({.quick = quick}, {}, {&packed});
        std::map<std::pair<int, std::size_t>, int> by_border;
        std::map<std::pair<int, int>, int> by_channels;
        for (const VerifyCase& one : plan.cases) {
            const Image& image = plan.pictures[one.picture].image;
            const Job job{{&image}, plan.filters[one.filter], all_borders()[one.border], {}};
            const int ksize = job.filter.ksize();
            if (image.type() != PixelType::uint8 || ksize < 3 || ksize > 9) continue;
            if (job.out_width() < 1 || job.out_height() < 1) continue;
            const int strips =
                with_ksize<3, 5, 7, 9>(job, [&]<int K>() { return inner_strips<K>(job); });
            by_border[{ksize, one.border}] += strips;
            by_channels[{ksize, image.channels()}] += strips;
        }
        CHECK(by_border.size() == 4 * all_borders().size());
        for (const auto& [where, strips] : by_border) {
            INFO((quick ? "quick" : "full")
                 << ", K " << where.first << ", border " << to_string(all_borders()[where.second]));
            CHECK(strips > 0);
        }
        CHECK(by_channels.size() == 4 * 3);
        for (const auto& [where, strips] : by_channels) {
            INFO((quick ? "quick" : "full")
                 << ", K " << where.first << ", channels " << where.second);
            if (!quick || where.second > 1) CHECK(strips > 0);
        }
    }
}

}  // namespace
}  // namespace convolab::defects
