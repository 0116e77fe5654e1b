# What is found on this machine, unless a setting says otherwise; `make settings` prints it. Read by the Makefile and by tools/build.mk.

# A script or git itself may have set them for another repository.
unexport GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# Looked for once, by a verb that needs it.
once = $(eval $(1) := $(2))$($(1))

# CUDA: the compiler (on the PATH or under /usr/local/cuda), the number of GPUs, and the architecture: native where a GPU is
# present, else all-major (code for every GPU).
NVCC ?= $(call once,NVCC,$(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc)))
GPU = $(call once,GPU,$(shell { timeout 10 nvidia-smi -L 2>/dev/null || [ $$? -ne 124 ] || \
    echo "note: nvidia-smi does not answer, so no GPU is used" >&2; } | grep -c '^GPU '))
CUDA_ARCH ?= $(if $(filter-out 0,$(GPU)),native,all-major)
CUDA_BACKEND ?= $(if $(and $(NVCC),$(filter-out 0,$(GPU))),cuda,cuda_on_cpu)

# MPI: Open MPI's compiler wrapper. NCCL: the folder that has include/nccl.h and lib/libnccl.so.
MPICXX ?= $(call once,MPICXX,$(shell command -v mpicxx 2>/dev/null))
NCCL ?= $(firstword $(patsubst %/include/nccl.h,%,$(wildcard /usr/include/nccl.h $(NVCC:%/bin/nvcc=%/include/nccl.h))))
NCCL_LIB = $(if $(NCCL),$(firstword $(wildcard $(foreach lib,lib lib64 lib/*-linux-gnu,$(NCCL)/$(lib)/libnccl.so))))

# The labs: a lab is a folder under labs/ with a main.cpp or a main.cu; one with a .cu file is a CUDA lab. One with a folder ranks
# needs MPI, and without MPI it is left out. LAB= chooses one.
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
