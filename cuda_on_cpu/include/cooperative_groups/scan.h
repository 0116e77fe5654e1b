// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA has the scans in a header of their own.
#pragma once

#include "reduce.h"
