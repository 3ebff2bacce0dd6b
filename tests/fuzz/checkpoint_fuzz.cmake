scree_add_fuzz_target(checkpoint BINARY SOURCES checkpoint_fuzz.cpp RUNS 400 LINK OpenMP::OpenMP_CXX ${HDF5_C_LIBRARIES}
  INCLUDE ${HDF5_INCLUDE_DIRS})

# Checkpoints that were changed and sealed again, through the program. All 1,000: label slow.
if(NOT SCREE_FUZZ)
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND AND TARGET scree_program)
    add_executable(change_checkpoint change_checkpoint.cpp)
    target_link_libraries(change_checkpoint PRIVATE scree scree_warnings ${HDF5_C_LIBRARIES})
    target_include_directories(change_checkpoint PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" ${HDF5_INCLUDE_DIRS})
    foreach(run IN ITEMS "quick:36" "slow:1000")
      string(REPLACE ":" ";" run "${run}")
      list(GET run 0 label)
      list(GET run 1 count)
      scree_add_command_test("fuzz: ${count} checkpoints sealed again" LABEL ${label} COMMAND Python3::Interpreter
        "${CMAKE_CURRENT_SOURCE_DIR}/mutated_checkpoints.py" --program $<TARGET_FILE:scree_program>
        --change $<TARGET_FILE:change_checkpoint> --examples "${PROJECT_SOURCE_DIR}/examples" --count ${count}
        BUILDS scree_program scree_plugins change_checkpoint)
      set_tests_properties("fuzz: ${count} checkpoints sealed again" PROPERTIES TIMEOUT 3600)
    endforeach()
  endif()
endif()
