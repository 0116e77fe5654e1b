# Convolab: the verbs; `make help` lists them. Settings are in config.mk, the rules that build in tools/build.mk.
# All paths are relative, so the repository may be in any folder, also below one with spaces in its name.
include config.mk
include tools/labs.mk

SHELL := /bin/bash
.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: FORCE all help setup data bench sweep verify plots report compare timeline clips peers demo test asan tsan lint editor \
    sanitize races nvcc cu library count sass profile run new format clean slurm slurm-status \
    exercise exercises new-exercise handout

# One verb runs after the other; what each needs is built on all cores where make was given no -j.
BUILDER = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) --no-print-directory -f tools/build.mk
# Any file can be built by its name: make build/tests/unit
$(BUILD)/%: FORCE
	@tools/progress.sh $(MAKE) $(BUILDER) $@

# Paths are relative to the folder in which make was called (labs/lab.mk sets it); "480p 720p" is 480p,720p.
# A picture or clip that is drawn (scene:480p) has no path.
from_here = $(if $(and $(1),$(filter-out /% - $(2),$(subst $() ,|,$(1))),$(CALLED_FROM)),$(CALLED_FROM)/)$(1)
DRAWN_NAMES := scene random white moving panning static black
override IMAGE := $(call from_here,$(value IMAGE),$(DRAWN_NAMES) $(DRAWN_NAMES:%=%:%))
override OUT := $(call from_here,$(value OUT))
override CSV := $(call from_here,$(value CSV))
override PICTURE := $(call from_here,$(value PICTURE))
override FILES := $(foreach file,$(value FILES),$(call from_here,$(file)))
override FILE := $(foreach file,$(FILE),$(call from_here,$(file)))
comma := ,
override SIZES := $(patsubst ALL,all,$(subst $() ,$(comma),$(strip $(subst $(comma), ,$(SIZES)))))

# A setting that cannot be is refused before anything is built.
$(if $(filter-out on off,$(or $(PINNING),none)),$(error PINNING is '$(PINNING)'; set it to on or off))
$(if $(filter-out cuda cuda_on_cpu,$(or $(CUDA_BACKEND),none)),$(error CUDA_BACKEND is '$(CUDA_BACKEND)'; set it to cuda or cuda_on_cpu))
$(if $(or $(filter-out cuda,$(CUDA_BACKEND)),$(NVCC)),,$(error CUDA_BACKEND is cuda and there is no nvcc here; install the CUDA Toolkit, or say with NVCC= where it is))
$(if $(SIZES),,$(error SIZES is empty; set it to all, or to sizes such as 480p,1080p))
takes = $(filter $(1),$(MAKECMDGOALS))
$(if $(and $(call takes,run asan tsan sass profile timeline count),$(word 2,$(LAB))),$(error LAB is '$(LAB)'; 'make $(MAKECMDGOALS)' takes one lab))
$(if $(and $(call takes,bench verify races sanitize asan tsan),$(VARIANT),$(if $(LAB),,none)),$(error VARIANT is '$(VARIANT)'; say with LAB= of which lab))
$(if $(and $(call takes,sweep slurm),$(VARIANT)),$(error VARIANT is '$(VARIANT)'; 'make $(MAKECMDGOALS)' takes none: each line of a sweep.txt names its variants))

# What the programs in tools/ read from the environment.
export BUILD LABS CUDA_LABS CUDA_BACKEND NVCC CXX MPICXX PYTHON RESULTS ITERATIONS WARMUP PINNING SIZES IMAGE OUT VIDEO VARIANT
export LAB N HINT WATCH FILES SEED TITLE
export PARTITION ACCOUNT GRES TIME NODES SWEEP DRY
WITH_PYTHON := python=$$(tools/find_python.sh) && "$$python"
MAKE_DATA := $(BUILD)/data/make_data

# ---- build and run -----------------------------------------------------------------------------------
MODE_cuda := nvcc and a GPU: everything runs
MODE_cuda_on_cpu := $(if $(NVCC),nvcc and no GPU,no nvcc): CUDA labs run on the CPU and are checked, not timed

