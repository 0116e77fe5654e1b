# Convolab. `make help` lists the verbs; config.mk holds every setting.
# All paths are relative, so that the folder may stand anywhere, also where a parent has spaces.
include config.mk

SHELL := /bin/bash
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

ALL_LABS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard labs/*/main.cpp labs/*/main.cu)))))
ifeq ($(MAKECMDGOALS),new)
NEW := $(LAB)
override LAB :=
endif
LABS := $(if $(LAB),$(LAB),$(ALL_LABS))
ifneq ($(filter-out $(ALL_LABS),$(LABS)),)
$(error There is no lab $(filter-out $(ALL_LABS),$(LABS)); choose from: $(ALL_LABS))
endif
LAB_PROGRAMS := $(LABS:%=$(BUILD)/labs/%/lab)

# ---- flags -----------------------------------------------------------------------------------------
STANDARD := -std=c++20
WARNINGS := -Wall -Wextra -Werror
# g++ 12 and 13 warn of std::string + at -O3 (their bug 105651), nothing of ours.
WARNINGS += $(if $(filter 12 13,$(shell $(CXX) -dumpversion 2>/dev/null | cut -d. -f1)),-Wno-restrict)
PNG_FLAGS := $(shell pkg-config --cflags libpng 2>/dev/null)
PNG_LIBS := $(or $(shell pkg-config --libs libpng 2>/dev/null),-lpng)
CXXFLAGS := $(STANDARD) $(OPT) $(SANITIZE)
# g++ -fsanitize=address takes its own bookkeeping for uninitialised reads.
WARNINGS += $(if $(and $(SANITIZE),$(findstring g++,$(notdir $(CXX)))),$(if $(findstring clang,$(CXX)),,-Wno-maybe-uninitialized))
COMPILE := $(CXX) $(CXXFLAGS) $(WARNINGS) $(PNG_FLAGS) -I. -MMD -MP -pthread
CPU_CUDA_FLAGS := -x c++ -Icommon/cuda_on_cpu -Wno-unknown-pragmas
NVCCFLAGS := $(STANDARD) $(OPT) -arch=$(CUDA_ARCH)
NVCC_COMPILE = $(NVCC) $(NVCCFLAGS) -ccbin $(CXX) -Xcompiler -Wall,-Wextra,-Werror -Werror all-warnings -I. -MMD -MP
CXX_VERSION := $(notdir $(CXX)) $(shell $(CXX) -dumpfullversion -dumpversion 2>/dev/null)
NVCC_VERSION := $(if $(NVCC),nvcc $(shell "$(NVCC)" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'))
CUDA_VERSION := $(if $(filter cuda,$(CUDA_BACKEND)),$(NVCC_VERSION) with )$(CXX_VERSION)

# Objects are made again when a flag changes.
FLAGS_STAMP := $(BUILD)/flags.txt
FLAGS_NOW := $(CXX_VERSION) | $(COMPILE) | $(CUDA_BACKEND) $(if $(filter cuda,$(CUDA_BACKEND)),$(NVCC_VERSION) $(NVCCFLAGS))
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D); echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

# The revision a result is recorded with, and whether the sources differed from it.
REVISION_STAMP := $(BUILD)/revision.txt
REVISION_NOW = $(if $(REVISION),$(REVISION) 0,$$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown) $$(test -z "$$(git status --porcelain -- common labs data Makefile config.mk 2>/dev/null)" && echo 0 || echo 1))
$(REVISION_STAMP): FORCE
	@mkdir -p $(@D); now="$(REVISION_NOW)"; echo "$$now" | cmp -s - $@ || echo "$$now" > $@

# Each command is shown as its output's name; V=1 shows it whole.
ifeq ($(V),)
Q = @echo '  $@';
endif

# demo and test build with all cores where make was given no -j.
JOBS := $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

