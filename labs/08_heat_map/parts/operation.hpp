// SPDX-License-Identifier: MIT
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::heat {

/// What the variants of this lab compute: from two frames the colours of their changes.
Operation operation();

}  // namespace convolab::heat
