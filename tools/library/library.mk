# The program of tools/library/bench.sh: the library and, if the CUDA toolkit has it, NPP as variants of a lab (main.cu).
LIBRARY_BENCH := $(BUILD)/tools/library/lab
LIBRARY_BENCH_OBJECTS := $(patsubst %,$(BUILD)/tools/library/%.o,main $(if $(NPP_LIBS),npp))
LIBRARY_BENCH_PARTS := $(LIBRARY_BENCH_OBJECTS) $(LIBRARY) $(CUDA_COMMON) $(COMMON)
$(eval $(call build_info_rule,tools/library,$(LIBRARY_BENCH_PARTS),$(CUDA_VERSION),$(if $(filter cuda,$(CUDA_BACKEND)),$(NVCCFLAGS),$(CXXFLAGS))))
$(LIBRARY_BENCH): $(LIBRARY_BENCH_OBJECTS) $(BUILD)/tools/library/build_info.o $(LIBRARY) $(CUDA_COMMON) $(COMMON)
	$(Q)$(LIBRARY_LINKER) $^ $(PNG_LIBS) $(NPP_LIBS) -o $@

.PHONY: library-bench
library-bench: $(if $(filter cuda,$(CUDA_BACKEND)),$(LIBRARY_BENCH))
	@$(if $^,,echo 'error: The library is timed beside NPP on a GPU, with nvcc; here CUDA runs on the CPU, which has no times.' >&2; exit 1)
	@$(if $(NPP_LIBS),true,echo 'NPP is not installed (the CUDA toolkit contains it): only the library is timed' >&2)
