# Convolab: the verbs; `make help` lists them. Settings are in config.mk, the rules that build in tools/build.mk.
# All paths are relative, so the repository may be in any folder, also below one with spaces in its name.
include config.mk
include tools/found.mk
# A setting on the command line that nothing here reads is a misspelt one.
GIVEN := $(strip $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name))))
UNKNOWN := $(if $(GIVEN),$(shell BASH_ENV= tools/unknown_setting.py $(GIVEN)))
$(if $(UNKNOWN),$(error $(UNKNOWN)))
include tools/paths.mk

SHELL := /bin/bash
# The user's file for each bash (BASH_ENV) may print, and so may cd with CDPATH.
.SHELLFLAGS := -pc
unexport BASH_ENV CDPATH
# Matplotlib and Open MPI do not start without.
export HOME ?= /tmp
# A notebook sets another one, which only its own Python has.
export MPLBACKEND := Agg
.DEFAULT_GOAL := all
.NOTPARALLEL:

# One verb runs after the other; what each needs is built on all cores where make was given no -j.
BUILDER = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) --no-print-directory -f tools/build.mk
BUILDS = @tools/progress.sh $(MAKE) $(BUILDER)
# Any file can be built by its name: make build/tests/unit
$(BUILD)/%: FORCE
	+$(BUILDS) $@

# What the programs in tools/ read from the environment. For the verbs in PLAIN nobody looks for nvcc, a GPU and MPI.
VERB := $(or $(MAKECMDGOALS),all)
PLAIN := help help-all setup new exercises cu plots lint format clean
export VERB BUILD CXX PYTHON RESULTS ITERATIONS WARMUP PINNING SIZES IMAGE OUT VIDEO VARIANT CSV PICTURE FILE CHECK
export LAB N HINT WATCH FILES SEED QUICK VERBOSE PREFIX DESTDIR FROM
ifneq ($(filter-out $(PLAIN),$(VERB)),)
export LABS CUDA_LABS CUDA_BACKEND NVCC MPICXX
endif
WITH_PYTHON := python=$$(tools/find_python.sh) && "$$python"
MAKE_DATA := $(BUILD)/data/make_data

# A setting that cannot be ends the verb before anything is built.
MISSION := all bench verify plots run demo test clean
LEARN := exercise exercises cu check count
VERBS := $(MISSION) $(LEARN) settings setup help help-all new library data sweep report sanitize asan tsan sass profile lint format
.PHONY: FORCE possible $(VERBS)
$(filter-out $(PLAIN),$(VERBS)): possible
possible:
	@tools/check_settings.sh

# ---- build and run -----------------------------------------------------------------------------------
all:  ## build all labs and the data program
	@$(FOUND) in_a_line
	+$(BUILDS) programs
settings:  ## what was found here, and which labs are built with it
	@$(FOUND)
FOUND = GPU='$(GPU)' NCCL='$(NCCL_LIB)' tools/found.sh '$(if $(LAB),,$(NOT_BUILT))' '$(MPI_MISSING)'

help:  ## the verbs that one needs first
	@tools/help.sh '$(MISSION)' '$(LEARN)'
help-all:  ## all verbs
	@tools/help.sh '$(MISSION)' '$(LEARN)' all
setup:  ## install what is missing (Debian, Ubuntu), or name the packages
	@tools/setup.sh

demo: setup  ## install, build, a short bench, verify, figures: about 5 min
	+$(BUILDS) programs
	@tools/demo.sh

run:  ## filter a picture: LAB=01_sequential IMAGE=in.png OUT=out.png
	@$(MAKE) --no-print-directory all >&2
	@tools/run.sh $(ARGS)

new:  ## copy a lab: LAB=13_mine FROM=01_sequential
	@tools/new_lab.sh
exercise:  ## judge your next answer; LAB= N=: that one; HINT=1; WATCH=1
	@python3 tools/exercises judge
exercises:  ## list the exercises, and which of them you have solved
	@python3 tools/exercises list
# teachers: begin
.PHONY: handout
handout:  ## copy all but the solutions, for students: OUT=../handout
	@tools/handout.sh '$(OUT)'
# teachers: end

cu:  ## run a CUDA program without a GPU: FILE=a.cu; CHECK=1; COUNT=1
	@BUILD='$(BUILD)' CHECK='$(CHECK)' COUNT='$(COUNT)' FILE='$(subst ','\'',$(FILE))' tools/cu.sh $(ARGS)

library:  ## the fastest kernels for your own program; PREFIX=: install
	+$(BUILDS) library
	@$(if $(PREFIX),tools/library/install.sh)

# ---- measure and draw ----------------------------------------------------------------------------------
sweep: DRAWN := all
DRAWN = $(SIZES)
data:  ## draw the scene at the six sizes, or SIZES=
	+$(BUILDS) $(MAKE_DATA)
	@$(MAKE_DATA) --out data/generated $(if $(filter all,$(DRAWN)),,--size '$(DRAWN)')

bench: all data  ## time all labs at six sizes; continues where it stopped
	@tools/bench.sh
sweep: all data  ## the sweeps of the report (each lab's sweep.txt)
	@tools/sweep.sh

plots:  ## draw tables, figures and a page of your results
	@$(WITH_PYTHON) report/make/plots --results '$(RESULTS)' --out '$(RESULTS)/report' $(ARGS)
