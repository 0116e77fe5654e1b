// SPDX-License-Identifier: MIT
#include "tests/lab/capture.hpp"

#include "common/base/error.hpp"
#include "common/driver/repeat.hpp"
#include "common/driver/verify.hpp"
#include "common/media/pictures.hpp"
#include "tests/catch.hpp"

extern "C" int lab_main(int argc, char** argv);

namespace convolab {
namespace {
const Lab* captured = nullptr;
}  // namespace

int run_lab(int, char**, const Lab& lab) {
    captured = new Lab(lab);  // lives as long as the program
    return 0;
}

const Lab& captured_lab() {
    if (captured == nullptr) lab_main(0, nullptr);
    REQUIRE(captured != nullptr);
    REQUIRE_FALSE(captured->variants.empty());
    return *captured;
}

Image checked_output(const Variant& variant, const Job& job) {
    const Image before = job.image().copy();
    const auto convolver = make_convolver(variant, job);
    const Image& result = output_of(*convolver);
    if (!compare(job.image(), before).identical()) FAIL(variant.name + " changed its input");
    return result.copy();
}

void was_checked(const Variant& variant, std::int64_t checked, const std::string& missing) {
    if (checked == 0 && !missing.empty()) {
        WARN(variant.name << " was not checked: " << missing);
        return;
    }
    INFO(variant.name << " supports no job of the test");
    CHECK(checked > 0);
}

void for_each_variant(const std::function<void(const Variant&, const Job&)>& check) {
    for (const auto* variant : captured_lab().variants) {
        if (variant->operation != nullptr) continue;  // it computes something other than the lab
        int checked = 0;
        std::string missing;
        for (const int channels : variant->channels) {
            const PixelType natural = variant->types.front();
            const PixelType type = natural == PixelType::float32 ? PixelType::uint8 : natural;
            const Image image = convert(random_image(64, 33, channels, PixelType::uint8, 7), type,
                                        Layout::interleaved);
            for (const auto& settings : verify_settings(variant->uses)) {
                const Job job{{&image}, make_filter("box", 5), {}, settings};
                INFO(variant->name << ": "
                                   << describe(Operation{}, *variant, job, describe(image)));
                try {
                    check(*variant, job);
                    ++checked;
                } catch (const MissingLibrary& why) {
                    missing = why.what();
                } catch (const Unsupported&) {
                }
            }
        }
        was_checked(*variant, checked, missing);
    }
}

}  // namespace convolab
