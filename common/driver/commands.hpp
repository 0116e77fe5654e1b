// SPDX-License-Identifier: MIT
// The verbs of a lab, each in the file of its name. All return the exit code.
#pragma once

#include "common/driver/options.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

int run_command(const Lab& lab, const Options& options);
int run_clip_command(const Lab& lab, const Options& options);  ///< run, of a clip: pipeline.cpp
int bench_command(const Lab& lab, const Options& options);
int verify_command(const Lab& lab, const Options& options);
int timeline_command(const Lab& lab, const Options& options);

}  // namespace convolab
