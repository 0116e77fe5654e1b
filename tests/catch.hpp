// SPDX-License-Identifier: MIT
// Catch2, version 3 or 2 (Debian 12), whichever is installed.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <iostream>

/// Ends a test that cannot run here and prints why, in both versions; conftest.py counts these lines.
#define SKIP_TEST(why)                                  \
    do {                                                \
        std::cout << "skipped: " << (why) << std::endl; \
        SUCCEED();                                      \
        return;                                         \
    } while (false)

/// Ends a test that has no meaning for this program; conftest.py does not count it.
#define LEAVE_OUT(why)                                   \
    do {                                                 \
        std::cout << "left out: " << (why) << std::endl; \
        SUCCEED();                                       \
        return;                                          \
    } while (false)
