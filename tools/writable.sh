#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes the folder $RESULTS if there is none. Ends with 1 and an error message if it cannot be written.
if ! mkdir -p "$RESULTS" 2>/dev/null || ! probe=$(mktemp "$RESULTS/.XXXXXX" 2>/dev/null); then
    echo "error: The folder '$RESULTS' cannot be written; choose another, such as RESULTS=/tmp/results." >&2
    exit 1
fi
rm -f "$probe"
