# Included by the Makefile of each lab and of each exercise: every verb of the root, for the lab or exercise in this folder.
# A folder above may have spaces in its name.
HERE := $(lastword $(CURDIR))
THIS := $(notdir $(HERE))
ROOT := ../..
.DEFAULT_GOAL := all
ifneq ($(filter %/exercises/,$(dir $(HERE))),)
N := $(firstword $(subst _, ,$(THIS)))
ROOT := ../../../..
.DEFAULT_GOAL := exercise
THIS := $(notdir $(patsubst %/exercises/,%,$(dir $(HERE))))
endif
LAB := $(THIS)
# IMAGE=, OUT= and FILES= are relative to this folder.
export CALLED_FROM := labs/$(THIS)$(if $(filter ../..,$(ROOT)),,/exercises/$(notdir $(HERE)))
.NOTPARALLEL:
.PHONY: new
# Here LAB= names the new lab.
new:
	@$(MAKE) --no-print-directory -C $(ROOT) new $(if $(FROM),,FROM=$(THIS))
%: FORCE
	@$(MAKE) --no-print-directory -C $(ROOT) $@ LAB=$(LAB) $(N:%=N=%)
FORCE: ;
Makefile $(ROOT:../..%=..%)/lab.mk: ;
