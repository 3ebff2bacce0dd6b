# What `scree new-plugin` writes of every kind builds against the installed package, passes its tests, `scree test-plugin`
# among them, and its scene runs. So does what the page on 3D shapes says, taken literally.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

run("installing" ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/prefix")
set(scree "${WORK}/prefix/bin/scree")
run("listing kinds" "${scree}" new-plugin --list-kinds)
string(REGEX MATCHALL "[^\n]+" kinds "${out}")
list(LENGTH kinds count)
if(count LESS 9)
  message(FATAL_ERROR "only these kinds can be written: ${kinds}")
endif()
set(folders)
foreach(kind IN LISTS kinds)
  string(MAKE_C_IDENTIFIER "my_${kind}" name)
  run("writing ${kind}" "${scree}" new-plugin ${kind} ${name} --out "${WORK}/all/${name}")
  list(APPEND folders ${name})
endforeach()
run("writing the page's shape" "${scree}" new-plugin shape-3d ring --out "${WORK}/all/ring")
run("taking the page's files" ${PYTHON} "${TESTS}/files_of_page.py" "${PAGE}" "${WORK}/all/ring")
list(APPEND folders ring)

# One project of all, so that they are compiled side by side.
file(WRITE "${WORK}/all/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)
project(all LANGUAGES C CXX)
enable_testing()
foreach(folder ${folders})
  add_subdirectory(\${folder})
endforeach()
")
run("configuring" ${CMAKE_COMMAND} -S "${WORK}/all" -B "${WORK}/build" -G "${GENERATOR}" -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building" ${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)
run("testing" ${CMAKE_COMMAND} -E env --unset=SCREE_PLUGIN_PATH ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build"
    --output-on-failure --no-tests=error)
foreach(folder IN LISTS folders)
  run("running ${folder}" ${CMAKE_COMMAND} -E env --unset=SCREE_PLUGIN_PATH "${scree}" run "${WORK}/all/${folder}/scene.json"
      --plugin-path "${WORK}/build/${folder}" --quiet --out "${WORK}/out/${folder}")
endforeach()
