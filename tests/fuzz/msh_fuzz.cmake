scree_add_fuzz_target(msh SOURCES msh_fuzz.cpp RUNS 20000 LINK scree_bonded_mesh)