all:  ## build all labs and the data program
	@echo 'labs: $(LABS); $(MODE_$(CUDA_BACKEND))'
	@$(if $(and $(NOT_BUILT),$(if $(LAB),,all)),echo 'not built: $(NOT_BUILT): $(MPI_MISSING)')
	@tools/progress.sh $(MAKE) $(BUILDER) programs
	@for lab in $(LABS); do main=$$(cat labs/$$lab/main.c*); for file in labs/$$lab/[0-9][0-9]_*.c*; do \
	    name=$${file##*/??_}; name=$${name%.*}; [[ ! -f $$file || $$main =~ \&$$name[^a-z0-9_] ]] || \
	    echo "note: $$file is not used: $$(ls labs/$$lab/main.c*) does not name &$$name" >&2; done; done

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
	@echo; echo 'Settings are in config.mk; LAB=02_pthread limits a verb to one lab; all verbs work inside a lab'"'"'s folder, for that lab.'

setup:  ## install what is missing (Debian, Ubuntu) or name the packages
	@tools/setup.sh

demo: setup  ## install, build, a short protocol, verify, figures: under 5 minutes
	@tools/progress.sh $(MAKE) $(BUILDER) programs
	@tools/demo.sh

run: which_files check_run  ## filter a picture, or VIDEO=clip.mp4, or a camera, VIDEO=0: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS='--filter sharpen'
	@$(MAKE) --no-print-directory all >&2
	@tools/run.sh $(ARGS)

new:  ## copy a lab under a new name: make new LAB=13_mine FROM=01_sequential
	@tools/new_lab.sh

exercise:  ## judge your answer to an exercise: make exercise LAB=03_cuda_global N=1; HINT=1: a hint; WATCH=1: at every save; FILES='a.cu b.cu': several students'
	@python3 tools/exercises judge

exercises:  ## the exercises, and which you have solved
	@python3 tools/exercises list

new-exercise:  ## a new exercise, from the lab's first one: make new-exercise LAB=03_cuda_global TITLE='One load per pixel'
	@python3 tools/exercises new

handout:  ## the repository without solutions, for students: make handout OUT=../handout
	@tools/handout.sh '$(OUT)'

list: all
	@$(LABS:%=$(BUILD)/labs/%/lab list;)

# What can be refused is refused before anything is built.
.PHONY: list which_files which_variant which_page needs_gpu needs_nvcc which_cu
check_%:
	@CHECK=1 tools/$*.sh
which_files:
	@$(if $(and $(LAB),$(OUT)),,echo 'error: Say which: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS="--filter sharpen", or LAB=08_heat_map VIDEO=clip.mp4 OUT=heat.mp4' >&2; exit 2)
which_cu:
	@$(if $(FILE),,echo 'error: Say which: make cu FILE=prog.cu' >&2; exit 2)
which_variant:
	@$(if $(and $(LAB),$(VARIANT)),,echo 'error: Say which: LAB=05_cuda_shared VARIANT=two_batch' >&2; exit 2)
# 05_two_batch: the file of VARIANT in LAB, which begins with its place in the reading order.
PAGE = $(basename $(notdir $(wildcard labs/$(LAB)/[0-9][0-9]_$(VARIANT).cu)))
which_page: which_variant
	@$(if $(PAGE),,echo "error: Lab '$(LAB)' has no CUDA variant '$(VARIANT)'; 'make list LAB=$(LAB)' names those it has." >&2; exit 2)
needs_nvcc:
	@$(if $(NVCC),,echo "error: There is no nvcc here; install the CUDA Toolkit, or say with NVCC= where it is." >&2; exit 1)
needs_gpu:
	@$(if $(filter cuda,$(CUDA_BACKEND)),,echo "error: 'make $(MAKECMDGOALS)' needs a GPU and nvcc; here CUDA runs on the CPU, which has no times." >&2; exit 1)

# ---- measure and draw ----------------------------------------------------------------------------------
sweep: DRAWN := all
DRAWN = $(SIZES)
data:  ## draw the scene at the six sizes, or SIZES=, into data/generated/
	@tools/progress.sh $(MAKE) $(BUILDER) $(MAKE_DATA)
	@$(MAKE_DATA) --out data/generated $(if $(filter all,$(DRAWN)),,--size '$(DRAWN)')

bench: all data  ## the protocol: 100 iterations, six sizes, all labs; says first how long it takes; continues where it stopped
	@tools/bench.sh

sweep: all data  ## the sweeps of the reports (each lab's sweep.txt), of GPU variants only where there is a GPU; ITERATIONS=10 shortens them
	@tools/sweep.sh

slurm:  ## on a cluster: bench and sweeps as jobs of Slurm, which continue: make slurm PARTITION=gpu GRES=gpu:1; then make slurm-status
	@python3 tools/slurm submit

slurm-status:
	@python3 tools/slurm status

timeline: needs_gpu all  ## begin and end of each copy and kernel of lab 06 in one run: results/timeline.csv, figures (needs a GPU)
	@tools/writable.sh
	@$(BUILD)/labs/$(or $(LAB),06_async_streams)/lab timeline --size '$(if $(filter all,$(SIZES)),8k,$(SIZES))' --frames 8 \
	    $(if $(VARIANT),--variant '$(VARIANT)') \
	    --csv '$(RESULTS)/timeline.csv'
	@$(MAKE) --no-print-directory plots

clips: all  ## frames per second of clips through labs 08 to 10, from mp4 to mp4: results/clips.csv; VIDEO=clip.mp4: of yours
	@tools/setup.sh ffmpeg
	@tools/clips.sh

peers:  ## the times of OpenCV, Halide, libvips, SciPy, Pillow and, on a GPU, NPP, cuDNN, CuPy, torchvision beside ours: results/peers.csv
	@tools/writable.sh
	@tools/progress.sh $(MAKE) $(BUILDER) peers-libraries
	@$(WITH_PYTHON) tools/peers/peers.py --libraries $(BUILD)/peers --csv '$(RESULTS)/peers.csv' \
	    --sizes '$(if $(filter all,$(SIZES)),480p 1080p 4k 8k,$(SIZES))' --threads '$(THREADS)' --peers '$(PEERS)' --rounds '$(ROUNDS)'

plots:  ## your results: tables, figures and a page of results/*.csv, into results/report/
	@$(WITH_PYTHON) tools/plots --results '$(RESULTS)' --out '$(RESULTS)/report' $(ARGS)

compare:  ## two folders of results: what became faster or slower (0: nothing slower, error 3: something, error 1 or 2: a mistake): make compare A=results/reference/x B=results
	@$(if $(and $(A),$(B)),,echo 'error: Say which: make compare A=results/reference/x B=results/reference/y' >&2; exit 2)
	@$(WITH_PYTHON) tools/plots compare '$(A)' '$(B)' $(if $(LAB),--lab '$(LAB)') $(ARGS)

# Other machines: their libraries, rooflines, GPUs and ranks stand in the report, too.
OTHER_MACHINES = $(patsubst %/,--also '%',$(filter-out $(REFERENCE)/,$(wildcard results/reference/*/)))
report:  ## the committed report and the numbers of all READMEs, from results/reference/ (REFERENCE=); CHECK=1: only name what is out of date; tools/setup.sh chromium: for the PDF
	@echo "$(if $(CHECK),comparing,rewriting) report/, README.md and labs/*/README.md $(if $(CHECK),with,from) $(REFERENCE)"
	@tools/progress.sh $(MAKE) $(BUILDER) $(MAKE_DATA) $(foreach lab,01_sequential 08_heat_map 09_noise_map 10_noise_filter,$(BUILD)/labs/$(lab)/lab)
	@$(MAKE_DATA) --out data/generated --size 480p
	@$(WITH_PYTHON) study --complete --results '$(REFERENCE)' --out report --readme README.md --labs labs --texts . $(OTHER_MACHINES) $(ARGS) $(if $(CHECK),--check,--pdf)
	$(if $(CHECK),,@$(WITH_PYTHON) study/gallery.py $(BUILD)/labs/01_sequential/lab \
	    data/generated/scene_480p.png report/figures/gallery.png)
	$(if $(CHECK),,@$(WITH_PYTHON) study/video_pictures.py $(BUILD) labs)
	$(if $(CHECK),,@$(WITH_PYTHON) study/savings.py $(BUILD) labs)
	$(if $(CHECK),,@tools/progress.sh $(MAKE) $(BUILDER) BUILD=$(ON_CPU) CUDA_BACKEND=cuda_on_cpu $(ON_CPU)/counted/labs/{03_cuda_global,05_cuda_shared}/lab)
	$(if $(CHECK),,@$(WITH_PYTHON) study/request_pictures.py $(ON_CPU) labs)

# ---- check ---------------------------------------------------------------------------------------------
verify: all  ## every variant with every filter and border against the reference: results/verify.csv, a picture of each failure; SIZES=8k: all variants at that size
	@LAB='$(LAB)' tools/verify.sh

test:  ## install what is missing and run all tests; a compiler's warning is an error
	@tools/setup.sh ffmpeg mpi tests
	@tools/progress.sh $(MAKE) $(BUILDER) WERROR=1 programs test-programs
	$(if $(and $(NVCC),$(filter cuda_on_cpu,$(CUDA_BACKEND))),@tools/progress.sh $(MAKE) $(BUILDER) WERROR=1 nvcc-programs CUDA_ARCH=$(if $(filter all-major,$(CUDA_ARCH)),sm_90,$(CUDA_ARCH)))
	@$(MAKE) $(BUILDER) run-tests

# With LAB= that lab's own verify, without it the Catch2 tests.
SANITIZED = BUILD=build/$@ OPT=-O1 CUDA_BACKEND=cuda_on_cpu $(if $(LAB),build/$@/labs/$(LAB)/lab,test-programs)
SANITIZED_RUN = @$(if $(LAB),build/$@/labs/$(LAB)/lab verify --quick $(if $(VARIANT),--variant '$(VARIANT)'),$(MAKE) $(BUILDER) $(SANITIZER) $(SANITIZED:test-programs=run-sanitized-tests))
asan: SANITIZER = SANITIZE='-g -fsanitize=address,undefined -fno-sanitize-recover=all'
tsan: SANITIZER = SANITIZE='-g -fsanitize=thread'
asan: setup  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer; LAB= VARIANT=: only that verify
	@tools/progress.sh $(MAKE) $(BUILDER) $(SANITIZER) $(SANITIZED)
	$(SANITIZED_RUN)

tsan: setup  ## the tests under ThreadSanitizer: data races; LAB=05_cuda_shared VARIANT=two_batch: only that verify
	@tools/progress.sh $(MAKE) $(BUILDER) $(SANITIZER) $(SANITIZED)
	$(SANITIZED_RUN)

# Again where ruff.toml names another version.
.venv/bin/ruff: ruff.toml
	@tools/setup.sh ruff
	@touch $@

lint: .venv/bin/ruff  ## clang-format and clang-tidy, and ruff for Python, as errors
	@$< check --quiet
	@$< format --check
	@$(MAKE) $(BUILDER) $(BUILD)/lint.ok

editor:  ## compile_commands.json, for clangd and editors
	@$(MAKE) $(BUILDER) -nB programs test-programs 2>/dev/null | python3 tools/compile_commands.py

format: .venv/bin/ruff  ## clang-format every source, ruff every Python file
	@$< check --quiet --select I --fix
	@$< format --quiet
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' | tr '\n' '\0' | xargs -0 clang-format -i

# ---- CUDA ----------------------------------------------------------------------------------------------
ON_CPU := $(BUILD)$(if $(filter cuda,$(CUDA_BACKEND)),/on_cpu)
races:  ## CUDA labs on the CPU with threads in different orders, on two devices: a missing barrier or wait changes the output
	@tools/progress.sh $(MAKE) $(BUILDER) BUILD=$(ON_CPU) CUDA_BACKEND=cuda_on_cpu programs
	@BUILD='$(ON_CPU)' tools/races.sh

sanitize: check_sanitize all  ## compute-sanitizer: memcheck, racecheck, initcheck, synccheck over every variant (needs a GPU)
	@tools/sanitize.sh

nvcc: needs_nvcc  ## compile and link the CUDA labs with nvcc, for CUDA_ARCH; needs no GPU
	@tools/progress.sh $(MAKE) $(BUILDER) nvcc-programs

cu: which_cu  ## build and run your own CUDA program without a GPU: make cu FILE='prog.cu helper.cpp' ARGS='1 2'; CHECK=1: find its mistakes
	@BUILD='$(BUILD)' CHECK='$(CHECK)' FILE='$(subst ','\'',$(FILE))' tools/cu.sh $(ARGS)

LIBRARY_LINK_cuda := nvcc -std=c++20 -Ilibrary prog.cu
LIBRARY_LINK_cuda_on_cpu := $(CXX) -std=c++20 -pthread -Ilibrary prog.cpp
library:  ## the fastest kernels for your own program: build/library/libconvolab.a and library/convolab.hpp
	@tools/progress.sh $(MAKE) $(BUILDER) $(BUILD)/library/libconvolab.a
	@echo 'link it: $(LIBRARY_LINK_$(CUDA_BACKEND)) $(BUILD)/library/libconvolab.a'

COUNT_INPUT = $(if $(VIDEO),--video '$(VIDEO)',--image '$(or $(IMAGE),scene:$(if $(filter all,$(SIZES)),480p,$(SIZES)))')
count: which_variant  ## what a kernel asks of memory, by line; no GPU: make count LAB=05_cuda_shared VARIANT=two_batch SIZES=480p CSV=count.csv PICTURE=count.html
	@$(if $(CUDA_LABS),,echo "error: Lab '$(LAB)' has no CUDA kernel; name one that has, such as LAB=05_cuda_shared." >&2; exit 2)
	@$(if $(findstring clang,$(CXX)),echo "error: count needs g++ (CXX=g++): clang++ does not tell where structs are copied." >&2; exit 2)
	@tools/progress.sh $(MAKE) $(BUILDER) BUILD=$(ON_CPU) CUDA_BACKEND=cuda_on_cpu $(LAB:%=$(ON_CPU)/counted/labs/%/lab) >&2
	@CUDA_ON_CPU_COUNT_CSV='$(CSV)' CUDA_ON_CPU_COUNT_PICTURE='$(PICTURE)' $(ON_CPU)/counted/labs/$(LAB)/lab run --variant '$(VARIANT)' \
	    $(COUNT_INPUT) --out $(ON_CPU)/counted/out$(if $(VIDEO),.y4m,.png) $(ARGS)

sass: which_page needs_nvcc check_sass  ## a variant's machine code, with a count of loads, stores and multiply-adds: make sass LAB=04_cuda_constant VARIANT=unrolled
	@tools/progress.sh $(MAKE) $(BUILDER) $(PAGE:%=$(BUILD)/nvcc/labs/$(LAB)/%.o) CUDA_ARCH=$(if $(filter all-major,$(CUDA_ARCH)),sm_90,$(CUDA_ARCH)) >&2
	@tools/sass.sh $(BUILD)/nvcc/labs/$(LAB)/$(PAGE).o

profile: which_page needs_gpu check_profile all data  ## Nsight Compute counters into results/profile/: make profile LAB=05_cuda_shared VARIANT=two_batch
	@SIZE='$(if $(filter all,$(SIZES)),4k,$(SIZES))' tools/profile.sh $(LAB) $(VARIANT)

clean:  ## remove what was built, with LAB= that lab only; results stay
	rm -rf $(if $(LAB),$(wildcard $(foreach lab,$(LAB),$(BUILD)/labs/$(lab) $(BUILD)/*/labs/$(lab) $(BUILD)/*/*/labs/$(lab))),$(BUILD))
