# Included by each lab's Makefile: every verb of the root, for the lab in this folder.
THIS := $(lastword $(notdir $(CURDIR)))
LAB := $(THIS)
# IMAGE= and OUT= are relative to this folder.
export CALLED_FROM := labs/$(THIS)
.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: new
# Here LAB= names the new lab.
new:
	@$(MAKE) --no-print-directory -C ../.. new $(if $(FROM),,FROM=$(THIS))
%: FORCE
	@$(MAKE) --no-print-directory -C ../.. $@ LAB=$(LAB)
FORCE: ;
Makefile ../lab.mk: ;
