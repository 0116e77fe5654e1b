// SPDX-License-Identifier: MIT
// main() of the tests if they are built alone. Catch2 version 3 has it in a library.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"
