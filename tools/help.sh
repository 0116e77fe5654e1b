#!/bin/bash
# SPDX-License-Identifier: MIT
# make help: the verbs whose line in the Makefile has this sign ("##": those of a student) and what they do.
sed -n "s/^\([a-z-]*\):.*$1 \(.*\)/  make \1\t\2/p" Makefile | expand -t 20
echo
echo "make help-all lists all verbs. Settings are in config.mk; LAB=02_pthread limits a verb to one lab; all verbs work inside a lab's folder."
