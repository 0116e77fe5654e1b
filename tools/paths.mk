# Paths are relative to the folder in which make was called (labs/lab.mk sets it); "480p 720p" is 480p,720p.
# A picture or clip that is drawn (scene:480p) has no path.
from_here = $(if $(and $(1),$(filter-out /% - $(2),$(subst $() ,|,$(1))),$(CALLED_FROM)),$(CALLED_FROM)/)$(1)
DRAWN_NAMES := scene random white moving panning static black
override IMAGE := $(call from_here,$(value IMAGE),$(DRAWN_NAMES) $(DRAWN_NAMES:%=%:%))
override OUT := $(call from_here,$(value OUT))
override CSV := $(call from_here,$(value CSV))
override PICTURE := $(call from_here,$(value PICTURE))
override FILES := $(foreach file,$(value FILES),$(call from_here,$(file)))
override FILE := $(foreach file,$(FILE),$(call from_here,$(file)))
comma := ,
override SIZES := $(patsubst ALL,all,$(subst $() ,$(comma),$(strip $(subst $(comma), ,$(SIZES)))))
