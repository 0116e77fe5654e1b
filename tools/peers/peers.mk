# The libraries of tools/peers/peers.sh: one shared library per peer (tools/peers/peer.hpp), all loaded by tools/peers/peers.py.
# A library is built if its headers are installed; peers.py names the others.
PEERS_BUILD := $(BUILD)/peers

peers_has = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
PEERS_HALIDE := $(firstword $(wildcard /usr/include/halide*/Halide.h /usr/local/include/Halide.h))
# Debian names folder and library after the version: halide14, libHalide14.
peers_halide_folder = $(notdir $(patsubst %/,%,$(dir $(PEERS_HALIDE))))
PEERS_LIBRARIES := convolab $(if $(call peers_has,opencv4),opencv) $(if $(call peers_has,vips-cpp),vips) \
    $(if $(PEERS_HALIDE),halide) $(if $(filter cuda,$(CUDA_BACKEND)),convolab_cuda) $(if $(NPP_LIBS),npp)

PEERS_EXPORTS := tools/peers/exports.map
$(BUILD)/tools/peers/convolab.o: $(REVISION_STAMP)
$(BUILD)/tools/peers/convolab.o: private COMPILE += -DPEER_REVISION='"$(PEERS_REVISION)"'
PEERS_REVISION = $(shell cut -d' ' -f1 $(REVISION_STAMP) 2>/dev/null)

peers_objects = $(patsubst %,$(BUILD)/%.o,$(basename $(1)))
$(PEERS_BUILD)/convolab.so: $(call peers_objects,tools/peers/convolab.cpp labs/01_sequential/07_simd.cpp labs/02_pthread/06_simd_rows.cpp) $(COMMON)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) -pthread -shared -Wl,--version-script=$(PEERS_EXPORTS) $(filter %.o %.a,$^) $(PNG_LIBS) -o $@

$(PEERS_BUILD)/convolab_cuda.so: $(call peers_objects,tools/peers/convolab_cuda.cu labs/07_separable/04_packed.cu labs/12_tensor/08_tensor.cu $(wildcard common/cuda/*.cu)) $(COMMON)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX) -shared -Xlinker --version-script=$(PEERS_EXPORTS) $(filter %.o %.a,$^) $(PNG_LIBS) -o $@

$(PEERS_BUILD)/npp.so: $(call peers_objects,tools/peers/npp.cu)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCCFLAGS) -ccbin $(HOST_CXX) -shared -Xlinker --version-script=$(PEERS_EXPORTS) $(filter %.o %.a,$^) $(NPP_LIBS) -o $@

# -isystem: the libraries' headers are compiled without our warnings.
peers_foreign = tools/compile.sh $(CXX) $(CXXFLAGS) $(WARNINGS) $(PIC) -I. -MMD -MP -shared -Wl,--version-script=$(PEERS_EXPORTS) $< $(1) -o $@
$(PEERS_BUILD)/opencv.so: tools/peers/opencv.cpp $(BUILD)/flags/timed.txt
	@mkdir -p $(@D)
	$(Q)$(call peers_foreign,$(patsubst -I%,-isystem %,$(shell pkg-config --cflags opencv4)) -lopencv_imgproc -lopencv_core)
$(PEERS_BUILD)/vips.so: tools/peers/vips.cpp $(BUILD)/flags/timed.txt
	@mkdir -p $(@D)
	$(Q)$(call peers_foreign,$(patsubst -I%,-isystem %,$(shell pkg-config --cflags vips-cpp)) $(shell pkg-config --libs vips-cpp))
$(PEERS_BUILD)/halide.so: tools/peers/halide.cpp $(BUILD)/flags/timed.txt
	@mkdir -p $(@D)
	$(Q)$(call peers_foreign,-isystem $(dir $(PEERS_HALIDE)) -DPEER_HALIDE_FOLDER='"$(peers_halide_folder)"' -l$(if $(filter halide%,$(peers_halide_folder)),$(peers_halide_folder:halide%=Halide%),Halide))

.PHONY: peers-libraries peers-list
peers-list:
	@echo '$(PEERS_LIBRARIES)'
$(PEERS_LIBRARIES:%=$(PEERS_BUILD)/%.so): $(PEERS_EXPORTS)
peers-libraries: $(PEERS_LIBRARIES:%=$(PEERS_BUILD)/%.so)
