# CUDA sources without nvcc, and the emulator (README.md). The Makefile beside this file and a project's own makefile include
# it; they define BUILD, Q, CXX, CXXFLAGS, COMPILE, UNTIMED_COMPILE (less optimised), CATCH_LIBS, CATCH_MAIN (the object with
# main() of Catch2, which takes long to compile: one for all programs) and flags_file, which changes when the flags of the set
# FLAGS_SET change. CUDA_ROOMS: the project's folders with CUDA sources. with_std, std_file: precompiled headers, if it has them.
.SECONDEXPANSION:
EMULATOR := $(patsubst ./,,$(dir $(lastword $(MAKEFILE_LIST))))
TRANSLATE := $(BUILD)/$(EMULATOR)translate/translate
EMULATOR_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu.a
EMULATOR_TESTS := $(BUILD)/$(EMULATOR)tests/tests
emulator_objects = $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard $(1:%=$(EMULATOR)%))))
CHECK_OBJECTS := $(call emulator_objects,accesses/*.cpp check/*.cpp)
CHECK_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu_check.a
JUDGE := $(BUILD)/$(EMULATOR)judge/judge
JUDGE_OBJECTS := $(call emulator_objects,judge/*.cpp)
COUNT_OBJECTS := $(call emulator_objects,accesses/*.cpp count/*.cpp)
COUNT_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu_count.a
TRANSLATE_OBJECTS := $(call emulator_objects,translate/*.cpp)
EMULATOR_OBJECTS := $(call emulator_objects,device/*.cpp)

# It tells ThreadSanitizer itself which of its fibres run, so it is not instrumented.
UNTIMED_OBJECTS := $(TRANSLATE_OBJECTS) $(JUDGE_OBJECTS) $(call emulator_objects,tests/*.cpp)
$(UNTIMED_OBJECTS): private COMPILE := $(UNTIMED_COMPILE)
$(UNTIMED_OBJECTS): private FLAGS_SET := untimed
$(EMULATOR_OBJECTS) $(sort $(CHECK_OBJECTS) $(COUNT_OBJECTS)) $(UNTIMED_OBJECTS): $(BUILD)/%.o: %.cpp $$(flags_file) | $$(std_file)
	@mkdir -p $(@D)
	$(Q)$(filter-out -fsanitize=thread,$(COMPILE)) $(with_std) -iquote $(EMULATOR). -I$(EMULATOR)include -c $< -o $@

$(EMULATOR_LIBRARY): $(EMULATOR_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# What `check` links before it, with programs that are compiled with -fsanitize=thread.
$(CHECK_LIBRARY): $(CHECK_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^
# The same for `count`.
$(COUNT_LIBRARY): $(COUNT_OBJECTS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(TRANSLATE): $(TRANSLATE_OBJECTS)
	$(Q)$(CXX) $(CXXFLAGS) $^ -o $@

$(JUDGE): $(JUDGE_OBJECTS)
	$(Q)$(CXX) $(CXXFLAGS) $^ -o $@

$(EMULATOR_TESTS): $(filter-out %/main.o,$(call emulator_objects,tests/*.cpp tests/*.cu count/loops.cpp count/request.cpp) $(TRANSLATE_OBJECTS)) $(CATCH_MAIN) $(EMULATOR_LIBRARY)
	$(Q)$(CXX) $(CXXFLAGS) -pthread $^ $(CATCH_LIBS) -o $@

# translate makes C++ of each CUDA source, line by line, into $(BUILD)/translated/, and of every header that they can include.
TRANSLATED := $(BUILD)/translated
CUDA_HEADERS := $(sort $(shell find $(CUDA_ROOMS) $(EMULATOR)tests -name '*.hpp' -o -name '*.cuh' -o -name '*.h'))
# A copy whose header is gone is deleted, so that nothing includes it.
GONE := $(filter-out $(CUDA_HEADERS:%=$(TRANSLATED)/%),$(shell find $(TRANSLATED) -name '*.hpp' -o -name '*.cuh' -o -name '*.h' 2>/dev/null))
$(if $(GONE),$(shell rm $(GONE)))

$(CUDA_HEADERS:%=$(TRANSLATED)/%): $(TRANSLATED)/%: % $(TRANSLATE)
	@$(TRANSLATE) $< $@

$(TRANSLATED)/%.cu.cpp: %.cu $(TRANSLATE)
	@$(TRANSLATE) $< $@

# A translated header before the original one.
CPU_CUDA_FLAGS = -iquote $(TRANSLATED) -I$(EMULATOR)include -Wno-unknown-pragmas
# clang++ would do what `#pragma unroll` asks of nvcc, and take three times as long to compile.
CPU_CUDA_FLAGS += $(if $(findstring clang,$(CXX)),-mllvm -pragma-unroll-threshold=0 -Wno-pass-failed)
# Reports of faults name the line (-g1; in DWARF 5 addr2line names the translated file). An index past an array of known
# size is a fault; mistakes are a shift by the width of its type, and a float that an integer type cannot hold
# (device/bounds.cpp).
ARRAY_BOUNDS := $(if $(findstring clang,$(CXX)),array-bounds,bounds)
CPU_CUDA_FLAGS += -g1 -gdwarf-4 -fsanitize=$(ARRAY_BOUNDS),shift-exponent,float-cast-overflow
CPU_CUDA_FLAGS += -fno-sanitize-recover=$(ARRAY_BOUNDS) -fsanitize-recover=float-cast-overflow
# An address that does not fit its type, too (device/alignment.cpp). What follows keeps g++ -O1 from paying for the call.
CPU_CUDA_FLAGS += -fsanitize=alignment $(if $(findstring clang,$(CXX)),,-fcaller-saves -falign-loops=32)
# -g1 keeps no values of variables, for which g++ takes a fifth of its time.
CPU_CUDA_FLAGS += $(if $(findstring clang,$(CXX)),,-fno-var-tracking)
$(patsubst %.cu,$(BUILD)/%.o,$(shell find $(CUDA_ROOMS) $(EMULATOR)tests -name '*.cu')): private FLAGS_SET := cuda
$(BUILD)/%.o: $(TRANSLATED)/%.cu.cpp $$(flags_file) | $(CUDA_HEADERS:%=$(TRANSLATED)/%) $$(std_file)
	@mkdir -p $(@D)
	$(Q)$(UNTIMED_COMPILE) $(CPU_CUDA_FLAGS) $(with_std) -c $< -o $@

# For `count`: objects that tell of their accesses, linked with $(COUNT_LIBRARY) before $(EMULATOR_LIBRARY).
COUNTED := $(BUILD)/counted
COUNTED_FLAGS := -DCUDA_ON_CPU_COUNTED -fno-sanitize=alignment,shift-exponent,float-cast-overflow -fsanitize=thread -fsanitize-coverage=trace-pc '-D__constant__=__attribute__((section("constant_memory")))'
# As nvcc does: a struct is loaded by one instruction, functions become a part of the kernel, no code is doubled.
COUNTED_FLAGS += -Wno-tsan -fno-tree-sra -fno-thread-jumps
COUNTED_FLAGS += -finline-functions -finline-small-functions -finline-limit=10000 --param inline-min-speedup=0
$(COUNTED)/%.o: private FLAGS_SET := cuda
$(COUNTED)/%.o: $(TRANSLATED)/%.cu.cpp $$(flags_file) | $(CUDA_HEADERS:%=$(TRANSLATED)/%)
	@mkdir -p $(@D)
	$(Q)$(UNTIMED_COMPILE) $(CPU_CUDA_FLAGS) $(COUNTED_FLAGS) -c $< -o $@
