include(cmake/paper.cmake)
# The benchmark: kernels and their device code alone, without the core library.
set(bench_sources bench/bench.cpp bench/cases.cpp bench/agreement.cpp bench/sectors.cpp bench/paper_pile.cpp bench/packing.cpp bench/grains.cpp bench/spheres.cpp
  bench/clumps.cpp bench/stars.cpp engine/pair_lists.cpp engine/contact_forces.cpp engine/contact_methods.cpp
  engine/device_errors.cpp engine/device_code.cpp engine/host_device.cpp engine/cuda_device.cpp)
list(TRANSFORM bench_sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
set(star "${CMAKE_CURRENT_SOURCE_DIR}/../plugins/star")
set(core "${CMAKE_CURRENT_SOURCE_DIR}/../framework/scree")
add_executable(cuda_bench EXCLUDE_FROM_ALL ${bench_sources} ${paper_sources} "${core}/base/error.cpp" "${core}/law/contact_law.cpp"
  "${core}/shape/shape.cpp" "${star}/outline/outline.cpp" "${star}/outline/crushed.cpp" "${star}/taubin/on_device.cpp")
target_include_directories(cuda_bench PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/include"
  "${CMAKE_CURRENT_SOURCE_DIR}/.." "${CMAKE_CURRENT_SOURCE_DIR}/../framework"
  "${CMAKE_CURRENT_SOURCE_DIR}/../plugins/compliant" "${star}")
target_compile_definitions(cuda_bench PRIVATE FMT_HEADER_ONLY
  SCREE_BENCH_BEDS="${CMAKE_CURRENT_SOURCE_DIR}/../tests/bench")
target_link_libraries(cuda_bench PRIVATE Eigen3::Eigen OpenMP::OpenMP_CXX fmt::fmt-header-only ${CMAKE_DL_LIBS})
foreach(kind cuda host)
  if(TARGET paper_device_${kind})
    add_dependencies(cuda_bench paper_device_${kind})
  endif()
endforeach()
if(TARGET scree_device)  # part of the main build: the benchmark finds device code beside the plugins
  add_dependencies(cuda_bench scree_device)
endif()
