scree_add_fuzz_target(surface SOURCES surface_fuzz.cpp $<TARGET_OBJECTS:mesh_objects> LINK scree_skeleton OpenMP::OpenMP_CXX RUNS 20000
  INCLUDE "${PROJECT_SOURCE_DIR}/plugins/mesh")