report:  ## report/ and the numbers of all READMEs; CHECK=1: what is stale
	+$(BUILDS) $(MAKE_DATA) $(foreach lab,01_sequential 08_heat_map 09_noise_map 10_noise_filter,$(BUILD)/labs/$(lab)/lab)
	+$(if $(CHECK),,$(BUILDS) $(FOR_CPU) $(ON_CPU)/counted/labs/03_cuda_global/lab)
	@ON_CPU='$(ON_CPU)' REFERENCE='$(REFERENCE)' tools/report.sh $(ARGS)

# ---- check ---------------------------------------------------------------------------------------------
verify: all  ## compare every variant with the reference, byte for byte
	@tools/verify.sh

# ALL=1 adds clang++, AddressSanitizer, and nvcc for all architectures.
test:  ## install what is missing and run the tests; ALL=1: all of them
	@tools/setup.sh ffmpeg mpi tests $(if $(ALL),clang notebook)
	+$(BUILDS) WERROR=1 programs test-programs
	@$(MAKE) $(BUILDER) run-tests
	$(if $(ALL),+$(BUILDS) $(OF_CLANG) programs test-programs)
	$(if $(ALL),@$(MAKE) $(BUILDER) $(OF_CLANG) run-sanitized-tests)
	$(if $(ALL),@$(MAKE) asan)
	$(if $(and $(ALL),$(NVCC)),+$(BUILDS) WERROR=1 nvcc-check CUDA_ARCH=all-major)
OF_CLANG = BUILD=build/clang CXX=clang++ WERROR=1 CUDA_BACKEND=cuda_on_cpu

# With LAB= that lab's own verify, without it the Catch2 tests.
asan: SANITIZER = SANITIZE='-g -fsanitize=address,undefined -fno-sanitize-recover=all'
tsan: SANITIZER = SANITIZE='-g -fsanitize=thread'
asan: setup  ## the tests under AddressSanitizer; with LAB= only its verify
tsan: setup  ## data races of CPU threads; with LAB= only its verify
SANITIZED = $(SANITIZER) BUILD=build/$@ OPT=-O1 CUDA_BACKEND=cuda_on_cpu
asan tsan:
	+$(BUILDS) $(SANITIZED) $(if $(LAB),build/$@/labs/$(LAB)/lab,test-programs)
	@$(if $(LAB),build/$@/labs/$(LAB)/lab verify --quick $(if $(VARIANT),--variant '$(VARIANT)'))
	$(if $(LAB),,@$(MAKE) $(BUILDER) $(SANITIZED) run-sanitized-tests)

# Again where pyproject.toml names another version.
.venv/bin/ruff: pyproject.toml
	@tools/setup.sh ruff
	@touch -c $@

lint: .venv/bin/ruff  ## clang-format, clang-tidy and ruff, as errors
	@$< check --quiet
	@$< format --check
	@$(MAKE) $(BUILDER) $(BUILD)/lint.ok
format: .venv/bin/ruff  ## clang-format every source, ruff every Python file
	@$< check --quiet --select I --fix
	@$< format --quiet
	@$(LIST_SOURCES) | tr '\n' '\0' | xargs -0 clang-format -i

# ---- CUDA ----------------------------------------------------------------------------------------------
ON_CPU = $(BUILD)$(if $(filter cuda,$(CUDA_BACKEND)),/on_cpu)
FOR_CPU = BUILD=$(ON_CPU) CUDA_BACKEND=cuda_on_cpu
check: JUDGE = $(ON_CPU)/cuda_on_cpu/judge/judge
check:  ## find mistakes in a kernel: LAB=03_cuda_global VARIANT=plain
	+$(BUILDS) $(FOR_CPU) $(PAGE:%=$(ON_CPU)/checked/labs/$(LAB)/% $(JUDGE))
	@PROGRAM=$(ON_CPU)/checked/labs/$(LAB)/$(PAGE) JUDGE=$(JUDGE) tools/check.sh
sanitize: all  ## NVIDIA's compute-sanitizer over every variant, on a GPU
	@tools/sanitize.sh
# One architecture where none is named.
ONE_ARCH = CUDA_ARCH=$(if $(filter environment command,$(firstword $(origin CUDA_ARCH))),$(CUDA_ARCH),sm_90)
count:  ## count a kernel's accesses: LAB=05_cuda_shared VARIANT=packed
	+$(BUILDS) $(FOR_CPU) $(LAB:%=$(ON_CPU)/counted/labs/%/lab) >&2
	@ON_CPU='$(ON_CPU)' tools/count.sh $(ARGS)

# 05_two_batch: the file of VARIANT in LAB, which begins with its place in the reading order. 08_pair has pair_count, too.
PAGE = $(basename $(notdir $(wildcard labs/$(LAB)/[0-9][0-9]_$(VARIANT:%_count=%).cu)))
sass:  ## a kernel's machine code: LAB=04_cuda_constant VARIANT=unrolled
	+$(BUILDS) $(PAGE:%=$(BUILD)/nvcc/labs/$(LAB)/%.cubin) $(ONE_ARCH) >&2
	@tools/sass.sh $(BUILD)/nvcc/labs/$(LAB)/$(PAGE).cubin
profile: all data  ## Nsight Compute, on a GPU: LAB=05_cuda_shared VARIANT=packed
	@SIZE='$(if $(filter all,$(SIZES)),8k,$(SIZES))' tools/profile.sh $(LAB) $(VARIANT)

clean:  ## remove what was built, with LAB= only that lab; results stay
	rm -rf $(if $(LAB),$(foreach lab,$(LAB),$(wildcard $(foreach in,/ /*/ /*/*/,$(BUILD)$(in)labs/$(lab)))),$(BUILD))
