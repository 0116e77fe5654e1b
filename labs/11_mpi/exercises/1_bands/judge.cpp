// SPDX-License-Identifier: MIT
#include "labs/exercise/messages.hpp"
#include "labs/exercise/ranks.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height);

static int width, height;

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    const bool is_first = rank() == 0;
    width = in.width;
    height = in.height;
    received = {};
    smooth(is_first ? in.samples.data() : nullptr, is_first ? out.data() : nullptr, in.width,
           in.height);
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

constexpr Unit kThird = {"", [](const Input& in) { return double((in.height + 2) / 3); }};

/// Of rank 0 the rows that no other rank sends, so it filters them; of the last rank what it gets.
static double counted(const CountGoal& goal) {
    const double rows = received.bytes / width;
    double own = rank() == 0 ? height - rows : rows;
    PMPI_Bcast(&own, 1, MPI_DOUBLE, goal.figure == "rows kept by rank 0" ? 0 : ranks() - 1,
               MPI_COMM_WORLD);
    return own;
}

int main(int argc, char** argv) {
    return judge_ranks(argc, argv,
                       {.answer = answer,
                        .expected = expected,
                        .counts = {{"rows kept by rank 0", 1, kThird},
                                   {"rows received by the last rank", 1, kThird}},
                        .counted = counted});
}
