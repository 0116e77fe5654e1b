// SPDX-License-Identifier: MIT
#include <cstddef>

#include "common/driver/measurement.hpp"
#include "tests/catch.hpp"
#include "tests/toy_gpu.hpp"

using namespace convolab;

namespace {

constexpr std::size_t kBytes = 8 * 4 * 3;
std::byte memory[2][kBytes];  ///< memory that the backend below calls pinned
int given = 0, freed = 0;

class PinningBackend final : public ToyGpu {
  public:
    bool is_timed() const override { return false; }
    Image pinned(const Image& image) override {
        return image.in_memory(memory[given++], [](std::byte*) { ++freed; });
    }
};

class Nothing final : public Convolver {
  public:
    void run() override {}
    const Image& result() override { return none_; }
    void poison() override {}

  private:
    Image none_;
};

}  // namespace

TEST_CASE("bench gives frames in pinned memory to the variants that ask for it, and to no other") {
    PinningBackend backend;
    Lab lab{"lab", {}, &backend};
    lab.operation.frames = 2;
    Options options;
    options.image = "black";
    options.filters = {make_filter("identity")};
    for (const bool pinned : {false, true}) {
        std::vector<const std::byte*> frames;
        Variant variant{.name = "v", .idea = "", .make = [&](const Job& job) {
                            for (const Image* frame : job.frames) frames.push_back(frame->raw());
                            return std::make_unique<Nothing>();
                        }};
        variant.pinned_frames = pinned;
        Tasks tasks(lab, options);
        BenchSession session(lab, options, tasks);
        given = freed = 0;
        {
            Task task{&variant, Size{"8x4", 8, 4}, 0, {}};
            const PreparedVariant prepared(session, task);
            REQUIRE(frames.size() == 2);
            for (int i = 0; i < 2; ++i) CHECK((frames[i] == memory[i]) == pinned);
        }
        CHECK(given == (pinned ? 2 : 0));
        CHECK(freed == given);
    }
}
