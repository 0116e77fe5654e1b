#!/bin/bash
# SPDX-License-Identifier: MIT
# compiler_kind.sh COMPILER...: clang++ or g++, as the compiler itself says: it may be called c++, or by several words (ccache g++).
[[ $("$@" --version 2>/dev/null) == *clang* ]] && echo clang++ || echo g++
