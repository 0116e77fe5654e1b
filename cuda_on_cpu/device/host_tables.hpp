// SPDX-License-Identifier: MIT
// An object with virtual functions that the host has made contains the address of the host's table
// of these functions, which a GPU cannot read. A copy to the device replaces it by an unreadable
// address, and a copy back restores it.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// Hides the tables in bytes that were copied to the device.
void hide_tables(void* begin, std::size_t bytes);
/// Restores them in bytes that were copied to the host.
void show_tables(void* begin, std::size_t bytes);
/// For the fault handler: whether a kernel has read such a table.
bool is_hidden_table(const void* address);

}  // namespace cuda_on_cpu
