scree_add_fuzz_target(checkpoint BINARY SOURCES checkpoint_fuzz.cpp RUNS 400 LINK OpenMP::OpenMP_CXX ${HDF5_C_LIBRARIES}
  INCLUDE ${HDF5_INCLUDE_DIRS})
