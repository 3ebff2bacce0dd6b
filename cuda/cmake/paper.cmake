# The paper's scheme, a baseline for the benchmark only. Sets paper_sources; its device code comes beside the benchmark's
# program, is not installed, and is built with the benchmark.
function(scree_paper_scheme)
  set(SCREE_PLUGIN_OUTPUT_DIRECTORY "")
  scree_device_code(paper "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/device.cu")
  set(paper_sources "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/scheme.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/bench/paper/sprite.cpp"
    PARENT_SCOPE)
  foreach(kind cuda host)
    set(target paper_device_${kind})
    if(TARGET ${target})
      target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/include"
        "${CMAKE_CURRENT_SOURCE_DIR}/../framework")
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/device/${kind}")
    endif()
  endforeach()
endfunction()
scree_paper_scheme()
