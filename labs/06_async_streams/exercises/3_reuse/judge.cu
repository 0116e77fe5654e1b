// SPDX-License-Identifier: MIT
// Compares every byte, also after a wait for `in` and one for `compute`. Fails above 4 launches, one for each frame.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void negative_frames(const unsigned char* h_in, unsigned char* h_out, unsigned char* d_in,
                     unsigned char* d_out, int samples, int frames, cudaStream_t in,
                     cudaStream_t compute, cudaStream_t out);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const Pinned h_in(in.samples), h_out(out);
    const std::size_t two_frames = 2 * in.frame_samples();
    const std::vector<unsigned char> nothing(two_frames);
    const OnDevice d_in(nothing), d_out(nothing);
    // The emulator runs the oldest stream first, and of the others what that one waits for: frame
    // after frame, as if each buffer were waited for.
    const Stream copies_out, kernels, copies_in;
    negative_frames(h_in.data(), h_out.data(), d_in.data(), d_out.data(), in.frame_samples(),
                    in.samples.size() / in.frame_samples(), copies_in.get(), kernels.get(),
                    copies_out.get());
    check(cudaGetLastError());
    if (is_counted) {
        check(cudaStreamSynchronize(copies_in.get()));
        std::vector<unsigned char> arrived(two_frames);
        d_in.copy_to(arrived);
        require(std::equal(arrived.begin(), arrived.end(), in.samples.begin() + two_frames),
                "After a wait for `in` not all frames have been copied to the device.");
        require(h_out.values() == out,
                "After a wait for `in` a frame has been copied back: the host or `in` waits for "
                "it.");
        check(cudaStreamSynchronize(kernels.get()));
        require(std::equal(out.begin() + two_frames, out.end(), h_out.data() + two_frames),
                "After a wait for `compute` frame 2 or 3 has been copied back: a kernel waits for "
                "another buffer than its own.");
    }
    check(cudaDeviceSynchronize());
    out = h_out.values();
    std::vector<unsigned char> last(two_frames);
    d_out.copy_to(last);
    require(std::equal(last.begin(), last.end(), out.begin() + two_frames),
            "d_out does not have the last two frames.");
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (std::size_t i = 0; i < in.samples.size(); ++i) out[i] = 255 - in.samples[i];
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .frames = 4,
                  .out_values = [](const Input& in) { return in.samples.size(); },
                  .counts = {{"launches", 4}}});
}
