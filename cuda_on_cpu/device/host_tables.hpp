// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// An object with virtual functions that the host has made contains the address of the host's table of them, which a GPU cannot read. A
// copy to the device puts an address into its place that nobody can read, and a copy back the table's again.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// The device has been given these bytes.
void hide_tables(void* begin, std::size_t bytes);
/// The host has been given these bytes.
void show_tables(void* begin, std::size_t bytes);
/// For the handler of faults: a kernel has looked into such a table.
bool is_hidden_table(const void* address);

}  // namespace cuda_on_cpu
