// SPDX-License-Identifier: MIT
#include "common/exercise/messages.hpp"
#include "common/exercise/ranks.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height);

static int width, height;

static std::size_t arrived;  // samples of other ranks, on rank 0

/// In the count, what rank 0 receives is changed on its way, and here changed back: so a row that
/// rank 0 has filtered in the place of another rank becomes a wrong one.
static void change(std::uint8_t* samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) samples[i] ^= 0x55;
}

static void change_arrived(void* samples, std::size_t count) {
    if (rank() != 0) return;
    change(static_cast<std::uint8_t*>(samples), count);
    arrived += count;
}

static void answer(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    const bool is_first = rank() == 0;
    width = in.width;
    height = in.height;
    received = {};
    arrived = 0;
    if (is_counted) on_arrival = change_arrived;
    smooth(is_first ? in.samples.data() : nullptr, is_first ? out.data() : nullptr, in.width,
           in.height);
    change(&out[out.size() - std::min(arrived, out.size())], std::min(arrived, out.size()));
    PMPI_Bcast(out.data(), static_cast<int>(out.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void expected(const Input& in, std::vector<std::uint8_t>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int i = std::max(0, x - 1); i <= std::min(in.width - 1, x + 1); ++i)
                sum += in.samples[y * in.width + i];
            out[y * in.width + x] = static_cast<std::uint8_t>(sum / 3);
        }
}

/// Rows that a rank did not receive of those that it has to, or that it should not.
static double counted(const CountGoal& goal) {
    const int least = height / 3, most = (height + 2) / 3;
    const int rows = static_cast<int>(received.bytes / width);
    double missing =
        rank() == 0 ? std::max(0, height - most - rows) : std::max({0, least - rows, rows - most});
    PMPI_Bcast(&missing, 1, MPI_DOUBLE, goal.kernel == "rank 0" ? 0 : ranks() - 1, MPI_COMM_WORLD);
    return missing;
}

int main(int argc, char** argv) {
    return judge_ranks<std::uint8_t>(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .with =
             [](const Input&) {
                 return is_counted ? "samples that rank 0 receives changed on their way" : "";
             },
         .counts = {{"rank 0", "rows not received of the other ranks", 0},
                    {"the last rank", "rows too few or too many received", 0}},
         .counted = counted});
}
