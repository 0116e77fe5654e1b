// SPDX-License-Identifier: MIT
// A file that is whole or absent: full disks, Ctrl-C and two programs at once leave no half of one.
#pragma once

#include <cstddef>
#include <string>

namespace convolab {

/// Replaces the file `path` by `size` bytes: they go to a new file beside it, reach the disk, and
/// take the name in one step. Devices and pipes (/dev/stdout) have no such step and are written
/// to directly. SIGINT, SIGTERM and SIGHUP wait until the file is done. Throws Error.
void write_whole_file(const std::string& path, const void* bytes, std::size_t size);

}  // namespace convolab
