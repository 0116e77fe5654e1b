// SPDX-License-Identifier: MIT
// The driver: every lab's main() calls it with the list of its variants.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab {

/// The whole program. Exit codes: 0; 1 something failed; 2 usage; 130 interrupted.
int run_lab(int argc, char** argv, const Lab& lab);
/// The same without the child process that verify and bench run in (supervisor.hpp).
int run_lab_here(int argc, char** argv, const Lab& lab);

}  // namespace convolab
