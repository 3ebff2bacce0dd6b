if(TARGET scree_fclib)
  scree_add_fuzz_target(fclib SOURCES fclib_fuzz.cpp RUNS 500 LINK scree_fclib INCLUDE ${HDF5_INCLUDE_DIRS})
endif()
