# The settings, with their defaults; `make help` shows what single verbs take beside. Change one here, or for one call on the command line:
#   make CXX=clang++ demo          make bench ITERATIONS=10 SIZES=480p,1080p
# or in the environment: IMAGE=photo.png make bench

# Compiler: g++ 11 or later, clang++ 14 or later.
ifeq ($(origin CXX),default)
CXX := g++
endif

# Optimisation, recorded in every result. No -ffast-math: results must be exact. No -march=native: the
# plain variants use what every x86-64 or aarch64 CPU has; the simd variants choose when they run.
OPT ?= -O3

# Added to every compile and link command, such as -fsanitize=address. `make asan` and `make tsan` set it.
SANITIZE :=

# The folder for everything that is built, of a name without spaces and signs.
BUILD := build

# What is looked for is looked for once, by a verb that needs it.
once = $(eval $(1) := $(2))$($(1))

# CUDA: the compiler (found on the PATH or under /usr/local/cuda), and the architecture: native where a
# GPU is present, else all-major (code for every GPU). Example: CUDA_ARCH=sm_90.
NVCC = $(call once,NVCC,$(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc)))
GPU = $(call once,GPU,$(shell nvidia-smi -L 2>/dev/null | grep -c '^GPU '))
CUDA_ARCH ?= $(if $(filter-out 0,$(GPU)),native,all-major)

# MPI, for the labs that have a folder ranks: Open MPI's compiler wrapper. Empty: these labs are not built.
MPICXX = $(call once,MPICXX,$(shell command -v mpicxx 2>/dev/null))

# NCCL, for messages between the GPUs of ranks: the folder that has include/nccl.h and lib/libnccl.so. Empty: what needs it
# is skipped.
NCCL = $(firstword $(patsubst %/include/nccl.h,%,$(wildcard /usr/include/nccl.h $(NVCC:%/bin/nvcc=%/include/nccl.h))))

# What runs the CUDA labs: cuda (nvcc and a GPU) or cuda_on_cpu (the emulator of that name).
CUDA_BACKEND = $(if $(and $(NVCC),$(filter-out 0,$(GPU))),cuda,cuda_on_cpu)

# A Python that has matplotlib, pandas, jinja2 and markdown. Empty: tools/find_python.sh finds one.
PYTHON ?=

# The protocol of `make bench`. ITERATIONS: timed runs, in up to 10 rounds in which all variants of a lab take
# turns. WARMUP: untimed runs at the beginning of each round. SIZES: 480p 720p 1080p 1440p 4k 8k, or all.
ITERATIONS ?= 100
WARMUP ?= 1
SIZES ?= all

# CPU threads of `make bench` and `make sweep`: one pinned to each core (on), or where the system puts them (off).
PINNING ?= on

# Your own picture instead of the drawn scene, at its own size or at those of SIZES: make bench IMAGE=photo.png
IMAGE ?=

# A clip for `make run`: a video file, a folder of PNGs, 0 (the first camera), or the drawn clips
# moving, panning, static, black: make run LAB=08_heat_map VIDEO=clip.mp4 OUT=heat.mp4
VIDEO ?=

# The folder that bench, sweep and verify write to and plots reads; plots writes into its folder report.
RESULTS ?= results

# The committed measurements. `make report` makes the committed report and the tables of the READMEs from them.
REFERENCE ?= results/reference/h200_16_cpus

# One lab instead of all: make bench LAB=02_pthread. VARIANT: of that lab, one variant or a list with commas:
# make verify LAB=02_pthread VARIANT=rows,queue
LAB ?=
VARIANT ?=

# `make verify`, `make bench`, `make sweep`. 1: not one line a lab but all rows, and why jobs were not possible.
VERBOSE ?=

# `make test`. 1: also the tests that take long and seldom fail.
ALL ?=

# `make exercise`. N: its number in the lab; empty: the next unsolved exercise, of LAB or of all labs. HINT=1: a hint. WATCH=1:
# judge at every save; without N, go on when an exercise is solved. FILES: answers of several students, as patterns:
# FILES='answers/*.cu'; CSV: the file for their verdicts. SEED: of the pictures and their sizes; empty: new ones. TITLE: of
# `make new-exercise`.
N ?=
HINT ?=
WATCH ?=
FILES ?=
SEED ?=
TITLE ?=

# The revision to write into the results where the sources are a copy without their git history.
REVISION ?=

# `make peers`. PEERS: the libraries (all, or a list: opencv,npp). ROUNDS: number of rounds. THREADS: CPU
# threads of every library (empty: 1, 2 and all CPUs).
PEERS ?= all
ROUNDS ?= 15
THREADS ?=
