# The paper's scheme, a baseline for the benchmark alone. Sets paper_sources, for the host; its device code comes beside
# the benchmark's program, is not installed, and is built with the benchmark.
function(scree_paper_scheme)
  set(SCREE_PLUGIN_OUTPUT_DIRECTORY "")
  scree_device_code(paper for_host "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/device.cu")
  set(paper_sources "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/scheme.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/sprite.cpp"
    "${for_host}" PARENT_SCOPE)
  if(TARGET paper_device)
    target_include_directories(paper_device PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/include"
      "${CMAKE_CURRENT_SOURCE_DIR}/../framework")
    set_target_properties(paper_device PROPERTIES EXCLUDE_FROM_ALL ON
      LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/device")
  endif()
endfunction()
scree_paper_scheme()
