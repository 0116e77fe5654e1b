// SPDX-License-Identifier: MIT
// OpenMP's threads are counted, too, because bench expects switches for each of them.
#include <algorithm>

#include "common/base/error.hpp"
#include "common/measurement/disturbance.hpp"
#include "common/video/pictures.hpp"
#include "tests/catch.hpp"
#include "tests/lab/capture.hpp"

using namespace convolab;

TEST_CASE("the threads that variant openmp creates are counted") {
    const auto& variants = captured_lab().variants;
    const auto openmp = std::find_if(variants.begin(), variants.end(),
                                     [](const Variant* v) { return v->name == "openmp"; });
    if (openmp == variants.end()) LEAVE_OUT("the lab has no variant openmp");
    const Image image = random_image(16, 16, 3, PixelType::uint8, 1);
    Job job{{&image}, make_filter("box", 3), {}, {}};
    job.settings.threads = 4;
    try {
        const auto convolver = make_convolver(**openmp, job);
        const std::int64_t before = created_threads();
        convolver->run();
        CHECK(created_threads() == before + 3);
    } catch (const MissingLibrary& why) {
        SKIP_TEST(why.what());
    }
}
