// SPDX-License-Identifier: MIT
#include "labs/exercise/pictures.hpp"

namespace convolab::exercise {

std::vector<Size> any_sizes(Draw& draw) {
    return {{drawn_from(33, 30, draw), drawn_from(17, 23, draw)},
            {drawn_from(65, 120, draw), drawn_from(36, 52, draw)},
            {drawn_from(2, 6, draw), drawn_from(2, 4, draw)},
            {1, drawn_from(2, 8, draw)},
            {drawn_from(2, 8, draw), 1},
            {drawn_from(1, 3, draw), 1},
            {drawn_from(8193, 500, draw), drawn_from(2, 2, draw)},
            {drawn_from(2, 4, draw), drawn_from(8193, 500, draw)}};
}

std::vector<Drawn> pictures_for(const Exercise& exercise, const std::string& mode, unsigned seed) {
    Draw draw(seed);
    std::vector<Drawn> all;
    const auto add = [&](Size size, Kind kind = Kind::random) {
        all.push_back({int(all.size()), size, draw(), kind});
    };
    if (mode == "count") {
        add(exercise.counted_size);
    } else if (mode == "time") {
        add(exercise.timed(draw));
    } else {
        const auto sizes = exercise.sizes ? exercise.sizes(draw) : any_sizes(draw);
        // ThreadSanitizer is slow to start a thread, and an answer may start one for each row.
        for (const Size size : sizes)
            add({size.width, mode == "races" ? std::min(size.height, 1031) : size.height});
        // Another picture of this size: an answer may not keep what it gave before.
        add(sizes[0], exercise.frames > 1 ? Kind::all_change : Kind::impulse);
    }
    return all;
}

/// Each further frame differs from the first one in about a third of its samples, or in all.
static void fill_randomly(Input& in, unsigned seed, bool all_change) {
    Draw draw(seed);
    const std::size_t frame = in.frame_samples();
    std::uint32_t word = 0;
    for (std::size_t begin = 0; begin < in.samples.size(); begin += frame)
        for (std::size_t k = 0; k < frame; ++k, word >>= 8) {
            const std::size_t i = begin + k;
            if (i % 4 == 0) word = draw();
            const bool is_kept = begin > 0 && draw() % 3 != 0;
            in.samples[i] = is_kept ? in.samples[k] : word & 255;
            if (begin > 0 && all_change) in.samples[i] = in.samples[k] ^ 128;
        }
}

/// Black, except one white sample beside the middle.
static void fill_with_impulse(Input& in) {
    const std::size_t x = (in.width / 2 + 1) % in.width, y = in.height / 3;
    in.samples[(y * in.width + x) * in.channels] = 255;
}

Input blank(const Exercise& exercise, const Drawn& drawn) {
    return {drawn.size.width, drawn.size.height, exercise.channels, {}, drawn.turn};
}

Input input_of(const Exercise& exercise, const Drawn& drawn) {
    Input in = blank(exercise, drawn);
    in.samples.resize(in.frame_samples() * exercise.frames);
    if (drawn.kind == Kind::impulse)
        fill_with_impulse(in);
    else
        fill_randomly(in, drawn.seed, drawn.kind == Kind::all_change);
    return in;
}

Values garbage_for(const Exercise& exercise, const Drawn& drawn) {
    const Input in = input_of(exercise, drawn);
    Values out(exercise.out_values ? exercise.out_values(in) : in.frame_samples());
    Draw draw(drawn.seed);
    for (std::int64_t& value : out) value = draw() & 255;
    return out;
}

}  // namespace convolab::exercise
