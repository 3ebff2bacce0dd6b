file(GLOB scenes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*/scene.json")
scree_add_fuzz_target(scene SOURCES scene_fuzz.cpp RUNS 3000 SEEDS ${scenes})
add_dependencies(fuzz_scene scree_first_plugins)

# Mutated scenes through the program: `check`, and a few steps of what it accepts. All 1,000: label slow.
if(NOT SCREE_FUZZ)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    foreach(run IN ITEMS "quick:60" "slow:1000")
      string(REPLACE ":" ";" run "${run}")
      list(GET run 0 label)
      list(GET run 1 count)
      scree_add_command_test("fuzz: ${count} mutated scenes" LABEL ${label} COMMAND Python3::Interpreter
        "${CMAKE_CURRENT_SOURCE_DIR}/mutated_scenes.py" --program $<TARGET_FILE:scree_program>
        --examples "${PROJECT_SOURCE_DIR}/examples" --count ${count} BUILDS scree_program scree_plugins)
      set_tests_properties("fuzz: ${count} mutated scenes" PROPERTIES TIMEOUT 3600)
    endforeach()
  endif()
endif()
