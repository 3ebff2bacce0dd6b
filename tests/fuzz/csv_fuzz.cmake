scree_add_fuzz_target(csv SOURCES csv_fuzz.cpp $<TARGET_OBJECTS:packings_objects> LINK OpenMP::OpenMP_CXX RUNS 20000
  INCLUDE "${PROJECT_SOURCE_DIR}/plugins/packings")
