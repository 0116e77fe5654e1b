// SPDX-License-Identifier: MIT
// main() of every Catch2 program here. Version 2 generates it; version 3 has it in a library.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
