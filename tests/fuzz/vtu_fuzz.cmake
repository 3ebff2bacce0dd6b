if(SCREE_VTK)
  scree_add_fuzz_target(vtu SOURCES vtu_fuzz.cpp RUNS 500 LINK scree_bonded_mesh)
endif()
