// SPDX-License-Identifier: MIT
// Compares every byte. Of 65 rows on 3 ranks, fails above 22 (a third, rounded up) rows filtered by
// one rank or 0 rows filtered more than once.
#include "labs/exercise/ranks.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height);

static int height, rows_filtered;

/// Goes through copies, because AddressSanitizer looks at these.
void smooth_rows(const std::uint8_t* in, std::uint8_t* out, int width, int rows) {
    rows_filtered += std::max(rows, 0);
    for (int y = 0; y < rows; ++y, in += width, out += width) {
        std::vector<std::uint8_t> row(width + 2), sums(width);
        std::copy_n(in, width, &row[1]);
        for (int x = 0; x < width; ++x)
            sums[x] = static_cast<std::uint8_t>((row[x] + row[x + 1] + row[x + 2]) / 3);
        std::copy(sums.begin(), sums.end(), out);
    }
}

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    const bool is_first = rank() == 0;
    height = in.height;
    rows_filtered = 0;
    call_in_time([&] {
        smooth(is_first ? in.samples.data() : nullptr, is_first ? out.data() : nullptr, in.width,
               in.height);
    });
    MPI_Bcast(out.data(), static_cast<int>(out.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
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

constexpr Unit kThird = {"", [](const Input& in) {
                             const int rounded_up = (in.height + 2) / 3;
                             return double(rounded_up);
                         }};

static double counted(const CountGoal& goal) {
    const bool is_most = goal.figure == "rows filtered by one rank";
    int rows;
    MPI_Allreduce(&rows_filtered, &rows, 1, MPI_INT, is_most ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    return is_most ? rows : rows - height;
}

int main(int argc, char** argv) {
    return judge_ranks(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .counts = {{"rows filtered by one rank", 1, kThird}, {"rows filtered more than once", 0}},
         .counted = counted,
         .counted_size = {256, 65}});
}
