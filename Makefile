# Convolab: the verbs; `make help` lists them. Settings are in config.mk, the rules that build in tools/build.mk.
# All paths are relative, so the repository may be in any folder, also below one with spaces in its name.
include config.mk
include tools/labs.mk
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
PLAIN := help help-all setup new new-exercise exercises handout cu plots figure compare lint format clean
export VERB A B BUILD CXX PYTHON RESULTS ITERATIONS WARMUP PINNING SIZES IMAGE OUT VIDEO VARIANT CSV PICTURE FILE CHECK
export LAB N HINT WATCH FILES SEED TITLE
ifneq ($(filter-out $(PLAIN),$(VERB)),)
export LABS CUDA_LABS CUDA_BACKEND NVCC MPICXX
endif
WITH_PYTHON := python=$$(tools/find_python.sh) && "$$python"
MAKE_DATA := $(BUILD)/data/make_data

# A setting that cannot be ends the verb before anything is built.
VERBS := all demo run list data bench sweep timeline clips peers bench-library report verify test asan tsan editor \
    check sanitize nvcc library count sass profile exercise
.PHONY: FORCE $(VERBS) $(PLAIN) settings
$(VERBS) compare: settings
settings:
	@tools/check_settings.sh

# ---- build and run -----------------------------------------------------------------------------------
all:  #: build all labs and the data program
	@tools/labs.sh '$(if $(LAB),,$(NOT_BUILT))' '$(MPI_MISSING)'
	+$(BUILDS) programs

help:  #: the verbs of a student
	@tools/help.sh '##'
help-all:  #: all verbs
	@tools/help.sh '#[#:]'
setup:  #: install what is missing (Debian, Ubuntu) or name the packages
	@tools/setup.sh

demo: setup  ## install, build, a short protocol, verify, figures: about 5 minutes on 2 cores
	+$(BUILDS) programs
	@tools/demo.sh

run:  ## filter a picture or clip: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS='--filter sharpen'
	@$(MAKE) --no-print-directory all >&2
	@tools/run.sh $(ARGS)

new:  ## copy a lab under a new name: make new LAB=13_mine FROM=01_sequential
	@tools/new_lab.sh
exercise:  ## judge your answer to the next unsolved exercise, or to LAB=03_cuda_global N=1; HINT=1; WATCH=1: at every save
	@python3 tools/exercises judge
exercises:  ## list the exercises, and which of them you have solved
	@python3 tools/exercises list
new-exercise:  #: a new one, from the lab's first: make new-exercise LAB=03_cuda_global TITLE='One load per pixel'
	@python3 tools/exercises new
handout:  #: the repository without solutions, for students: make handout OUT=../handout
	@tools/handout.sh '$(OUT)'
list: all  #: the variants of each lab
	@$(LABS:%=$(BUILD)/labs/%/lab list;)

cu:  ## run your own CUDA program without a GPU: make cu FILE='a.cu b.cpp' ARGS='1 2'; CHECK=1: check, which finds its mistakes
	@BUILD='$(BUILD)' CHECK='$(CHECK)' FILE='$(subst ','\'',$(FILE))' tools/cu.sh $(ARGS)

library:  ## the fastest kernels for your own program: build/library/libconvolab.a and library/convolab.hpp
	+$(BUILDS) library

# ---- measure and draw ----------------------------------------------------------------------------------
sweep bench-library: DRAWN := all
DRAWN = $(SIZES)
data:  #: draw the scene at the six sizes, or SIZES=, into data/generated/
	+$(BUILDS) $(MAKE_DATA)
	@$(MAKE_DATA) --out data/generated $(if $(filter all,$(DRAWN)),,--size '$(DRAWN)')

bench: all data  ## time all labs: 100 iterations, six sizes; says how long the rest takes; continues where it stopped
	@tools/bench.sh
sweep: all data  #: the sweeps of the reports (each lab's sweep.txt); ITERATIONS=10 shortens them
	@tools/sweep.sh

timeline: all  #: begin and end of each copy and kernel of lab 06 in one run: results/timeline.csv (needs a GPU)
	@tools/timeline.sh
	@$(MAKE) --no-print-directory plots
