# The settings, with their defaults. Change one here, or for one call on the command line:
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

# CUDA, MPI and NCCL are looked for (tools/found.mk); `make settings` prints what was found. Others: NVCC=/opt/cuda/bin/nvcc,
# CUDA_ARCH=sm_90, MPICXX=/opt/mpi/bin/mpicxx, NCCL=/opt/nccl (the folder that has include/nccl.h); an empty one is left out.
# CUDA_BACKEND: what runs the CUDA labs: cuda (nvcc and a GPU) or cuda_on_cpu (the emulator of that name).

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

# `make verify`. 1: on small pictures and few larger ones, as in `make demo`.
QUICK ?=
# `make verify`, `make bench`, `make sweep`. 1: not one line a lab but all rows, and why jobs were not possible.
VERBOSE ?=

# `make test`. 1: also the tests that take long and seldom fail.
ALL ?=

# `make exercise`. N: its number in the lab; empty: the next unsolved exercise, of LAB or of all labs. HINT=1: a hint. WATCH=1:
# judge at every save; without N, go on when an exercise is solved. FILES: answers of several students, as patterns:
# FILES='answers/*.cu', also without LAB and N where paths name them (ada/03_cuda_global/2.cu); CSV: the file for their
# verdicts. SEED: of the pictures and their sizes; empty: new ones.
N ?=
HINT ?=
WATCH ?=
FILES ?=
SEED ?=

# `make library` installs into this folder, such as /usr/local. DESTDIR: a folder before it, for who makes a package.
PREFIX :=
DESTDIR :=

# The revision to write into the results where the sources are a copy without their git history.
REVISION ?=
