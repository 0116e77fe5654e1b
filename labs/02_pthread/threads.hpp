// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// POSIX threads, created and joined: what every variant of this lab but simd_rows does in each run,
// as the report times it.
#pragma once

#include <functional>

namespace convolab {

/// Calls work(0) .. work(count - 1), each on a thread of its own made with pthread_create, and
/// returns when all have been joined. Throws Error where the system refuses a thread (those made
/// are joined).
void on_threads(int count, const std::function<void(int)>& work);

}  // namespace convolab
