// SPDX-License-Identifier: MIT
// Compares every byte, also after a wait for one stream. Fails above 2 launches or 1.2 global store
// requests for each 32 pixels of a row.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void smooth_in_bands(const unsigned char* h_in, unsigned char* h_out, unsigned char* d_in,
                     unsigned char* d_out, int width, int height, const cudaStream_t* streams);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const Pinned h_in(in.samples), h_out(out);
    const OnDevice d_in(out), d_out(out);
    const Stream upper, lower;
    const cudaStream_t streams[] = {upper.get(), lower.get()};
    smooth_in_bands(h_in.data(), h_out.data(), d_in.data(), d_out.data(), in.width, in.height,
                    streams);
    check(cudaGetLastError());
    if (is_counted) {
        const std::size_t middle = in.height / 2 * in.width;
        std::vector<unsigned char> copied(out.size()), filtered(out.size());
        d_in.copy_to(copied);
        require(copied == out, "The host has waited for a copy, before the streams had all work.");
        check(cudaStreamSynchronize(streams[1]));
        d_out.copy_to(filtered);
        const std::vector<unsigned char> back = h_out.values();
        require(!std::equal(out.begin() + middle, out.end(), back.begin() + middle),
                "After a wait for streams[1] the lower band is not there.");
        require(std::equal(out.begin(), out.begin() + middle, filtered.begin()),
                "After a wait for streams[1] the upper band is filtered, too: something in "
                "streams[1] waits for it.");
        std::fill(h_in.data() + middle, h_in.data() + out.size(), 0);
        check(cudaStreamSynchronize(streams[0]));
        d_in.copy_to(copied);
        require(copied == in.samples, "streams[0] copies rows of the lower band, too.");
    }
    check(cudaDeviceSynchronize());
    out = h_out.values();
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const auto sample = [&](int row) {
                return in.samples[std::clamp(row, 0, in.height - 1) * in.width + x];
            };
            out[y * in.width + x] = (sample(y - 1) + 2 * sample(y) + sample(y + 1)) / 4;
        }
}

/// Each band has a row.
static std::vector<Size> sizes(Draw& draw) {
    std::vector<Size> all = any_sizes(draw);
    for (Size& size : all) size.height = std::max(size.height, 2);
    return all;
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .sizes = sizes,
                  .counts = {{"launches", 2}, {"global store requests", 1.2, kPerRowWarp}}});
}
