// SPDX-License-Identifier: MIT
// Says where an output is wrong, so that a student sees the cause: everywhere, at an edge, never
// written.
#include "labs/exercise/differences.hpp"

#include <algorithm>
#include <sstream>

namespace convolab::exercise {

/// What all wrong values have in common, or "".
static std::string how_far(const std::vector<std::size_t>& wrong, const Values& before,
                           const Values& out, const Values& expected) {
    const std::int64_t first = out[wrong[0]] - expected[wrong[0]];
    bool is_added = true, is_same = wrong.size() > 1, is_byte = true;
    std::int64_t farthest = 0;
    for (const std::size_t i : wrong) {
        const std::int64_t by = out[i] - expected[i];
        is_added = is_added && by == before[i];
        is_same = is_same && by == first;
        is_byte = is_byte && by % 256 == 0;
        farthest = std::max(farthest, std::abs(by));
    }
    const std::string it = wrong.size() == 1 ? " It is " : " Each is ";
    if (is_added) return it + "too large by what was there before the call.";
    if (is_same)
        return " All are " + std::to_string(farthest) + (first < 0 ? " too small." : " too large.");
    if (is_byte) return it + "wrong by a multiple of 256.";
    if (wrong.size() > 1 && farthest <= 2)
        return " None is wrong by more than " + std::to_string(farthest) + '.';
    return "";
}

std::string differences(const Input& in, const Values& before, const Values& out,
                        const Values& expected) {
    std::vector<std::size_t> wrong;
    bool unwritten = true;
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (out[i] != expected[i]) {
            wrong.push_back(i);
            unwritten = unwritten && out[i] == before[i];
        }
    if (wrong.empty()) return "";

    std::ostringstream text;
    const std::size_t first = wrong.front(), pixels = std::size_t(in.width) * in.height;
    const bool has_frames =
        expected.size() == in.samples.size() && expected.size() > in.frame_samples();
    const bool is_picture = expected.size() % pixels == 0 && expected.size() <= 4 * pixels;
    const std::size_t channels = has_frames   ? in.channels
                                 : is_picture ? expected.size() / pixels
                                              : 1;
    if (expected.size() == 1)
        text << "the result is ";
    else
        text << wrong.size() << " of " << expected.size() << " values are wrong, first ";
    if (has_frames) text << "frame " << first / in.frame_samples() << ", ";
    if (is_picture) {
        text << "x " << first / channels % in.width << ", y "
             << first / channels / in.width % in.height;
        if (channels > 1) text << ", channel " << first % channels;
    } else if (expected.size() > 1) {
        text << "number " << first;
    }
    text << (expected.size() > 1 ? ": " : "") << out[first] << " instead of " << expected[first]
         << '.';
    if (unwritten)
        text << " They were never written: they hold what was there before the call.";
    else
        text << how_far(wrong, before, out, expected);
    if (!is_picture || wrong.size() == expected.size()) return text.str();

    int first_x = in.width, last_x = 0, first_y = in.height, last_y = 0;
    bool at_edge = true;
    for (const std::size_t i : wrong) {
        const int x = static_cast<int>(i / channels % in.width);
        const int y = static_cast<int>(i / channels / in.width % in.height);
        first_x = std::min(first_x, x), last_x = std::max(last_x, x);
        first_y = std::min(first_y, y), last_y = std::max(last_y, y);
        at_edge = at_edge && (x < 2 || y < 2 || x >= in.width - 2 || y >= in.height - 2);
    }
    if (last_x - first_x + 1 < in.width || last_y - first_y + 1 < in.height)
        text << " They lie in columns " << first_x << " to " << last_x << ", rows " << first_y
             << " to " << last_y << '.';
    else if (at_edge && in.width > 4 && in.height > 4)
        text << " All of them are within 2 pixels of the picture's edge.";
    return text.str();
}

}  // namespace convolab::exercise
