// SPDX-License-Identifier: MIT
// cpu_simd -- a table of 766 colours, 64 pixels at a time
// Source: new.
// Idea: the colour of each difference is computed once. With AVX-512 VBMI, one instruction looks up
//     64 bytes in a table of 128 (parts/heat_rows_avx512.cpp). Other processors look up one pixel
//     after another (parts/heat_rows.cpp), and so does CONVOLAB_ISA=plain.
// Since cpu: it computes no sines, and works on vectors of 64 bytes.
// Limit: loads and stores of one core, 9 bytes per pixel.
// Alone: build/labs/08_heat_map/lab bench --variant cpu,cpu_simd --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/08_heat_map/parts/heat_rows.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {
namespace {

struct Frames : FramePair {
    using FramePair::FramePair;
    Tables tables;
    HeatRows heat_rows = fastest_heat_rows();
};

void heat_map(Frames& frames, Image& result) {
    frames.heat_rows(frames.tables, frames.previous().data<std::uint8_t>(),
                     frames.current().data<std::uint8_t>(), result.data<std::uint8_t>(),
                     frames.pixels());
}

}  // namespace

const Variant cpu_simd = cpu_variant({.name = "cpu_simd",
                                      .idea = "one thread, a table of 766 colours, SIMD",
                                      .channels = {3},
                                      .backend = &cpu_backend()},
                                     heat_map);

}  // namespace convolab::heat
