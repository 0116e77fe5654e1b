// SPDX-License-Identifier: MIT
#include "device/settings.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace cuda_on_cpu {

long setting(const char* name, long standard, long minimum, long maximum) {
    const char* const value = std::getenv(name);
    if (value == nullptr || value[0] == '\0') return standard;
    char* end = nullptr;
    errno = 0;
    const long number = std::strtol(value, &end, 10);
    if (errno == 0 && *end == '\0' && number >= minimum && number <= maximum) return number;
    std::fprintf(stderr, "%s is '%s': expected a number from %ld to %ld.\n", name, value, minimum,
                 maximum);
    std::exit(2);
}

}  // namespace cuda_on_cpu
