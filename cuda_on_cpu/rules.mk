# CUDA sources without nvcc, and the emulator (README.md). The Makefile beside this file and a project's own makefile include
# it; they define BUILD, Q, CXX, CXXFLAGS, UNTIMED_COMPILE (less optimised), CATCH_LIBS, CATCH_MAIN (the object with main()
# of Catch2, which takes long to compile: one for all programs) and flags_file, which changes when the flags of the set FLAGS_SET
# change. CUDA_ROOMS: the project's folders with CUDA sources. with_std, std_file: precompiled headers, if it has them.
.SECONDEXPANSION:
EMULATOR := $(patsubst ./,,$(dir $(lastword $(MAKEFILE_LIST))))
TRANSLATE := $(BUILD)/$(EMULATOR)translate/translate
EMULATOR_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu.a
EMULATOR_TESTS := $(BUILD)/$(EMULATOR)tests/tests
emulator_objects = $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard $(1:%=$(EMULATOR)%))))
# The files of a room are compiled together, except main(): most of the time goes into reading headers.
EMULATOR_ROOMS := accesses check count finding judge translate $(patsubst $(EMULATOR)%/,%,$(sort $(dir $(wildcard $(EMULATOR)device/*/*.cpp))))
rooms_objects = $(1:%=$(BUILD)/$(EMULATOR)%.o)
CHECK_OBJECTS := $(call rooms_objects,accesses check)
CHECK_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu_check.a
JUDGE := $(BUILD)/$(EMULATOR)judge/judge
JUDGE_OBJECTS := $(call rooms_objects,finding judge) $(call emulator_objects,judge/main.cpp)
COUNT_OBJECTS := $(call rooms_objects,accesses count)
COUNT_LIBRARY := $(BUILD)/$(EMULATOR)libcuda_on_cpu_count.a
TRANSLATE_OBJECTS := $(call rooms_objects,translate) $(call emulator_objects,translate/main.cpp)
EMULATOR_OBJECT := $(EMULATOR_LIBRARY:.a=.o)
TESTED_OBJECTS := $(call emulator_objects,tests/*.cpp count/loops.cpp count/request.cpp)

define emulator_room
$(BUILD)/$(EMULATOR)$(1).cpp: FORCE
	$(NOW)@mkdir -p $$(@D); printf '#include "%s"\n' $(patsubst $(EMULATOR)%,%,$(filter-out %/main.cpp,$(wildcard $(EMULATOR)$(1)/*.cpp))) >$$@.new; \
	    cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
endef
$(foreach room,$(EMULATOR_ROOMS),$(eval $(call emulator_room,$(room))))

ROOM_OBJECTS := $(call rooms_objects,$(EMULATOR_ROOMS))
$(ROOM_OBJECTS) $(TRANSLATE_OBJECTS) $(JUDGE_OBJECTS) $(TESTED_OBJECTS): private FLAGS_SET := untimed
COMPILE_EMULATOR = $(Q)$(UNTIMED_COMPILE) $(with_std) -iquote $(EMULATOR). -I$(EMULATOR)include -c $< -o $@
$(ROOM_OBJECTS): $(BUILD)/%.o: $(BUILD)/%.cpp $$(flags_file) | $$(std_file)
	$(COMPILE_EMULATOR)
$(TESTED_OBJECTS) $(call emulator_objects,judge/main.cpp translate/main.cpp): $(BUILD)/%.o: %.cpp $$(flags_file) | $$(std_file)
	@mkdir -p $(@D)
	$(COMPILE_EMULATOR)

# One object, so that who calls CUDA has also what nobody calls: what finds mistakes (device/mistakes/) only listens.
$(EMULATOR_OBJECT): $(call rooms_objects,finding $(filter device/%,$(EMULATOR_ROOMS)))
	$(Q)$(LD) -r $^ -o $@
$(EMULATOR_LIBRARY): $(EMULATOR_OBJECT)
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

$(EMULATOR_TESTS): $(filter-out %/main.o,$(TESTED_OBJECTS) $(call emulator_objects,tests/*.cu) $(TRANSLATE_OBJECTS)) $(CATCH_MAIN) $(EMULATOR_LIBRARY)
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

# The compiler's flags of this kind, asked for when the first source is compiled.
flags_of = $(or $(FLAGS_OF_$(1)),$(eval FLAGS_OF_$(1) := $$(shell $(EMULATOR)./flags.sh $(1) $(CXX)))$(FLAGS_OF_$(1)))
# A translated header before the original one.
COMPILE_CUDA = $(Q)$(UNTIMED_COMPILE) -iquote $(TRANSLATED) -I$(EMULATOR)include $(call flags_of,$(1))
CUDA_PAGES := $(patsubst %.cu,$(BUILD)/%.o,$(shell find $(CUDA_ROOMS) -name '*.cu'))
MISTAKES_PAGES := $(patsubst %.cu,$(BUILD)/%.o,$(shell find $(EMULATOR)tests -name '*.cu'))
$(CUDA_PAGES): private FLAGS_SET := cuda
$(MISTAKES_PAGES): private FLAGS_SET := mistakes
$(BUILD)/%.o: $(TRANSLATED)/%.cu.cpp $$(flags_file) $(EMULATOR)flags.sh | $(CUDA_HEADERS:%=$(TRANSLATED)/%) $$(std_file)
	@mkdir -p $(@D)
	$(call COMPILE_CUDA,$(if $(filter mistakes,$(FLAGS_SET)),program,page)) -iquote $(EMULATOR). $(with_std) -c $< -o $@

# For `check` of one page, as cuda-on-cpu compiles a program: objects that tell of their accesses.
CHECKED := $(BUILD)/checked
$(CHECKED)/%.o: private FLAGS_SET := cuda
$(CHECKED)/%.o: $(TRANSLATED)/%.cu.cpp $$(flags_file) $(EMULATOR)flags.sh | $(CUDA_HEADERS:%=$(TRANSLATED)/%)
	@mkdir -p $(@D)
	$(call COMPILE_CUDA,check) -c $< -o $@

# For `count`: objects that tell of their accesses, linked with $(COUNT_LIBRARY) before $(EMULATOR_LIBRARY).
COUNTED := $(BUILD)/counted
$(COUNTED)/%.o: private FLAGS_SET := cuda
$(COUNTED)/%.o: $(TRANSLATED)/%.cu.cpp $$(flags_file) $(EMULATOR)flags.sh | $(CUDA_HEADERS:%=$(TRANSLATED)/%)
	@mkdir -p $(@D)
	$(call COMPILE_CUDA,count) -c $< -o $@
