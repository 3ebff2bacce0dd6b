# How tests are declared. Each file of a Catch2 program is an entry of ctest, and so is each command.
#
# <build>/tests.txt has a line per entry: its name, a tab, and the targets it needs. `./scree test NAME` builds those.

option(SCREE_SLOW_TESTS "Build the slow tests too; `./scree test -L slow` sets it" OFF)
option(SCREE_LONG_CASES "Run test cases tagged [long]; .ci/run leaves them out with sanitizers" ON)

# The longest tests begin first, or the last one would run alone. tests/README.md lists them with their seconds.
set(SCREE_TESTS_PAGE "${PROJECT_SOURCE_DIR}/tests/README.md")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SCREE_TESTS_PAGE}")
file(STRINGS "${SCREE_TESTS_PAGE}" SCREE_LONGEST_TESTS REGEX "^\\| `[^`]+` \\| [0-9]+ \\|")

# scree_note_test(<name> LABEL <label> [BUILDS <target>...] [THREADS <n>]): what all entries have in common.
function(scree_note_test name)
  cmake_parse_arguments(arg "" "THREADS" "LABEL;BUILDS" ${ARGN})
  set_tests_properties("${name}" PROPERTIES LABELS "${arg_LABEL}"
    ENVIRONMENT "SCREE_PLUGIN_PATH=${SCREE_PLUGIN_OUTPUT_DIRECTORY}")
  if(arg_THREADS)
    set_tests_properties("${name}" PROPERTIES PROCESSORS ${arg_THREADS})
  endif()
  foreach(line IN LISTS SCREE_LONGEST_TESTS)
    if(line MATCHES "^. `([^`]+)` . ([0-9]+) " AND CMAKE_MATCH_1 STREQUAL name)
      set_tests_properties("${name}" PROPERTIES COST ${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(JOIN arg_BUILDS " " targets)
  set_property(GLOBAL APPEND_STRING PROPERTY SCREE_TEST_LIST "${name}\t${targets}\n")
endfunction()

# scree_write_test_list(): after all tests were declared.
function(scree_write_test_list)
  get_property(list GLOBAL PROPERTY SCREE_TEST_LIST)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/tests.txt" CONTENT "${list}" @ONLY)
endfunction()

# scree_add_command_test(<name> COMMAND ... [LABEL slow] [BUILDS <target>...] [THREADS <n>] [INSTALLED])
#
# A test that is no Catch2 program. It prints "SKIPPED: " and a reason where it cannot run. INSTALLED: it finds plugins
# where it has installed them, not in the build.
function(scree_add_command_test name)
  cmake_parse_arguments(arg "INSTALLED" "THREADS" "LABEL;COMMAND;BUILDS" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL quick)
  endif()
  add_test(NAME "${name}" COMMAND ${arg_COMMAND})
  scree_note_test("${name}" LABEL ${arg_LABEL} BUILDS ${arg_BUILDS} THREADS "${arg_THREADS}")
  set_tests_properties("${name}" PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  if(arg_INSTALLED)
    set_tests_properties("${name}" PROPERTIES ENVIRONMENT "")
  endif()
endfunction()

# scree_add_test(<name> SOURCES ... [LINK ...] [DEFINITIONS ...] [LABEL unit|slow] [THREADS <n>] [OPTIMIZED] [SEPARATE]
#                [NOT_SANITIZED])
#
# A Catch2 program. Each source with test cases is an entry of ctest, "<name>: <file>", run in a process of its own.
# LABEL unit also puts the program into target scree_unit_tests, which tests/sanitize/run builds with sanitizers; LABEL slow
# keeps it out of the quick suite. NOT_SANITIZED: with sanitizers only in the slow suite, since it compiles or runs for
# long. So is a case with the tag [long], which runs for long through code that others run through too. A case with the tag
# [optional] lacks something on some machines, and is skipped there. OPTIMIZED: compiled as the library, for tests with long loops of their own. SEPARATE: sources that
# have constants of their own under the same names. THREADS: how many threads its cases run, if more than one.
function(scree_add_test name)
  cmake_parse_arguments(arg "OPTIMIZED;SEPARATE;NOT_SANITIZED" "LABEL;THREADS" "SOURCES;LINK;DEFINITIONS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE scree scree_catch scree_warnings ${arg_LINK})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  if(arg_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(arg_OPTIMIZED)
    scree_precompile(${name} TEST)
  else()
    target_compile_options(${name} PRIVATE ${SCREE_TEST_FLAGS})
    scree_precompile(${name} TEST COLD)
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL quick)
  endif()
  if(arg_LABEL STREQUAL "slow" AND NOT SCREE_SLOW_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  if(arg_LABEL STREQUAL "unit")
    add_dependencies(scree_unit_tests ${name})
    if(NOT arg_NOT_SANITIZED)
      add_dependencies(scree_sanitized_tests ${name})
      set(arg_LABEL unit sanitized)
    endif()
  endif()
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\.cpp$")
      scree_add_test_file(${name} "${source}" LABEL ${arg_LABEL} THREADS "${arg_THREADS}")
    endif()
  endforeach()
endfunction()

# The entry of one source, if it has cases that are to run.
function(scree_add_test_file program source)
  cmake_parse_arguments(arg "" "THREADS" "LABEL" ${ARGN})
  get_filename_component(file "${source}" NAME_WE)
  get_filename_component(source "${source}" ABSOLUTE)
  file(READ "${source}" text)
  string(REGEX MATCHALL "TEST_CASE(_SIG)?\\(" cases "${text}")
  string(REGEX MATCHALL "\"\\[(long|\\.[a-z]*)\\]\"" left_out "${text}")
  set(filter "[#${file}]~[.]")
  if(SCREE_LONG_CASES)
    list(FILTER left_out EXCLUDE REGEX "long")
  else()
    string(APPEND filter "~[long]")
  endif()
  list(LENGTH cases cases)
  list(LENGTH left_out left_out)
  if(cases EQUAL left_out)
    return()
  endif()
  set(name "${program}: ${file}")
  set(entries "${name}" "${filter}")
  # A case that is skipped on some machines is listed by itself: the others of its file are not skipped.
  if(text MATCHES "\"\\[optional\\]\"")
    set(entries "${name}" "${filter}~[optional]" "${name}, optional" "${filter}[optional]")
  endif()
  while(entries)
    list(POP_FRONT entries name filter)
    add_test(NAME "${name}" COMMAND ${program} --filenames-as-tags ${SCREE_CATCH_OPTIONS} "${filter}")
    scree_note_test("${name}" LABEL ${arg_LABEL} BUILDS ${program} THREADS "${arg_THREADS}")
    set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 4)
  endwhile()
endfunction()

if(BUILD_TESTING)
  add_custom_target(scree_unit_tests)
  add_custom_target(scree_sanitized_tests)
  find_package(Catch2 REQUIRED)
  # Catch's own code and main() are compiled once.
  add_library(scree_catch_main OBJECT "${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp")
  target_link_libraries(scree_catch_main PUBLIC Catch2::Catch2)
  target_compile_options(scree_catch_main PRIVATE -O1)
  add_library(scree_catch INTERFACE)
  target_link_libraries(scree_catch INTERFACE Catch2::Catch2)
  target_sources(scree_catch INTERFACE $<TARGET_OBJECTS:scree_catch_main>)
  target_include_directories(scree_catch INTERFACE "${PROJECT_SOURCE_DIR}/tests/support")
  if(Catch2_VERSION VERSION_LESS 3)
    set(SCREE_CATCH_OPTIONS --warn NoTests)  # version 3 fails by itself where no case matches
  endif()
  if(SCREE_SANITIZE)
    target_compile_definitions(scree_catch INTERFACE SCREE_SANITIZED)  # tests/support/random_cases.hpp
  endif()
endif()
