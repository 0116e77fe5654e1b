// SPDX-License-Identifier: MIT
#pragma once

namespace convolab {

/// From now on SIGINT and SIGTERM are remembered, and the commands end after the current iteration;
/// a second one ends the program at once.
void catch_interrupts();
bool interrupted();
/// 128 + the signal's number.
int interrupted_exit_code();

}  // namespace convolab
