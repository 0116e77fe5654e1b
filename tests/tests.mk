# The tests: Catch2 programs, found by folder, and Python's for the driver, the tools and the report. pytest runs all
# (conftest.py).
#   tests/*_test.cpp               one program: the units of common/ and data/
#   tests/lab/*_test.cpp           one program per lab: what each of its variants must do; of a CPU lab also cpu/
#   cuda_on_cpu/tests              the emulator's own, built by cuda_on_cpu/rules.mk; Python: cuda-on-cpu as a user calls it
#   tests/labs_cuda                common/cuda, and the kernel defects of the reports
#   tests/library                  make library: from buffers of a caller's to bytes
#   tests/driver, tests/tools      Python: the programs as a user calls them; tools/
#   tests/paper                    Python: the report
#   tests/mpi                      Python: the labs whose variants run on MPI ranks
#   tests/exercises                Python: starters fail, solutions pass, wrong solutions fail
TESTS := $(BUILD)/tests
CATCH_LIBS := $(if $(wildcard /usr/include/catch2/catch_all.hpp /usr/local/include/catch2/catch_all.hpp),-lCatch2Main -lCatch2)

unit_objects := $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard tests/*_test.cpp)) $(BUILD)/tests/build_info.o
# Parts of labs that are tested without their lab. A library, because a lab may be a copy of another.
LAB_PARTS := $(TESTS)/lab_parts.a
$(LAB_PARTS): $(patsubst %,$(BUILD)/%.o,$(basename $(filter-out $(ONE_SOURCE:%=%/%.cpp),$(wildcard labs/*/*/*.cpp))) $(filter %/commands,$(ONE_SOURCE)))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
$(BUILD)/tests/build_info.o: common/measurement/build_info.cpp $(BUILD)/flags/timed.txt
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DCONVOLAB_COMPILER='"test"' -DCONVOLAB_FLAGS='""' -DCONVOLAB_BUILD='"0"' \
	    -DCONVOLAB_REVISION='"test"' -DCONVOLAB_DIRTY=0 -c $< -o $@

$(TESTS)/unit: $(unit_objects) $(CATCH_MAIN) $(LAB_PARTS) $(COMMON)
	$(Q)$(CXX) $(CXXFLAGS) -pthread $^ $(PNG_LIBS) $(CATCH_LIBS) -o $@

# A lab's objects with its main() renamed, the tests of every variant, and a run_lab() that hands them the
# lab's list of variants (tests/lab/capture.cpp) instead of common/driver/run_lab.cpp.
common_without_run_lab := $(filter-out $(BUILD)/common/driver/run_lab.o,$(COMMON_OBJECTS))
lab_test_objects = $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard tests/lab/*.cpp $(if $(call is_cuda,$(1)),,tests/lab/cpu/*.cpp))) $(BUILD)/tests/build_info.o $(CATCH_MAIN)
lab_test_libraries = $(common_without_run_lab) $(if $(call is_cuda,$(1)),$(CUDA_COMMON)) $(COMMON)
define lab_test_rules
$(TESTS)/labs/$(1): $(call lab_objects,$(1)) $(lab_test_objects) $(lab_test_libraries)
	@mkdir -p $$(@D)
	@objcopy --redefine-sym main=lab_main $(BUILD)/labs/$(1)/main.o $(TESTS)/labs/$(1)_main.o
	$$(Q)$(call lab_linker,$(1)) $(TESTS)/labs/$(1)_main.o $(filter-out $(BUILD)/labs/$(1)/main.o,$(call lab_objects,$(1))) \
	    $(lab_test_objects) $(lab_test_libraries) $(PNG_LIBS) $(call lab_libs,$(1),$(CUDA_BACKEND)) $(CATCH_LIBS) -o $$@
endef
$(foreach lab,$(ALL_LABS),$(eval $(call lab_test_rules,$(lab))))

# Linked with the variants of all CUDA labs.
cuda_lab_objects := $(filter-out %/main.o,$(foreach lab,$(filter-out $(MPI_LABS),$(ALL_LABS)),$(if $(call is_cuda,$(lab)),$(call lab_objects,$(lab)))))
$(TESTS)/labs_cuda/labs_cuda: $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard tests/labs_cuda/*.cpp tests/labs_cuda/*.cu))) $(cuda_lab_objects) $(BUILD)/tests/build_info.o $(CATCH_MAIN) $(CUDA_COMMON) $(COMMON)
	$(Q)$(if $(filter cuda,$(CUDA_BACKEND)),$(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX),$(CXX) $(CXXFLAGS) -pthread) $^ $(PNG_LIBS) $(if $(filter cuda,$(CUDA_BACKEND)),$(CUFFT_LIBS) $(CUBLAS_LIBS)) $(CATCH_LIBS) -o $@

# Counts calls of cudaMalloc.
count_cudaMalloc := -Xlinker --wrap=cudaMalloc
$(TESTS)/library/library: $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard tests/library/*.cpp tests/library/*.cu))) $(CATCH_MAIN) $(LIBRARY)
	$(Q)$(LIBRARY_LINKER) $(count_cudaMalloc) $^ $(CATCH_LIBS) -o $@

# The variants of an MPI lab run on ranks only: tests/mpi starts them. ThreadSanitizer cannot follow the emulator's threads.
TEST_PROGRAMS := $(TESTS)/unit $(patsubst %,$(TESTS)/labs/%,$(filter-out $(MPI_LABS) $(if $(findstring thread,$(SANITIZE)),$(CUDA_LABS)),$(LABS)))
ifeq ($(findstring thread,$(SANITIZE)),)
TEST_PROGRAMS += $(EMULATOR_TESTS) $(TESTS)/labs_cuda/labs_cuda $(TESTS)/library/library
endif

# cuda-on-cpu, which the tests call, would compile the emulator again, into its own folder: with the same flags it takes this one.
ifeq ($(CUDA_BACKEND)$(OPT)$(SANITIZE),cuda_on_cpu-O3)
CUDA_ON_CPU := $(EMULATOR)build/ready-check
$(CUDA_ON_CPU): $(TRANSLATE) $(EMULATOR_LIBRARY) $(CHECK_LIBRARY) $(JUDGE) $(COUNT_LIBRARY)
	@mkdir -p $(@D)
	$(Q)flock $(@D)/lock sh -ec 'for file in $^; do install -D "$$file" "$(@D)/$${file#$(BUILD)/$(EMULATOR)}"; done; \
	    rm -rf $(@D)/precompiled; for verb in program check count; do printf %s "$(firstword $(CXX))" > $(@D)/ready-$$verb; done'
endif

.PHONY: test-programs run-tests run-sanitized-tests
# With the Python that has matplotlib. Two at a time: more would disturb the tests that wait for something.
RUN_TESTS = python=$$(PYTHON='$(PYTHON)' tools/find_python.sh pytest xdist) && \
    BUILD=$(BUILD) env -u MAKEFLAGS -u MAKELEVEL "$$python" -m pytest -n 2 --dist loadscope
ifeq ($(LAB),)
test-programs: $(TEST_PROGRAMS) $(if $(findstring thread,$(SANITIZE)),,$(EXAMPLES) $(SHARED_LIBRARY) $(LIBRARY_BENCH) $(CUDA_ON_CPU))
# First what takes long.
TESTS_TO_RUN := tests/exercises tests/driver cuda_on_cpu/tests $(EMULATOR_TESTS) tests/mpi tests/tools tests/paper \
    $(filter-out $(EMULATOR_TESTS),$(TEST_PROGRAMS))
else
test-programs: $(filter $(TESTS)/labs/%,$(TEST_PROGRAMS)) $(if $(foreach lab,$(LAB),$(call is_cuda,$(lab))),$(CUDA_ON_CPU))
TESTS_TO_RUN := $(foreach lab,$(LAB),$(if $(call is_mpi,$(lab)),tests/mpi,$(TESTS)/labs/$(lab)) \
    $(if $(wildcard labs/$(lab)/exercises/*),tests/exercises/test_exercises.py::Lab_$(lab)))
endif
run-tests: programs test-programs
	@$(RUN_TESTS) $(TESTS_TO_RUN)
run-sanitized-tests: test-programs
	@$(RUN_TESTS) $(TEST_PROGRAMS)

LINT_SOURCES := $(shell $(LIST_SOURCES))
LINTED := $(filter-out cuda_on_cpu/% $(NOT_BUILT:%=labs/%/%),$(filter common/%.cpp labs/%.cpp library/%.cpp data/%.cpp,$(LINT_SOURCES)))
$(BUILD)/lint/%.ok: % $(filter %.hpp,$(LINT_SOURCES)) .clang-tidy
	$(Q)clang-tidy --quiet $< -- $(STANDARD) -I. $(PNG_FLAGS) $(MPI_FLAGS) $(FFTW_FLAGS) \
	    -DCONVOLAB_COMPILER='""' -DCONVOLAB_FLAGS='""' -DCONVOLAB_BUILD='""' -DCONVOLAB_REVISION='""' -DCONVOLAB_DIRTY=0
	@mkdir -p $(@D); touch $@
$(BUILD)/lint.ok: $(LINTED:%=$(BUILD)/lint/%.ok) $(LINT_SOURCES) .clang-format
	@echo 'clang-format: $(words $(LINT_SOURCES)) files'
	@clang-format --dry-run --Werror $(LINT_SOURCES)
	@mkdir -p $(@D); touch $@
