# Flags and helpers of the build inside this repository. What outsiders get is ScreePlugin.cmake and the exported target.
include(CheckCXXCompilerFlag)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(SCREE_PLUGIN_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/scree/plugins")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release | Debug | RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# Where ccache is installed, what was compiled once is not compiled again, in other clones too: paths below this folder
# count as relative. Without the given "sloppiness" it would not take sources that use precompiled headers; their content,
# and that of all headers, is compared all the same.
find_program(SCREE_CCACHE ccache)
if(SCREE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "CCACHE_SLOPPINESS=pch_defines,time_macros" "${SCREE_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# One instruction set for the core and every plugin: mixed ones change the layout of types and halve the speed.
# "auto" takes the highest psABI level this machine runs, under a name that means the same on every machine.
set(SCREE_ARCH "auto" CACHE STRING "Instruction set for the core and all plugins: auto, or a value for -march")
if(SCREE_ARCH STREQUAL "auto")
  file(WRITE "${CMAKE_BINARY_DIR}/scree_arch.cpp" "
#include <cstdio>
int main() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports(\"sse4.2\") && __builtin_cpu_supports(\"popcnt\");
  const bool v3 = v2 && __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\");
  const bool v4 = v3 && __builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512bw\") &&
                  __builtin_cpu_supports(\"avx512cd\") && __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512vl\");
  std::puts(v4 ? \"x86-64-v4\" : v3 ? \"x86-64-v3\" : v2 ? \"x86-64-v2\" : \"x86-64\");
#else
  std::puts(\"\");
#endif
}")
  try_run(SCREE_ARCH_RC SCREE_ARCH_COMPILES "${CMAKE_BINARY_DIR}/scree_arch" "${CMAKE_BINARY_DIR}/scree_arch.cpp"
          RUN_OUTPUT_VARIABLE SCREE_ARCH_FOUND)
  string(STRIP "${SCREE_ARCH_FOUND}" SCREE_ARCH_FOUND)
  set(SCREE_ARCH "${SCREE_ARCH_FOUND}" CACHE STRING "Instruction set for the core and all plugins: auto, or a value for -march" FORCE)
  message(STATUS "Instruction set: ${SCREE_ARCH}")
endif()

# Code generation that must be the same in the core and in every plugin; exported with the package.
# Contraction is off so that SSE2, AVX2, AVX-512 and device builds agree bit for bit; errno and traps only cost speed.
set(SCREE_CODEGEN_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 contracts all the same where it vectorises straight-line code (c x + s y beside c y - s x).
  list(APPEND SCREE_CODEGEN_FLAGS -fno-tree-slp-vectorize)
  # Copies as wide as the vectors that were stored: a wider load waits until all its stores have reached the cache.
  check_cxx_compiler_flag(-mmove-max=256 SCREE_HAS_MOVE_MAX)
  if(SCREE_HAS_MOVE_MAX)
    list(APPEND SCREE_CODEGEN_FLAGS -mmove-max=256 -mstore-max=256)
  endif()
endif()
# What packages hold is built for several instruction sets. Types are laid out alike in all of them then, so that a
# plugin fits whichever the loader chose.
option(SCREE_PORTABLE "Lay out types alike for every instruction set; set for packages" OFF)
if(SCREE_PORTABLE)
  list(APPEND SCREE_CODEGEN_FLAGS -DEIGEN_MAX_ALIGN_BYTES=32)
endif()
if(SCREE_ARCH)
  list(PREPEND SCREE_CODEGEN_FLAGS "-march=${SCREE_ARCH}")
endif()

set(SCREE_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined")
if(SCREE_SANITIZE)
  # The first fault ends the program, which compiles in two thirds of the time. Null pointers fault by themselves.
  # Sizes of objects are the address sanitizer's matter. Overflow of pointers, dynamic types and attributes that forbid
  # null are not checked: together they take a fifth of the time of a compile. Nor is alignment, which takes another
  # quarter: processors of this kind fault by themselves where it matters.
  list(APPEND SCREE_CODEGEN_FLAGS "-fsanitize=${SCREE_SANITIZE}" -fno-sanitize-recover=all
       -fno-sanitize=null,object-size,pointer-overflow,vptr,nonnull-attribute,returns-nonnull-attribute,alignment
       -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${SCREE_SANITIZE}")
endif()

# Code that runs once per run or per file, not per body: reading, checking, writing, the programs. Optimising its
# templates of text and JSON takes a third of all compile time and saves nothing. With sanitizers it is more than half.
set(SCREE_COLD_FLAGS)
if(SCREE_SANITIZE)
  set(SCREE_COLD_FLAGS -O0)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(SCREE_COLD_FLAGS -O1)
endif()
# Tests run for seconds and are compiled in minutes.
set(SCREE_TEST_FLAGS ${SCREE_COLD_FLAGS})

add_library(scree_warnings INTERFACE)
target_compile_options(scree_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(scree_warnings INTERFACE -Wno-psabi)  # vectors wider than registers: all is compiled alike
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms: on std::string (GCC bug 105329), and on its own deliberately undefined vectors (bug 105593).
    target_compile_options(scree_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
endif()

# The sources of a target are compiled together, so that what they include is read once for all of them.
option(SCREE_UNITY "Compile the sources of each target together: cold builds are shorter" ON)
set(CMAKE_UNITY_BUILD ${SCREE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

# scree_compile_in_parts(<target> <n>): n sources at a time, where all together take more than 40 s of a processor.
function(scree_compile_in_parts target sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${sources})
endfunction()

# Eigen, fmt and the standard library are most of what the compiler reads: it reads them once per set of flags.
option(SCREE_PCH "Precompiled headers: builds take half the time" ON)
set(SCREE_PCH_LIBRARY <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <algorithm> <array> <cmath> <cstdint> <filesystem>
    <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <utility> <vector>)
set(SCREE_PCH_TEST ${SCREE_PCH_LIBRARY} <catch.hpp> <nlohmann/json.hpp> <fstream> <random>)

# scree_precompile(<target> [TEST] [COLD]): those headers for a library's objects or a test. COLD: it is compiled with
# SCREE_COLD_FLAGS, a test with SCREE_TEST_FLAGS.
function(scree_precompile target)
  cmake_parse_arguments(arg "TEST;COLD" "" "" ${ARGN})
  if(NOT SCREE_PCH)
    return()
  endif()
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)  # -fopenmp is one of the flags
  set(headers SCREE_PCH_LIBRARY)
  set(pch scree_pch_library)
  set(cold ${SCREE_COLD_FLAGS})
  if(arg_TEST)
    set(headers SCREE_PCH_TEST)
    set(pch scree_pch_test)
    set(cold ${SCREE_TEST_FLAGS})
  endif()
  if(arg_COLD AND cold)
    string(APPEND pch _cold)
  endif()
  if(NOT TARGET ${pch})
    set(source "${CMAKE_BINARY_DIR}/${pch}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() {}\n")
    if(arg_TEST)
      add_executable(${pch} EXCLUDE_FROM_ALL "${source}")
      target_link_libraries(${pch} PRIVATE Catch2::Catch2)
      target_include_directories(${pch} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    else()
      add_library(${pch} OBJECT EXCLUDE_FROM_ALL "${source}")
    endif()
    target_compile_options(${pch} PRIVATE ${SCREE_CODEGEN_FLAGS})
    target_link_libraries(${pch} PRIVATE Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX)
    if(arg_COLD)
      target_compile_options(${pch} PRIVATE ${cold})
    endif()
    target_precompile_headers(${pch} PRIVATE ${${headers}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${pch})
endfunction()

# scree_cold(<target>...): compiled with SCREE_COLD_FLAGS.
function(scree_cold)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${SCREE_COLD_FLAGS})
  endforeach()
endfunction()

include(ScreePlugin)

# scree_install_program(<target> [<component>]): into bin/, where it finds the library whatever the prefix is called. The
# target scree_installed builds all of them. One that is not built, as after `./scree run`, is left out with a sentence.
function(scree_install_program target)
  if(NOT TARGET scree_installed)
    add_custom_target(scree_installed)
  endif()
  add_dependencies(scree_installed ${target})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set(component programs ${ARGN})
  list(GET component -1 component)
  install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL COMPONENT ${component})
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
    message(WARNING \"$<TARGET_FILE_NAME:${target}> is not built and hence not installed. Build it first: ./scree install, or ./scree build\")
  endif()" COMPONENT ${component})
endfunction()

include(ScreeTests)
