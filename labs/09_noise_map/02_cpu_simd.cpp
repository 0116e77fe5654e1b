// SPDX-License-Identifier: MIT
// cpu_simd -- 64 bytes at a time, no branch
// Source: new.
// Idea: all samples are compared, without regard to pixels. Then the answers for the three samples
//     of a pixel are joined. With AVX-512, an answer is a bit
//     (common/noise_map/mark_rows_avx512.cpp). On other processors, and with CONVOLAB_ISA=plain, it
//     is a byte (common/noise_map/mark_rows.cpp).
// Since cpu: it uses vectors of 64 bytes, and its time does not depend on the picture.
// Limit: loads and stores of one core, 9 bytes per pixel.
// Alone: build/labs/09_noise_map/lab bench --variant cpu,cpu_simd --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/noise_map/mark_rows.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {
namespace {

struct Frames : FramePair {
    using FramePair::FramePair;
    MarkRows mark_rows = fastest_mark_rows();
};

void noise_map(Frames& frames, Image& result) {
    frames.mark_rows(frames.previous().data<std::uint8_t>(), frames.current().data<std::uint8_t>(),
                     result.data<std::uint8_t>(), frames.pixels());
}

}  // namespace

const Variant cpu_simd = cpu_variant({.name = "cpu_simd",
                                      .idea = "one thread, SIMD, no branch",
                                      .channels = {3},
                                      .backend = &cpu_backend()},
                                     noise_map);

}  // namespace convolab::noise
