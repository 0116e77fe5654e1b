# The labs are found, not listed: a lab is a folder under labs/ with a main.cpp (CPU) or a main.cu (CUDA).
# LAB= chooses one. Read by the Makefile and by tools/build.mk.
ALL_LABS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard labs/*/main.cpp labs/*/main.cu)))))
LABS := $(or $(LAB),$(ALL_LABS))
is_cuda = $(wildcard labs/$(1)/main.cu)
CUDA_LABS := $(foreach lab,$(LABS),$(if $(call is_cuda,$(lab)),$(lab)))

# `make new` names a lab that is not there yet.
ifeq ($(filter new,$(MAKECMDGOALS)),)
ifneq ($(filter-out $(ALL_LABS),$(LABS)),)
$(error There is no lab $(filter-out $(ALL_LABS),$(LABS)); choose from: $(ALL_LABS))
endif
endif
