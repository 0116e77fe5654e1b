# The machinery: how programs are built. The Makefile calls it for each verb; settings are in config.mk.
include config.mk
include tools/found.mk

SHELL := /bin/bash
.DEFAULT_GOAL := programs
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE programs nvcc-check
FORCE:

ifeq ($(shell command -v $(firstword $(CXX))),)
$(error There is no compiler '$(CXX)' here: install it ('make setup'), or choose another, such as CXX=clang++)
endif
ifneq ($(if $(NVCC),,$(filter nvcc-check,$(MAKECMDGOALS))),)
$(error There is no nvcc here: install the CUDA Toolkit, or say with NVCC= where it is)
endif
ifeq ($(shell mkdir -p $(BUILD) 2>/dev/null && test -w $(BUILD) && echo yes),)
$(error The folder '$(BUILD)' cannot be written: change its permissions, or build in another, such as BUILD=/tmp/convolab)
endif

# The last labs take longest: first, so that no core waits for them at the end.
reversed = $(if $(1),$(call reversed,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
programs: $(BUILD)/data/make_data $(call reversed,$(LABS:%=$(BUILD)/labs/%/lab))

# ---- flags -----------------------------------------------------------------------------------------
STANDARD := -std=c++20
WARNINGS := -Wall -Wextra
# g++ from 12 on warns of std::string at -O3 (its bug 105651), not of code of the project; with precompiled headers in two more words.
IS_CLANG := $(shell cuda_on_cpu/is_clang $(CXX) && echo yes)
CXX_KIND := $(if $(IS_CLANG),clang++,g++)
WARNINGS += $(if $(IS_CLANG),,-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
PNG_FLAGS := $(shell pkg-config --cflags libpng 2>/dev/null)
PNG_LIBS := $(or $(shell pkg-config --libs libpng 2>/dev/null),-lpng) -lz
CXXFLAGS := $(STANDARD) $(OPT) $(SANITIZE)
# g++ -fsanitize=address takes its own bookkeeping for uninitialised reads.
WARNINGS += $(if $(SANITIZE),$(if $(IS_CLANG),,-Wno-maybe-uninitialized))
# What is timed may become a part of a shared library (make library, tools/peers). On x86-64 its machine code stays the same.
PIC := -fPIC -fvisibility=hidden
COMPILE := tools/compile.sh $(CXX) $(CXXFLAGS) $(PIC) $(WARNINGS) $(PNG_FLAGS) -I. -MMD -MP -pthread
NVCC_ARCH = $(CUDA_ARCH)
# nvcc takes one word.
HOST_CXX := $(firstword $(filter-out %ccache %distcc,$(CXX)))
NVCCFLAGS = $(STANDARD) $(OPT) -arch=$(NVCC_ARCH)
# cuFFT, cuBLAS and NPP are parts of the CUDA toolkit that may be missing. $(1): a library's name, $(2): its header.
TOOLKITS := $(if $(NVCC),$(patsubst %/bin/nvcc,%,$(NVCC) $(realpath $(NVCC))))
in_toolkit = $(firstword $(wildcard $(foreach toolkit,$(TOOLKITS),$(addprefix $(toolkit)/,$(1)))))
toolkit_folder = $(if $(call in_toolkit,include/$(2) targets/*-linux/include/$(2)),$(dir $(call in_toolkit,$(addsuffix /lib$(1).so,lib64 lib lib/*-linux-gnu targets/*-linux/lib))))
toolkit_libs = $(foreach folder,$(call toolkit_folder,$(1),$(2)),-L$(folder) -Xlinker -rpath -Xlinker $(folder) -l$(1))
CUFFT_LIBS := $(call toolkit_libs,cufft,cufft.h)
CUBLAS_LIBS := $(call toolkit_libs,cublas,cublas_v2.h)
NPP_LIBS := $(if $(filter cuda,$(CUDA_BACKEND)),$(patsubst -lnppif,-lnppif -lnppc,$(call toolkit_libs,nppif,npp.h)))
TOOLKIT_FLAGS = $(if $(CUFFT_LIBS),-DCONVOLAB_CUFFT) $(if $(CUBLAS_LIBS),-DCONVOLAB_CUBLAS) $(if $(NPP_LIBS),-DCONVOLAB_NPP)
NVCC_COMPILE = tools/compile.sh $(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX) -Xcompiler -Wall,-Wextra,-fPIC,-fvisibility=hidden -I. -MMD -MP $(TOOLKIT_FLAGS)
CXX_VERSION := $(CXX_KIND) $(shell $(CXX) -dumpfullversion -dumpversion 2>/dev/null)
NVCC_VERSION := $(if $(NVCC),nvcc $(shell "$(NVCC)" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'))
CUDA_VERSION := $(if $(filter cuda,$(CUDA_BACKEND)),$(NVCC_VERSION) with )$(CXX_VERSION)

# g++ 10 lacks `using enum`; clang++ 13 warns of lambdas in lab 10.
COMPILES = printf '%s\n' '\#include <string>' '\#if defined __clang__ && __clang_major__ < 14' '\#error' '\#endif' \
    'enum class E { a }; using enum E; int main() { return std::string("a") != "a" || a != E{}; }' | \
    $(CXX) $(STANDARD) -x c++ - -o $(@D)/compiles 2>/dev/null && rm $(@D)/compiles || \
    { echo "error: No program can be built with CXX=$(CXX); it takes g++ 11 or later, or clang++ 14 or later." >&2; exit 1; }

# Objects are made again when a flag changes that they are compiled with: a file of each set of flags. An object's set is its
# FLAGS_SET. (`private`: a target's own flags are not its prerequisites'.)
FLAGS_SET = timed
flags_file = $(BUILD)/flags/$(FLAGS_SET).txt
FLAGS_timed = $(COMPILE)
FLAGS_untimed = $(UNTIMED_COMPILE)
FLAGS_unoptimised = $(subst $(OPT),-O0,$(COMPILE))
FLAGS_cuda = $(if $(filter cuda,$(CUDA_BACKEND)),$(FLAGS_nvcc),$(UNTIMED_COMPILE))
FLAGS_mistakes = $(UNTIMED_COMPILE)
FLAGS_nvcc = $(NVCC_VERSION) | $(NVCC_COMPILE)
# NOW=+: also under -n, so that it counts what is to be built (tools/progress.sh).
NOW :=
$(BUILD)/flags/compiler.txt: FORCE
	$(NOW)@mkdir -p $(@D); echo '$(CXX_VERSION)' | cmp -s - $@ || { $(COMPILES) && echo '$(CXX_VERSION)' > $@; }
# Each is named: of a file that only a pattern names, make 4.3 believes that it changed whenever its recipe ran.
$(patsubst %,$(BUILD)/flags/%.txt,timed untimed unoptimised cuda mistakes nvcc fftw): $(BUILD)/flags/%.txt: FORCE | $(BUILD)/flags/compiler.txt
	$(NOW)@echo '$(CXX_VERSION) | $(FLAGS_$*)' | cmp -s - $@ || echo '$(CXX_VERSION) | $(FLAGS_$*)' > $@
.SECONDEXPANSION:

# The revision a result is recorded with, and whether the sources differed from it. A folder without .git may lie in another
# repository.
OWN_GIT := test -e .git && git
REVISION_STAMP := $(BUILD)/revision.txt
REVISION_NOW = $(if $(REVISION),$(REVISION) 0,$$($(OWN_GIT) rev-parse --short=12 HEAD 2>/dev/null || echo unknown) $$(test -z "$$($(OWN_GIT) status --porcelain -- common cuda_on_cpu labs library data Makefile config.mk tools/build.mk tools/found.mk 2>/dev/null)" && echo 0 || echo 1))
$(REVISION_STAMP): FORCE
	$(NOW)@mkdir -p $(@D); now="$(REVISION_NOW)"; echo "$$now" | cmp -s - $@ || echo "$$now" > $@

# Each command is shown as its output's name; V=1 shows it whole, and all that a compiler says.
ifeq ($(V),)
Q = @echo '  $@';
endif

# ---- common ----------------------------------------------------------------------------------------
# The files of a room in ONE_SOURCE are compiled together, which takes a third of the time, because most of it goes into reading
# headers.
ONE_SOURCE := common/base common/convolution common/driver common/image common/measurement common/media common/threads \
    common/variant $(patsubst %/,%,$(wildcard labs/*/ranks/ labs/*/commands/))
# The library does without libpng.
ALONE := common/driver/command_line.cpp common/driver/run_lab.cpp common/media/png.cpp common/media/png_write.cpp common/measurement/build_info.cpp
COMMON_SOURCES := $(filter-out common/measurement/build_info.cpp common/cuda%,$(wildcard common/*/*.cpp))
sources_of = $(filter-out $(ALONE),$(wildcard $(1)/*.cpp))
COMMON_OBJECTS := $(patsubst %,$(BUILD)/%.o,$(filter common/%,$(ONE_SOURCE))) \
    $(patsubst %.cpp,$(BUILD)/%.o,$(filter-out $(foreach room,$(ONE_SOURCE),$(call sources_of,$(room))),$(COMMON_SOURCES)))
COMMON := $(BUILD)/libconvolab.a
CUDA_OBJECTS := $(patsubst %.cu,$(BUILD)/%.o,$(wildcard common/cuda/*.cu)) \
    $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard common/cuda/*.cpp))
CUDA_COMMON := $(BUILD)/libconvolab_cuda.a

include tools/std_headers.mk
$(BUILD)/%.o: %.cpp $$(flags_file) | $$(std_file)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(with_std) -c $< -o $@

define room_rules
$(BUILD)/$(1).cpp: FORCE
	$(NOW)@mkdir -p $$(@D); printf '#include "%s"\n' $(call sources_of,$(1)) >$$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(BUILD)/$(1).o: $(BUILD)/$(1).cpp $$$$(flags_file) | $$$$(std_file)
	$$(Q)$$(COMPILE) $$(with_std) -c $$< -o $$@
endef
$(foreach room,$(ONE_SOURCE),$(eval $(call room_rules,$(room))))

# What is not timed is compiled faster: reading options (CLI11 takes long to optimise), the driver, a lab's commands, tests.
CATCH_MAIN := $(BUILD)/tests/main.o
UNOPTIMISED := $(BUILD)/common/driver/command_line.o $(CATCH_MAIN)
$(UNOPTIMISED): private COMPILE := $(FLAGS_unoptimised)
$(UNOPTIMISED): private FLAGS_SET := unoptimised
UNTIMED_COMPILE := $(subst $(PIC) ,,$(subst $(OPT),-O1,$(COMPILE)))
UNTIMED := $(filter-out $(UNOPTIMISED),$(patsubst %.cpp,$(BUILD)/%.o,common/driver.cpp \
    data/make_data.cpp $(patsubst %/,%.cpp,$(wildcard labs/*/commands/)) $(wildcard common/driver/*.cpp \
    tests/*.cpp tests/lab/*.cpp tests/lab/cpu/*.cpp tests/library/*.cpp)))
$(UNTIMED): private COMPILE := $(UNTIMED_COMPILE)
$(UNTIMED): private FLAGS_SET := untimed

ifeq ($(CUDA_BACKEND),cuda)
$(BUILD)/%.o: %.cu $(BUILD)/flags/cuda.txt
	@mkdir -p $(@D)
	$(Q)$(NVCC_COMPILE) -c $< -o $@
else
CUDA_ROOMS := common labs library tests tools
include cuda_on_cpu/rules.mk
CUDA_OBJECTS += $(EMULATOR_OBJECT)
endif

$(COMMON): $(COMMON_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(CUDA_COMMON): $(CUDA_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# ---- labs ------------------------------------------------------------------------------------------
# Empty if the compiler has no OpenMP. ThreadSanitizer does not know its threads.
OPENMP := $(if $(findstring thread,$(SANITIZE)),,$(shell echo 'int main() {}' | $(CXX) -fopenmp -x c++ - -o /dev/null 2>/dev/null && echo -fopenmp))
OPENMP_OBJECTS := $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard labs/*/*_openmp.cpp))
$(OPENMP_OBJECTS): private COMPILE += $(OPENMP)
# clang++ 14 crashes if a precompiled header was made without -fopenmp.
$(OPENMP_OBJECTS): private std_set :=
lab_openmp = $(if $(wildcard labs/$(1)/*_openmp.cpp),$(OPENMP))
# FFTW_LIBS: empty if there is no FFTW.
FFTW_LIBS := $(or $(shell pkg-config --libs fftw3 2>/dev/null),$(if $(wildcard /usr/include/fftw3.h),-lfftw3))
FFTW_FLAGS := $(if $(FFTW_LIBS),-DCONVOLAB_FFTW $(shell pkg-config --cflags fftw3 2>/dev/null))
FFT_OBJECTS := $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard labs/*/*_fft.cpp))
FLAGS_fftw = $(COMPILE) $(FFTW_FLAGS)
$(FFT_OBJECTS): private COMPILE := $(FLAGS_fftw)
$(FFT_OBJECTS): private FLAGS_SET := fftw
# $(1): a lab's name. alone.cu is a program of its own.
lab_pages = $(filter-out %/alone.cu,$(wildcard labs/$(1)/*.cu labs/$(1)/*/*.cu))
lab_sources = $(wildcard labs/$(1)/*.cpp labs/$(1)/*/*.cpp) $(call lab_pages,$(1))
lab_objects = $(patsubst %,$(BUILD)/%.o,$(basename $(filter-out $(ONE_SOURCE:%=%/%.cpp),$(call lab_sources,$(1)))) $(filter labs/$(1)/%,$(ONE_SOURCE)))
lab_libraries = $(if $(call is_cuda,$(1)),$(CUDA_COMMON)) $(COMMON)
ifeq ($(CUDA_BACKEND),cuda)
lab_linker = $(if $(call is_cuda,$(1)),$(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX),$(CXX) $(CXXFLAGS) -pthread $(lab_openmp))
else
lab_linker = $(CXX) $(CXXFLAGS) -pthread $(lab_openmp)
endif
lab_compiler = $(if $(call is_cuda,$(1)),$(CUDA_VERSION),$(CXX_VERSION))
lab_flags = $(if $(and $(call is_cuda,$(1)),$(filter cuda,$(CUDA_BACKEND))),$(NVCCFLAGS),$(CXXFLAGS))

# Open MPI's headers are no concern of our warnings; its C++ interface is not used.
MPI_FLAGS := $(if $(MPICXX),-DOMPI_SKIP_MPICXX $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(MPICXX) --showme:compile))))
MPI_LINK := $(if $(MPICXX),$(shell $(MPICXX) --showme:link))
MPI_LIBS := $(foreach folder,$(patsubst -L%,%,$(filter -L%,$(MPI_LINK))),-L$(folder) -Xlinker -rpath -Xlinker $(folder)) $(filter-out -lmpi_cxx,$(filter -l%,$(MPI_LINK)))
NCCL_FLAGS := $(if $(NCCL_LIB),-DCONVOLAB_NCCL $(patsubst %,-isystem %/include,$(filter-out /usr,$(NCCL))))
NCCL_LIBS := $(if $(NCCL_LIB),-L$(dir $(NCCL_LIB)) -Xlinker -rpath -Xlinker $(dir $(NCCL_LIB)) -lnccl)
lab_libs = $(if $(call is_mpi,$(1)),$(MPI_LIBS)) $(if $(wildcard labs/$(1)/*_fft.cpp),$(FFTW_LIBS)) $(if $(filter cuda,$(2)),$(call lab_cuda_libs,$(1)))
lab_cuda_libs = $(if $(call is_mpi,$(1)),$(NCCL_LIBS)) $(if $(wildcard labs/$(1)/*_fft.cu),$(CUFFT_LIBS)) $(if $(wildcard labs/$(1)/*_cublas.cu),$(CUBLAS_LIBS))
# The check has a folder of its own, because it optimises less.
NVCC_BUILD := $(BUILD)/nvcc$(if $(filter nvcc-check,$(MAKECMDGOALS)),-check)
# wgmma belongs to compute capability 9.0 alone, which nvcc calls 9.0a.
$(BUILD)/labs/12_tensor/09_wgmma.o $(NVCC_BUILD)/labs/12_tensor/09_wgmma.cubin $(BUILD)/tests/labs_cuda/wgmma_test.o: private NVCC_ARCH = sm_90a
$(foreach lab,$(MPI_LABS),$(BUILD)/labs/$(lab)/%.o): private COMPILE += $(MPI_FLAGS)
$(foreach lab,$(MPI_LABS),$(BUILD)/labs/$(lab)/%.o): private UNTIMED_COMPILE += $(MPI_FLAGS)
$(foreach lab,$(MPI_LABS),$(BUILD)/labs/$(lab)/%.o $(NVCC_BUILD)/labs/$(lab)/%.cubin): private NVCC_COMPILE += $(MPI_FLAGS) $(NCCL_FLAGS)

# What made a program. $(1): its folder, $(2): its objects and libraries, $(3): the compiler, $(4): the flags.
define build_info_rule
$(BUILD)/$(1)/build_info.o: common/measurement/build_info.cpp $(2) $(REVISION_STAMP)
	@read -r revision dirty < $(REVISION_STAMP); \
	hash=$$$$(cat $(2) | cksum | cut -d' ' -f1); \
	$(COMPILE) -DCONVOLAB_COMPILER='"$(3)"' -DCONVOLAB_FLAGS='"$(4)"' \
	    -DCONVOLAB_BUILD="\"$$$$hash\"" -DCONVOLAB_REVISION="\"$$$$revision\"" -DCONVOLAB_DIRTY="$$$$dirty" -c $$< -o $$@
endef
define lab_rules
$(call build_info_rule,labs/$(1),$(call lab_objects,$(1)) $(call lab_libraries,$(1)),$(call lab_compiler,$(1)),$(call lab_flags,$(1)))

$(BUILD)/labs/$(1)/lab: $(call lab_objects,$(1)) $(BUILD)/labs/$(1)/build_info.o $(call lab_libraries,$(1))
	$$(Q)$(call lab_linker,$(1)) $$^ $(PNG_LIBS) $(call lab_libs,$(1),$(CUDA_BACKEND)) -o $$@
endef
$(foreach lab,$(ALL_LABS),$(eval $(call lab_rules,$(lab))))

# ---- make library ------------------------------------------------------------------------------------
# The pages of the labs whose kernels it takes, and what they need.
LIBRARY := $(BUILD)/library/libconvolab.a
LIBRARY_PAGES := labs/05_cuda_shared/09_packed labs/07_separable/04_packed labs/12_tensor/08_tensor labs/12_tensor/09_wgmma
$(LIBRARY): $(patsubst %,$(BUILD)/%.o,library/cpu library/c library/gpu $(LIBRARY_PAGES)) $(filter-out $(BUILD)/common/driver.o $(BUILD)/common/driver/%,$(COMMON_OBJECTS)) $(CUDA_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

LIBRARY_LINKER := $(if $(filter cuda,$(CUDA_BACKEND)),$(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX),$(CXX) $(CXXFLAGS) -pthread)
# The emulator needs a program's own memory for __shared__ variables, so Gpu is in the shared library only if nvcc compiles it.
SHARED_LIBRARY := $(BUILD)/library/libconvolab.so.1
$(SHARED_LIBRARY): library/exports.map $(patsubst %,$(BUILD)/library/%.o,cpu c $(if $(filter cuda,$(CUDA_BACKEND)),gpu)) $(LIBRARY)
	$(Q)$(LIBRARY_LINKER) -shared -Xlinker --version-script=$< -Xlinker -soname=$(@F) $(filter %.o %.a,$^) -o $@
	@ln -sf $(@F) $(@:.1=)

.PHONY: library
library: $(LIBRARY) $(SHARED_LIBRARY)
	@echo 'link it: $(LINK_$(CUDA_BACKEND)) $(LIBRARY)'
	@echo 'from Python: PYTHONPATH=library (library/README.md)'
	$(if $(filter cuda,$(CUDA_BACKEND)),,$(if $(NVCC),@echo 'for nvcc: make library CUDA_BACKEND=cuda'))
LINK_cuda = nvcc -std=c++20 -Ilibrary prog.cu
LINK_cuda_on_cpu = $(CXX) -std=c++20 -pthread -Ilibrary prog.cpp
EXAMPLES := $(BUILD)/library/example_cpu $(BUILD)/library/example_gpu
$(EXAMPLES): %: %.o $(LIBRARY)
	$(Q)$(LIBRARY_LINKER) $^ -o $@

# ---- make check: a lab of which one page, and the parts of the lab, tell of their accesses -------------
# The pages are named by their path without .cu.
checked_units = $(1) $(basename $(wildcard $(dir $(1))*/*.cu))
define checked_rules
$(CHECKED)/$(2): $(patsubst %,$(CHECKED)/%.o,$(call checked_units,$(2))) \
    $(filter-out $(patsubst %,$(BUILD)/%.o,$(call checked_units,$(2))),$(call lab_objects,$(1)) $(filter-out $(EMULATOR_OBJECT),$(CUDA_OBJECTS))) \
    $(BUILD)/tests/build_info.o $(CHECK_LIBRARY) $(EMULATOR_LIBRARY) $(COMMON)
	$$(Q)$(call lab_linker,$(1)) $$^ $(PNG_LIBS) $(call lab_libs,$(1),cuda_on_cpu) -o $$@
