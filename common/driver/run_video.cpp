// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab run --video
#include <iostream>

#include "common/driver/commands.hpp"
#include "common/driver/pipeline.hpp"

namespace convolab {

int run_video_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    Pipeline pipeline(lab, options);
    pipeline.run();
    if (!pipeline.notes().empty()) std::cerr << options.video << ": " << pipeline.notes() << '\n';
    std::ostream& say = options.out == "-" ? std::cerr : std::cout;
    say << (options.out.empty() ? options.video : options.out) << ": by "
        << options.variants.front()->name
        << (options.best_variant ? " (the lab's best; --variant names another)" : "")
        << (options.check ? ", identical to the reference" : "") << ". " << pipeline.summary()
        << '\n';
    return interrupted() ? interrupted_exit_code() : 0;
}

}  // namespace convolab
