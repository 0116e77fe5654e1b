# CUDA sources without nvcc: translate makes C++ of them (cuda_on_cpu/README.md), line by line, into
# $(BUILD)/translated/, and of every header that they can include.
TRANSLATED := $(BUILD)/translated
TRANSLATE := $(BUILD)/cuda_on_cpu/translate/translate
TRANSLATE_SOURCES := $(wildcard cuda_on_cpu/translate/*.cpp)
$(TRANSLATE): $(TRANSLATE_SOURCES:%.cpp=$(BUILD)/%.o)
	$(Q)$(CXX) $(CXXFLAGS) $^ -o $@

CUDA_HEADERS := $(sort $(shell find common labs tests tools cuda_on_cpu/tests -name '*.hpp' -o -name '*.cuh' -o -name '*.h'))
# All are made again when a header is added or removed, so that no old one stays.
HEADERS_STAMP := $(TRANSLATED)/headers.txt
$(HEADERS_STAMP): FORCE
	@echo '$(CUDA_HEADERS)' | cmp -s - $@ || { rm -rf $(@D); mkdir -p $(@D); echo '$(CUDA_HEADERS)' > $@; }

$(CUDA_HEADERS:%=$(TRANSLATED)/%): $(TRANSLATED)/%: % $(TRANSLATE) $(HEADERS_STAMP)
	@$(TRANSLATE) $< $@

$(TRANSLATED)/%.cu.cpp: %.cu $(TRANSLATE) $(HEADERS_STAMP)
	@$(TRANSLATE) $< $@

# A translated header before the original one.
CPU_CUDA_FLAGS = -iquote $(TRANSLATED) -Icuda_on_cpu/include -Wno-unknown-pragmas
# clang++ would do what `#pragma unroll` asks of nvcc, and take three times as long to compile.
CPU_CUDA_FLAGS += $(if $(findstring clang,$(CXX)),-mllvm -pragma-unroll-threshold=0 -Wno-pass-failed)
# Reports of faults name the line (-g1; in DWARF 5 addr2line names the translated file). An index past an array of known
# size is a fault (bounds.cpp).
ARRAY_BOUNDS := $(if $(findstring clang,$(CXX)),array-bounds,bounds)
CPU_CUDA_FLAGS += -g1 -gdwarf-4 -fsanitize=$(ARRAY_BOUNDS) -fno-sanitize-recover=$(ARRAY_BOUNDS)
$(patsubst %.cu,$(BUILD)/%.o,$(wildcard common/cuda/*.cu labs/*/*.cu labs/*/*/*.cu tests/*/*.cu cuda_on_cpu/tests/*.cu)): private STD_SET := cuda
$(BUILD)/%.o: $(TRANSLATED)/%.cu.cpp $(FLAGS_STAMP) | $(CUDA_HEADERS:%=$(TRANSLATED)/%) $(call std_file,cuda)
	@mkdir -p $(@D)
	$(Q)$(UNTIMED_COMPILE) $(CPU_CUDA_FLAGS) $(with_std) -c $< -o $@