clips: all  #: frames per second of clips through labs 08 to 10: results/clips.csv; VIDEO=clip.mp4: of yours
	@tools/clips.sh

peers:  #: OpenCV, Halide, libvips, SciPy, Pillow and, on a GPU, NPP, cuDNN, CuPy, torchvision: results/peers.csv
	@libraries=$$($(MAKE) $(BUILDER) peers-list) && $(TIME_PEERS) --before "$$libraries"
	+$(BUILDS) peers-libraries
	@$(TIME_PEERS)
TIME_PEERS = $(WITH_PYTHON) tools/peers/peers.py --libraries $(BUILD)/peers --csv '$(RESULTS)/peers.csv' --peers '$(PEERS)' \
    --sizes '$(if $(filter all,$(SIZES)),480p 1080p 4k 8k,$(SIZES))' --threads '$(THREADS)' --rounds '$(ROUNDS)'
bench-library: data  #: make library and NPP, on buffers as programs have them: results/library_sweep.csv (needs a GPU)
	+$(BUILDS) library-bench
	@LABS=library tools/sweep.sh tools
plots:  ## your results: tables, figures and a page of results/*.csv, into results/report/
	@$(WITH_PYTHON) tools/plots --results '$(RESULTS)' --out '$(RESULTS)/report' $(ARGS)
compare:  #: what became faster or slower (error 3: something did): make compare A=results/reference/x B=results
	@$(WITH_PYTHON) tools/plots compare '$(A)' '$(B)' $(if $(LAB),--lab '$(LAB)') $(ARGS)
report:  #: the report and the numbers of all READMEs, from REFERENCE=; CHECK=1: only name what is out of date
	+$(BUILDS) $(MAKE_DATA) $(foreach lab,01_sequential 08_heat_map 09_noise_map 10_noise_filter,$(BUILD)/labs/$(lab)/lab)
	+$(if $(CHECK),,$(BUILDS) $(FOR_CPU) $(ON_CPU)/counted/labs/03_cuda_global/lab)
	@ON_CPU='$(ON_CPU)' REFERENCE='$(REFERENCE)' tools/report.sh $(ARGS)
figure:  #: one figure of the report, by its name: make figure NAME=road OUT=folder
	@NAME='$(NAME)' OUT='$(or $(OUT),$(RESULTS)/figures)' REFERENCE='$(REFERENCE)' tools/report.sh $(ARGS)

# ---- check ---------------------------------------------------------------------------------------------
verify: all  ## compare every variant, filter and border with the reference, byte for byte; SIZES=8k: at that size
	@tools/verify.sh

# ALL=1 adds clang++, AddressSanitizer, and nvcc for all architectures.
test:  ## install what is missing and run the tests, with LAB= that lab's; ALL=1: also what takes long and seldom fails
	@tools/setup.sh ffmpeg mpi tests $(if $(ALL),clang notebook)
	+$(BUILDS) WERROR=1 programs test-programs
	@$(MAKE) $(BUILDER) run-tests
	$(if $(ALL),+$(BUILDS) $(OF_CLANG) programs test-programs)
	$(if $(ALL),@$(MAKE) $(BUILDER) $(OF_CLANG) run-sanitized-tests)
	$(if $(ALL),@$(MAKE) asan)
	$(if $(and $(ALL),$(NVCC)),@$(MAKE) nvcc CUDA_ARCH=all-major)
OF_CLANG = BUILD=build/clang CXX=clang++ WERROR=1 CUDA_BACKEND=cuda_on_cpu

# With LAB= that lab's own verify, without it the Catch2 tests.
asan: SANITIZER = SANITIZE='-g -fsanitize=address,undefined -fno-sanitize-recover=all'
tsan: SANITIZER = SANITIZE='-g -fsanitize=thread'
asan: setup  #: the tests under AddressSanitizer and UndefinedBehaviorSanitizer; LAB= VARIANT=: only that verify
tsan: setup  #: the tests without CUDA under ThreadSanitizer: data races of CPU threads; LAB=02_pthread: only that verify
SANITIZED = $(SANITIZER) BUILD=build/$@ OPT=-O1 CUDA_BACKEND=cuda_on_cpu
asan tsan:
	+$(BUILDS) $(SANITIZED) $(if $(LAB),build/$@/labs/$(LAB)/lab,test-programs)
	@$(if $(LAB),build/$@/labs/$(LAB)/lab verify --quick $(if $(VARIANT),--variant '$(VARIANT)'))
	$(if $(LAB),,@$(MAKE) $(BUILDER) $(SANITIZED) run-sanitized-tests)

