// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::separable {

extern const Variant two_pass, two_pass_tile, fused, packed, running_sums;

}  // namespace convolab::separable
