# Included by each lab's Makefile: the verbs of the root, for the lab in this folder.
LAB := $(lastword $(notdir $(CURDIR)))
.PHONY: all bench sweep verify timeline plots report test run list clean help
.DEFAULT_GOAL := all
all bench sweep verify timeline plots report test run clean help:
	@$(MAKE) --no-print-directory -C ../.. $@ LAB=$(LAB)
list: all
	@../../build/labs/$(LAB)/lab list
