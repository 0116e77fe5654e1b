// SPDX-License-Identifier: MIT
// The scans. CUDA declares them in this header, which is separate from reduce.h.
#pragma once

#include "reduce.h"