# Again where ruff.toml names another version.
.venv/bin/ruff: ruff.toml
	@tools/setup.sh ruff
	@touch $@

lint: .venv/bin/ruff  #: clang-format and clang-tidy, and ruff for Python, as errors
	@$< check --quiet
	@$< format --check
	@$(MAKE) $(BUILDER) $(BUILD)/lint.ok
editor:  #: compile_commands.json, for clangd and editors
	@$(MAKE) $(BUILDER) -nB programs test-programs 2>/dev/null | python3 tools/compile_commands.py
format: .venv/bin/ruff  #: clang-format every source, ruff every Python file
	@$< check --quiet --select I --fix
	@$< format --quiet
	@$(LIST_SOURCES) | tr '\n' '\0' | xargs -0 clang-format -i

# ---- CUDA ----------------------------------------------------------------------------------------------
ON_CPU = $(BUILD)$(if $(filter cuda,$(CUDA_BACKEND)),/on_cpu)
FOR_CPU = BUILD=$(ON_CPU) CUDA_BACKEND=cuda_on_cpu
check: JUDGE = $(ON_CPU)/cuda_on_cpu/judge/judge
check:  ## mistakes of a lab's kernel, with line and thread: make check LAB=03_cuda_global VARIANT=coalesced
	+$(BUILDS) $(FOR_CPU) $(PAGE:%=$(ON_CPU)/checked/labs/$(LAB)/% $(JUDGE))
	@PROGRAM=$(ON_CPU)/checked/labs/$(LAB)/$(PAGE) JUDGE=$(JUDGE) tools/check.sh
sanitize: all  #: compute-sanitizer: memcheck, racecheck, initcheck, synccheck over every variant (needs a GPU)
	@tools/sanitize.sh
# One architecture where none is named.
ONE_ARCH = CUDA_ARCH=$(if $(filter environment command,$(firstword $(origin CUDA_ARCH))),$(CUDA_ARCH),sm_90)
nvcc:  #: compile the CUDA labs with nvcc, for CUDA_ARCH or sm_90; needs no GPU; a warning is an error
	+$(BUILDS) WERROR=1 nvcc-check $(ONE_ARCH)
count:  ## what a kernel asks of memory, by line: make count LAB=05_cuda_shared VARIANT=two_batch CSV=count.csv
	+$(BUILDS) $(FOR_CPU) $(LAB:%=$(ON_CPU)/counted/labs/%/lab) >&2
	@ON_CPU='$(ON_CPU)' tools/count.sh $(ARGS)

# 05_two_batch: the file of VARIANT in LAB, which begins with its place in the reading order.
PAGE = $(basename $(notdir $(wildcard labs/$(LAB)/[0-9][0-9]_$(VARIANT).cu)))
sass:  #: a variant's machine code, and its loads and multiply-adds: make sass LAB=04_cuda_constant VARIANT=unrolled
	+$(BUILDS) $(PAGE:%=$(BUILD)/nvcc/labs/$(LAB)/%.cubin) $(ONE_ARCH) >&2
	@tools/sass.sh $(BUILD)/nvcc/labs/$(LAB)/$(PAGE).cubin
profile: all data  #: Nsight Compute counters: make profile LAB=05_cuda_shared VARIANT=two_batch (needs a GPU)
	@SIZE='$(if $(filter all,$(SIZES)),4k,$(SIZES))' tools/profile.sh $(LAB) $(VARIANT)

clean:  #: remove what was built, with LAB= that lab only; results stay
	rm -rf $(if $(LAB),$(foreach lab,$(LAB),$(wildcard $(foreach in,/ /*/ /*/*/,$(BUILD)$(in)labs/$(lab)))),$(BUILD))
