// SPDX-License-Identifier: MIT
// Says where an output is wrong, so that a student sees the cause: everywhere, at an edge, never
// written.
#include "tools/exercises/judge/differences.hpp"

#include <algorithm>
#include <sstream>

namespace convolab::exercise {

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
    const bool is_picture = expected.size() % pixels == 0;
    const std::size_t channels = has_frames   ? in.channels
                                 : is_picture ? expected.size() / pixels
                                              : 1;
    text << wrong.size() << " of " << expected.size() << " values are wrong, first ";
    if (has_frames) text << "frame " << first / in.frame_samples() << ", ";
    if (is_picture) {
        text << "x " << first / channels % in.width << ", y "
             << first / channels / in.width % in.height;
        if (channels > 1) text << ", channel " << first % channels;
    } else {
        text << "number " << first;
    }
    text << ": " << out[first] << " instead of " << expected[first] << '.';
    if (unwritten) text << " They were never written: they hold what was there before the call.";
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
