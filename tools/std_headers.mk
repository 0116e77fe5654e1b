# Headers of the standard library, which the compiler parses once instead of in each source: a quarter of the time of a
# build. One set for what is timed; one for all else, which fits sources with less of -g and with more of -fsanitize, too; one
# for tests, with Catch2. The builds of the sanitizers have none, so a source that includes too little does not get through
# `make asan`.
STD_HEADERS := algorithm array chrono cmath cstdint cstdlib cstring filesystem fstream functional iostream map memory \
    optional set sstream string string_view thread utility vector
STD := $(BUILD)/std
STD_FLAGS_timed = $(CXX) $(CXXFLAGS) $(PIC) $(WARNINGS) -pthread -I.
STD_FLAGS_cuda = $(subst $(PIC) ,,$(subst $(OPT),-O1,$(STD_FLAGS_timed))) $(call flags_of,page)
STD_FLAGS_tests = $(STD_FLAGS_cuda)
# The option and the prerequisite of a compilation with the set FLAGS_SET.
untimed_set = $(if $(findstring tests/,$@),tests,cuda)
std_set = $(if $(SANITIZE),,$(filter timed,$(FLAGS_SET))$(if $(filter untimed cuda mistakes,$(FLAGS_SET)),$(untimed_set)))
with_std = $(std_set:%=-include $(STD)/%/std.hpp)
std_file = $(std_set:%=$(STD)/%/std.hpp.gch)

$(STD)/%/std.hpp: tools/std_headers.mk
	@mkdir -p $(@D); printf '#include <%s>\n' $(STD_HEADERS) > $@
$(STD)/tests/std.hpp: tools/std_headers.mk
	@mkdir -p $(@D); printf '#include <%s>\n' $(STD_HEADERS) cuda_on_cpu/tests/catch.hpp > $@

$(STD)/timed/std.hpp.gch: $(BUILD)/flags/timed.txt
$(STD)/cuda/std.hpp.gch: $(BUILD)/flags/cuda.txt cuda_on_cpu/flags.sh
$(STD)/tests/std.hpp.gch: $(BUILD)/flags/cuda.txt cuda_on_cpu/flags.sh cuda_on_cpu/tests/catch.hpp
$(STD)/%/std.hpp.gch: $(STD)/%/std.hpp
	$(Q)$(STD_FLAGS_$*) -x c++-header $< -o $@