# ---- common ----------------------------------------------------------------------------------------
# The rooms of common/, without those of CUDA, and the parts of CPU labs that are no variants (labs/*/*/).
COMMON_SOURCES := $(filter-out common/measurement/build_info.cpp common/cuda%,$(wildcard common/*/*.cpp)) $(wildcard labs/*/*/*.cpp)
COMMON_OBJECTS := $(COMMON_SOURCES:%.cpp=$(BUILD)/%.o)
COMMON := $(BUILD)/libconvolab.a
CUDA_OBJECTS := $(patsubst %.cu,$(BUILD)/%.o,$(wildcard common/cuda/*.cu)) \
    $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard common/cuda/*.cpp))
ifeq ($(CUDA_BACKEND),cuda_on_cpu)
CUDA_OBJECTS += $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard common/cuda_on_cpu/*.cpp))
endif
CUDA_COMMON := $(BUILD)/libconvolab_cuda.a

$(BUILD)/%.o: %.cpp $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c $< -o $@

# The emulator tells ThreadSanitizer itself which of its fibres run, so it is not instrumented.
$(BUILD)/common/cuda_on_cpu/%.o: common/cuda_on_cpu/%.cpp $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(Q)$(filter-out -fsanitize=thread,$(COMPILE)) -Icommon/cuda_on_cpu -c $< -o $@

$(BUILD)/%.o: %.cu $(FLAGS_STAMP)
	@mkdir -p $(@D)
ifeq ($(CUDA_BACKEND),cuda)
	$(Q)$(NVCC_COMPILE) -c $< -o $@
else
	$(Q)$(COMPILE) $(CPU_CUDA_FLAGS) -c $< -o $@
endif

$(COMMON): $(COMMON_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(CUDA_COMMON): $(CUDA_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# ---- labs: found, not listed -----------------------------------------------------------------------
# A lab is a folder under labs/ with a main.cpp (CPU) or a main.cu (CUDA). $(1): its name.
lab_sources = $(wildcard labs/$(1)/*.cpp labs/$(1)/*.cu)
lab_objects = $(patsubst %,$(BUILD)/%.o,$(basename $(call lab_sources,$(1))))
is_cuda = $(wildcard labs/$(1)/main.cu)
lab_libraries = $(if $(call is_cuda,$(1)),$(CUDA_COMMON)) $(COMMON)
ifeq ($(CUDA_BACKEND),cuda)
lab_linker = $(if $(call is_cuda,$(1)),$(NVCC) $(NVCCFLAGS) -ccbin $(CXX),$(CXX) $(CXXFLAGS) -pthread)
else
lab_linker = $(CXX) $(CXXFLAGS) -pthread
endif
lab_compiler = $(if $(call is_cuda,$(1)),$(CUDA_VERSION),$(CXX_VERSION))
lab_flags = $(if $(and $(call is_cuda,$(1)),$(filter cuda,$(CUDA_BACKEND))),$(NVCCFLAGS),$(CXXFLAGS))

define lab_rules
$(BUILD)/labs/$(1)/build_info.o: common/measurement/build_info.cpp $(call lab_objects,$(1)) $(call lab_libraries,$(1)) $(REVISION_STAMP)
	@read -r revision dirty < $(REVISION_STAMP); \
	hash=$$$$(cat $(call lab_objects,$(1)) $(call lab_libraries,$(1)) | cksum | cut -d' ' -f1); \
	$(COMPILE) -DCONVOLAB_COMPILER='"$(call lab_compiler,$(1))"' -DCONVOLAB_FLAGS='"$(call lab_flags,$(1))"' \
	    -DCONVOLAB_BUILD="\"$$$$hash\"" -DCONVOLAB_REVISION="\"$$$$revision\"" -DCONVOLAB_DIRTY="$$$$dirty" -c $$< -o $$@

$(BUILD)/labs/$(1)/lab: $(call lab_objects,$(1)) $(BUILD)/labs/$(1)/build_info.o $(call lab_libraries,$(1))
	$$(Q)$(call lab_linker,$(1)) $$^ $(PNG_LIBS) -o $$@
endef
$(foreach lab,$(ALL_LABS),$(eval $(call lab_rules,$(lab))))

# ---- nvcc without a GPU: the CUDA labs stay valid CUDA ----------------------------------------------
NVCC_BUILD := $(BUILD)/nvcc
CUDA_LABS := $(foreach lab,$(LABS),$(if $(call is_cuda,$(lab)),$(lab)))
$(NVCC_BUILD)/%.o: %.cu $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(Q)$(NVCC_COMPILE) -c $< -o $@

nvcc_objects = $(patsubst %,$(NVCC_BUILD)/%.o,$(basename $(wildcard labs/$(1)/*.cu common/cuda/*.cu)))
define nvcc_rules
$(NVCC_BUILD)/labs/$(1)/lab: $(call nvcc_objects,$(1)) $(BUILD)/labs/$(1)/build_info.o $(COMMON)
	$$(Q)$(NVCC) $(NVCCFLAGS) -ccbin $(CXX) $$^ $(PNG_LIBS) -o $$@
endef
$(foreach lab,$(foreach l,$(ALL_LABS),$(if $(call is_cuda,$(l)),$(l))),$(eval $(call nvcc_rules,$(lab))))

# ---- data ------------------------------------------------------------------------------------------
MAKE_DATA := $(BUILD)/data/make_data
$(MAKE_DATA): $(BUILD)/data/make_data.o $(COMMON)
	$(Q)$(CXX) $(CXXFLAGS) -pthread $^ $(PNG_LIBS) -o $@

# ---- verbs -----------------------------------------------------------------------------------------
.PHONY: FORCE all mode help setup data bench sweep verify timeline plots gallery report test demo run nvcc races sanitize sass profile new format lint asan tsan clean
FORCE:

FIND_PYTHON = PYTHON='$(PYTHON)' tools/find_python.sh
LAB_ENVIRONMENT = BUILD='$(BUILD)' LABS='$(LABS)' RESULTS='$(RESULTS)' ITERATIONS='$(ITERATIONS)' \
    WARMUP='$(WARMUP)' SIZES='$(SIZES)' IMAGE='$(IMAGE)'

all: mode $(LAB_PROGRAMS) $(MAKE_DATA)  ## build all labs and the data program

mode:
	@echo 'labs: $(LABS); $(if $(filter cuda,$(CUDA_BACKEND)),nvcc and a GPU: everything runs,$(if $(NVCC),nvcc and no GPU: CUDA labs run on the CPU and are checked, not timed,no nvcc: CUDA labs run on the CPU and are checked, not timed))'

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile tests/tests.mk tools/peers/peers.mk | expand -t 16
	@echo; echo 'Settings are in config.mk; LAB=02_pthread limits a verb to one lab.'

setup:  ## install what is missing (Debian, Ubuntu) or name the packages
	@tools/setup.sh

data: $(MAKE_DATA)  ## draw the scene at the six sizes into data/generated/
	@$(MAKE_DATA) --out data/generated

bench: all data  ## the protocol: 100 iterations, six sizes, all labs; continues where it stopped
	@$(LAB_ENVIRONMENT) tools/bench.sh

sweep: all data  ## the sweeps of the reports (each lab's sweep.txt); ITERATIONS=10 shortens them
	@$(LAB_ENVIRONMENT) tools/sweep.sh

verify: all  ## compare every variant of every lab with the reference, byte for byte
	@$(LAB_ENVIRONMENT) tools/verify.sh

timeline: all  ## what happens when in lab 06: each copy and kernel of one run, results/timeline.csv, figures
	@$(BUILD)/labs/$(or $(LAB),06_async_streams)/lab timeline --size '$(if $(filter all,$(SIZES)),8k,$(SIZES))' --frames 8 \
	    --csv '$(RESULTS)/timeline.csv'
	@$(MAKE) --no-print-directory plots

plots:  ## tables, figures and report/report.md from results/*.csv; the README's table
	@python=$$($(FIND_PYTHON)) && "$$python" report/plots.py --results '$(RESULTS)' --out report --readme README.md --labs labs

gallery: all data  ## the scene before and after each filter: report/figures/gallery.png
	@python=$$($(FIND_PYTHON)) && "$$python" tools/gallery.py $(BUILD)/labs/01_sequential/lab \
	    data/generated/scene_480p.png report/figures/gallery.png

report: plots gallery  ## both; the report is report/report.md
	@echo 'the report: report/report.md'

demo: setup  ## install, build, a short protocol, verify, figures: under 5 minutes
	@$(MAKE) $(JOBS) --no-print-directory all data
	@$(LAB_ENVIRONMENT) PYTHON='$(PYTHON)' tools/demo.sh

run: all  ## filter a picture: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS='--filter sharpen'
	@$(if $(and $(LAB),$(IMAGE),$(OUT)),,echo 'Say which: make run LAB=01_sequential IMAGE=in.png OUT=out.png ARGS="--filter sharpen"' >&2; exit 2)
	@$(BUILD)/labs/$(LAB)/lab run --image '$(IMAGE)' --out '$(OUT)' $(ARGS)

nvcc: $(CUDA_LABS:%=$(NVCC_BUILD)/labs/%/lab)  ## compile and link the CUDA labs with nvcc, for CUDA_ARCH; needs no GPU

races:  ## CUDA labs on the CPU with threads in different orders: a missing barrier changes the output
	@$(MAKE) --no-print-directory BUILD=$(if $(filter cuda,$(CUDA_BACKEND)),$(BUILD)/on_cpu,$(BUILD)) CUDA_BACKEND=cuda_on_cpu all
	@BUILD='$(if $(filter cuda,$(CUDA_BACKEND)),$(BUILD)/on_cpu,$(BUILD))' LABS='$(CUDA_LABS)' tools/races.sh

sanitize: all  ## compute-sanitizer: memcheck, racecheck, initcheck, synccheck over every variant (needs a GPU)
	@BUILD='$(BUILD)' LABS='$(CUDA_LABS)' CUDA_BACKEND='$(CUDA_BACKEND)' tools/sanitize.sh

sass: $(if $(and $(LAB),$(VARIANT)),sass_of_variant,which_variant)  ## machine code and its loads, stores, multiply-adds: make sass LAB=04_cuda_constant VARIANT=unrolled

profile: $(if $(and $(LAB),$(VARIANT)),profile_of_variant,which_variant)  ## Nsight Compute counters into results/profile/: make profile LAB=05_cuda_shared VARIANT=two_batch

.PHONY: which_variant sass_of_variant profile_of_variant
which_variant:
	@echo 'error: Say which: LAB=05_cuda_shared VARIANT=two_batch' >&2; exit 2

sass_of_variant:
	@$(MAKE) --no-print-directory $(NVCC_BUILD)/labs/$(LAB)/$(VARIANT).o CUDA_ARCH=$(if $(filter all-major,$(CUDA_ARCH)),sm_90,$(CUDA_ARCH)) >/dev/null
	@NVCC='$(NVCC)' tools/sass.sh $(NVCC_BUILD)/labs/$(LAB)/$(VARIANT).o

profile_of_variant: all data
	@BUILD='$(BUILD)' RESULTS='$(RESULTS)' SIZE='$(if $(filter all,$(SIZES)),4k,$(SIZES))' tools/profile.sh $(LAB) $(VARIANT)

new:  ## a new lab from an old one: make new LAB=11_mine FROM=01_sequential
	@tools/new_lab.sh '$(NEW)' '$(FROM)'

format:  ## clang-format every source
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' | tr '\n' '\0' | xargs -0 clang-format -i

lint: $(BUILD)/lint.ok  ## clang-format and clang-tidy, as errors

clean:  ## remove what was built; results stay
	rm -rf $(BUILD)

include tests/tests.mk
include tools/peers/peers.mk

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
