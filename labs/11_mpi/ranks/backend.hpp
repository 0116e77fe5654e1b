// SPDX-License-Identifier: MIT
#pragma once

#include "common/variant/backend.hpp"

namespace convolab::mpi {

/// The machine of `base`, with the clock of the ranks: the time of a run is the time passed to
/// set_last_run_ms().
Backend& on_ranks(Backend& base);
void set_last_run_ms(double ms);

}  // namespace convolab::mpi
