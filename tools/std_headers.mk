# Headers of the standard library, which the compiler parses once instead of in each source: a quarter of the time of a
# build. One set for each set of flags, because a precompiled header fits one only. The builds of the sanitizers have
# none, so a source that includes too little does not get through `make asan`.
STD_HEADERS := algorithm array chrono cmath cstdint cstdlib cstring filesystem fstream functional iostream map memory \
    optional set sstream string string_view thread utility vector
STD := $(BUILD)/std
STD_FLAGS_timed = $(CXX) $(CXXFLAGS) $(WARNINGS) -pthread
STD_FLAGS_untimed = $(subst $(OPT),-O1,$(STD_FLAGS_timed))
STD_FLAGS_cuda = $(STD_FLAGS_untimed) $(filter-out -iquote $(TRANSLATED) -I%,$(CPU_CUDA_FLAGS))
STD_FLAGS_mistakes = $(STD_FLAGS_cuda) $(MISTAKES_FLAGS)
# The option and the prerequisite of a compilation with the set FLAGS_SET.
std_set = $(if $(SANITIZE),,$(filter timed untimed cuda mistakes,$(FLAGS_SET)))
with_std = $(std_set:%=-include $(STD)/%/std.hpp)
std_file = $(std_set:%=$(STD)/%/std.hpp.gch)

$(STD)/%/std.hpp: tools/std_headers.mk
	@mkdir -p $(@D); printf '#include <%s>\n' $(STD_HEADERS) > $@

$(STD)/%/std.hpp.gch: $(STD)/%/std.hpp $(BUILD)/flags/%.txt
	$(Q)$(STD_FLAGS_$*) -x c++-header $< -o $@
