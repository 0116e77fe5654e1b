// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Pinned and managed memory that waiting work will write is closed to the host, as far as it fills
// whole pages. So a host that uses it too early is told, at its line, and then goes on.
#pragma once

namespace cuda_on_cpu {

class Unfinished;

/// What this work will write, or all that still waits.
void close_unfinished(const Unfinished& work);
void close_unfinished();
/// Work is about to run, or memory to be freed.
void open_unfinished();
/// For the handler of faults: whether this was the reason, which is then told and over.
bool is_too_early(const void* address, bool writes, const void* code);

}  // namespace cuda_on_cpu
