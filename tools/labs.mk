# The labs are found, not listed: a lab is a folder under labs/ with a main.cpp or a main.cu; one with a .cu file is a CUDA lab.
# A folder ranks in it: it needs MPI; without it is left out. LAB= chooses one. Read by the Makefile and by tools/build.mk.
ALL_LABS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard labs/*/main.cpp labs/*/main.cu)))))
is_mpi = $(wildcard labs/$(1)/ranks)
MPI_LABS := $(strip $(foreach lab,$(ALL_LABS),$(if $(call is_mpi,$(lab)),$(lab))))
NOT_BUILT = $(if $(MPICXX),,$(MPI_LABS))
MPI_MISSING := it needs MPI (on Debian and Ubuntu the packages openmpi-bin and libopenmpi-dev)
LABS = $(or $(LAB),$(filter-out $(NOT_BUILT),$(ALL_LABS)))
is_cuda = $(wildcard labs/$(1)/*.cu)
CUDA_LABS = $(foreach lab,$(LABS),$(if $(call is_cuda,$(lab)),$(lab)))

# What `make format` and `make lint` read. A handout has no git.
LIST_SOURCES := find * -name build -prune -o -type f -regextype egrep -regex '.*\.(cpp|hpp|cuh?)' -print

# `make new` names a lab that is not there yet.
ifeq ($(filter new,$(MAKECMDGOALS)),)
ifneq ($(filter-out $(ALL_LABS),$(LAB)),)
$(error There is no lab $(filter-out $(ALL_LABS),$(LAB)); choose from: $(ALL_LABS))
endif
ifneq ($(and $(filter $(MPI_LABS),$(LAB)),$(NOT_BUILT)),)
$(error Lab $(filter $(NOT_BUILT),$(LAB)) cannot be built: $(MPI_MISSING))
endif
endif

# Make and the shell take them for something else: space " # $ % & ' ( ) * : ; < = > ? [ \ ] ` |
BUILD_SIGNS := $(shell printf %s '$(subst ','\'',$(BUILD))' | tr ' ' '*' | LC_ALL=C tr -cd '\042-\052\072-\077\133-\135\140\174')
ifneq ($(BUILD_SIGNS),)
$(error BUILD is '$(BUILD)'; choose a name without spaces and signs, such as BUILD=/tmp/convolab)
endif
