// SPDX-License-Identifier: MIT
// What only this lab's program can do: write a difference stream, play one, and measure what
// filters and thresholds save.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::noise_filter {

int stream_command(int argc, char** argv);
int play_command(int argc, char** argv);
int savings_command(int argc, char** argv);

inline std::vector<LabCommand> commands() {
    return {{"stream", "a clip as its first frame and the pixels that change", stream_command},
            {"play", "the frames of a difference stream", play_command},
            {"savings", "what filters and thresholds save: a table and CSV", savings_command}};
}

}  // namespace convolab::noise_filter