endef
$(if $(filter cuda_on_cpu,$(CUDA_BACKEND)),$(foreach lab,$(CUDA_LABS),$(foreach page,$(basename $(wildcard labs/$(lab)/[0-9]*.cu)), \
    $(eval $(call checked_rules,$(lab),$(page))))))

# ---- make count: labs whose CUDA sources tell of their accesses --------------------------------------
counted_objects = $(patsubst %.cu,$(COUNTED)/%.o,$(call lab_pages,$(1)) $(wildcard common/cuda/*.cu)) \
    $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard labs/$(1)/*.cpp labs/$(1)/*/*.cpp common/cuda/*.cpp)) $(BUILD)/tests/build_info.o
define counted_rules
$(COUNTED)/labs/$(1)/lab: $(call counted_objects,$(1)) $(COUNT_LIBRARY) $(EMULATOR_LIBRARY) $(COMMON)
	$$(Q)$(call lab_linker,$(1)) $$^ $(PNG_LIBS) $(call lab_libs,$(1),cuda_on_cpu) -o $$@
endef
$(if $(filter cuda_on_cpu,$(CUDA_BACKEND)),$(foreach lab,$(CUDA_LABS),$(eval $(call counted_rules,$(lab)))))

# ---- nvcc without a GPU: the CUDA labs stay valid CUDA ----------------------------------------------
# Only the code of the GPU. So nvcc reads a source once, not three times, and still all of it: a mistake in a call of the host is an
# error here, too. With all architectures also 8.6 and 8.9, whose multiprocessors run fewer threads than those of 8.0.
FROM_80 := '-gencode=arch=compute_80,code=[sm_86,sm_89]'
$(NVCC_BUILD)/%.cubin: %.cu $(BUILD)/flags/nvcc.txt
	@mkdir -p $(@D)
	$(Q)$(NVCC_COMPILE) $(FAST) $(if $(findstring all,$(NVCC_ARCH)),-fatbin $(FROM_80),-cubin) $< -o $@
nvcc-check: $(patsubst %.cu,$(NVCC_BUILD)/%.cubin,$(wildcard $(CUDA_LABS:%=labs/%/*.cu) $(CUDA_LABS:%=labs/%/*/*.cu) common/cuda/*.cu))

# An optimised kernel takes up to six times as long. Not wgmma: whether its products wait for each other is seen only then.
nvcc-check: FAST = $(call once,FAST_COMPILE,$(if $(shell $(NVCC) --help | grep fast-compile),--Ofast-compile=max))
$(NVCC_BUILD)/labs/12_tensor/09_wgmma.cubin: private FAST :=

# ---- data ------------------------------------------------------------------------------------------
MAKE_DATA := $(BUILD)/data/make_data
$(MAKE_DATA): $(BUILD)/data/make_data.o $(COMMON)
	$(Q)$(CXX) $(CXXFLAGS) -pthread $^ $(PNG_LIBS) -o $@

include tools/library/library.mk
include tests/tests.mk
include tools/peers/peers.mk

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# WERROR=1: warnings are errors (tools/compile.sh), also those of objects that are there already.
$(if $(WERROR),$(eval $(patsubst %.warned,%,$(shell find $(BUILD) -name '*.warned' 2>/dev/null)): FORCE))
