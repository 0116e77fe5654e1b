#!/bin/bash
# SPDX-License-Identifier: MIT
# make help: these verbs ($1: the mission's, $2: those to learn with) and what the Makefile says of them after "##". $3: all others, too.
trap 'exit 0' PIPE  # make help | head
exec 2>/dev/null
show() { for verb; do sed -n "s/^$verb:.*## /  make $verb\t/p" Makefile; done | expand -t 18; }
show $1
echo learn
show $2
if [ -n "${3:-}" ]; then
    echo more
    show $(sed -n 's/^\([a-z-]*\):.*## .*/\1/p' Makefile | grep -vxF "$(printf '%s\n' $1 $2)")
else
    echo "make help-all lists the other verbs, and make settings what was found here."
fi
echo "LAB=02_pthread limits a verb to one lab; so does a lab's or exercise's folder."
echo "config.mk explains the settings, such as SIZES=1080p: make bench SIZES=1080p"
