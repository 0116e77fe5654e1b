// SPDX-License-Identifier: MIT
#include <memory>

#include "common/base/error.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/commands.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/measurement/csv.hpp"
#include "tests/catch.hpp"
#include "tests/kit.hpp"

using namespace convolab;

namespace {

/// The identity, with as many steps as it is given.
class Steps final : public Convolver {
  public:
    Steps(const Job& job, int steps) : image_(job.image()), steps_(steps) {}
    void run() override {}
    const Image& result() override { return image_; }
    void poison() override {}
    std::vector<Span> timeline() override {
        return std::vector<Span>(steps_, Span{0, 0, 0, "filter", 0, 1});
    }

  private:
    const Image& image_;
    std::size_t steps_;
};

Variant with_steps(const std::string& name, int steps) {
    return {.name = name, .idea = "", .make = [steps](const Job& job) {
                return std::make_unique<Steps>(job, steps);
            }};
}

/// The variants in the file that the command writes, one name per step.
std::vector<std::string> timeline_of(const Lab& lab, std::vector<std::string> words) {
    const test::Folder folder;
    const std::string csv = folder.file("timeline.csv");
    words.insert(words.begin(), {"lab", "timeline", "--size", "8x4", "--filter", "identity"});
    words.insert(words.end(), {"--csv", csv});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    const auto options = parse_options(static_cast<int>(arguments.size()), arguments.data(), lab);
    const int code = timeline_command(lab, *options);
    CHECK(code == 0);
    std::vector<std::string> names;
    for (const Row& row : parse_csv(test::slurp(csv), csv)) names.push_back(row.at("variant"));
    return names;
}

}  // namespace

TEST_CASE("timeline takes the variants that have one; naming one without is an error") {
    const Variant first = with_steps("first", 2), none = with_steps("none", 0),
                  last = with_steps("last", 1);
    const Lab lab{"lab", {&first, &none, &last}, &cpu_backend()};
    CHECK(timeline_of(lab, {}) == std::vector<std::string>{"first", "first", "last"});
    CHECK(timeline_of(lab, {"--variant", "last"}) == std::vector<std::string>{"last"});
    CHECK_THROWS_AS(timeline_of(lab, {"--variant", "last,none"}), UsageError);
    CHECK_THROWS_AS(timeline_of({"lab", {&none}, &cpu_backend()}, {}), UsageError);
}
