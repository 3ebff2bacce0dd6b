file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
endfunction()

run("installing" ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/prefix")
# Copied, so that nothing of this tree can be found by a relative path.
file(COPY "${EXAMPLE}/" DESTINATION "${WORK}/third_party" PATTERN build EXCLUDE PATTERN out EXCLUDE)
run("configuring" ${CMAKE_COMMAND} -S "${WORK}/third_party" -B "${WORK}/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building" ${CMAKE_COMMAND} --build "${WORK}/build")
run("running" "${WORK}/prefix/bin/scree" run "${WORK}/third_party/scene.json" --plugin-path "${WORK}/build" --quiet
    --set /run/duration=0.3 --out "${WORK}/out")

file(READ "${WORK}/out/summary.json" summary)
string(JSON contacts GET "${summary}" contacts_mean)
string(JSON status GET "${summary}" status)
if(NOT status STREQUAL "completed" OR contacts LESS 5)
  message(FATAL_ERROR "the scene ran to \"${status}\" with ${contacts} contacts per step; pills and crosses should lie on each other")
endif()
if(NOT EXISTS "${WORK}/out/particles.pvd")
  message(FATAL_ERROR "no particles.pvd")
endif()

# The package stands alone: no path of the build tree in it.
file(GLOB_RECURSE cmake_files "${WORK}/prefix/*.cmake")
foreach(file IN LISTS cmake_files)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()
