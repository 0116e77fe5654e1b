// SPDX-License-Identifier: MIT
// Compares every byte, also of rows so long that MPI_Send waits until they are received. Fails if a
// call takes more than 5 s.
#include "labs/exercise/ranks.hpp"

using namespace convolab::exercise;

void blur(std::uint8_t* band, int width, int rows, int passes);

constexpr int kPasses = 4;

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    const auto [first, rows] = band_of(rank(), ranks(), in.height);
    std::vector<std::uint8_t> band(out.begin(), out.begin() + in.width);  // rubbish
    band.insert(band.end(), &in.samples[first * in.width],
                &in.samples[first * in.width] + rows * in.width);
    band.insert(band.end(), out.begin(), out.begin() + in.width);
    call_in_time([&, rows = rows] { blur(band.data(), in.width, rows, kPasses); });
    std::copy_n(&band[in.width], rows * in.width, &out[first * in.width]);
    share_bands(out, in.width, in.height);
}

static void expected(const Input& in, std::vector<std::uint8_t>& out) {
    std::vector<std::uint8_t> now = in.samples;
    for (int pass = 0; pass < kPasses; ++pass) {
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x) {
                int sum = 2 * now[y * in.width + x];
                if (y > 0) sum += now[(y - 1) * in.width + x];
                if (y < in.height - 1) sum += now[(y + 1) * in.width + x];
                out[y * in.width + x] = static_cast<std::uint8_t>(sum / 4);
            }
        now = out;
    }
}

static std::string bands(const Input& in, const Values&, const Values&) {
    std::string text = " The ranks have the rows from";
    for (int rank = 0; rank < 3; ++rank)
        text += (rank > 0 ? ", " : " ") + std::to_string(band_of(rank, 3, in.height).first);
    return text + " on.";
}

int main(int argc, char** argv) {
    return judge_ranks(
        argc, argv,
        {.answer = answer, .expected = expected, .explain = bands, .sizes = sizes_for_bands});
}
