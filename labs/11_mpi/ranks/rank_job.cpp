// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/rank_job.hpp"

#include <algorithm>

#include "common/base/error.hpp"

namespace convolab::mpi {
namespace {

struct Place {
    int number, of;
};
const Place& place() {
    static const Place own = [] {
        MPI_Comm machine = MPI_COMM_NULL;
        Place found{};
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
        MPI_Comm_rank(machine, &found.number);
        MPI_Comm_size(machine, &found.of);
        MPI_Comm_free(&machine);
        return found;
    }();
    return own;
}

}  // namespace

RankJob rank_job(const Job& job) {
    const Image& image = job.image();
    Border border = job.border;
    if (border.rule == BorderRule::valid) border.rule = BorderRule::replicate;
    return {.width = image.width(),
            .height = image.height(),
            .channels = image.channels(),
            .filter = job.filter,
            .border = border,
            .settings = job.settings};
}

int place_on_machine() { return place().number; }
int ranks_on_machine() { return place().of; }

std::vector<std::int64_t> to_numbers(const RankJob& job) {
    std::vector<std::int64_t> numbers = {
        job.width,           job.height,
        job.channels,        static_cast<std::int64_t>(job.border.rule),
        job.border.value,    job.filter.ksize(),
        job.filter.divisor()};
    for (const Setting& setting : kSettings) numbers.push_back(job.settings.*setting.value);
    numbers.insert(numbers.end(), job.filter.taps().begin(), job.filter.taps().end());
    return numbers;
}

RankJob from_numbers(const std::vector<std::int64_t>& numbers) {
    const std::int64_t* next = numbers.data();
    const auto whole = [&] { return static_cast<int>(*next++); };
    const std::int64_t width = *next++;
    const std::int64_t height = *next++;
    const int channels = whole();
    Border border;
    border.rule = static_cast<BorderRule>(whole());
    border.value = whole();
    const int ksize = whole();
    const int divisor = whole();
    Settings settings;
    for (const Setting& setting : kSettings) settings.*setting.value = whole();
    std::vector<std::int32_t> taps;
    while (next != numbers.data() + numbers.size()) taps.push_back(whole());
    return {.width = width,
            .height = height,
            .channels = channels,
            .filter = Filter("sent", ksize, std::move(taps), divisor),
            .border = border,
            .settings = settings};
}

void require_parts(std::int64_t length, int n, std::int64_t halo, const std::string& lines) {
    const std::int64_t most = length / std::max<std::int64_t>(1, halo);
    if (n == 1 || n <= most) return;
    const std::string depth =
        halo > 1 ? "a part is at least as deep as its halo of " + std::to_string(halo) + ' ' + lines
                 : "a part has at least one";
    throw UnfitSetting(std::to_string(n) + " parts are too many for " + std::to_string(length) +
                       ' ' + lines + ": " + depth + "; use at most " +
                       std::to_string(std::max<std::int64_t>(1, most)) + ".");
}

}  // namespace convolab::mpi
