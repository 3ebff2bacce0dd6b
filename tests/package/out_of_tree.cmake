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

# The same shape runs on a device as it is: its plugin has no device code.
run("running on a device" "${WORK}/prefix/bin/scree" run "${WORK}/third_party/scene.json" --plugin-path "${WORK}/build"
    --device cuda-host --quiet --set /run/duration=0.3 --out "${WORK}/out_on_device")
file(READ "${WORK}/out_on_device/summary.json" summary)
string(JSON contacts GET "${summary}" contacts_mean)
if(contacts LESS 5)
  message(FATAL_ERROR "on a device there are ${contacts} contacts per step; pills and crosses should lie on each other")
endif()

# What `scree new-plugin` writes builds as it is, passes its test, and its scene runs.
run("writing a plugin" "${WORK}/prefix/bin/scree" new-plugin shape my_egg --out "${WORK}/my_egg")
file(READ "${WORK}/my_egg/README.md" readme)
string(FIND "${readme}" "${WORK}/prefix" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md does not say where scree is installed:\n${readme}")
endif()
run("configuring the new plugin" ${CMAKE_COMMAND} -S "${WORK}/my_egg" -B "${WORK}/my_egg/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building the new plugin" ${CMAKE_COMMAND} --build "${WORK}/my_egg/build")
run("testing the new plugin" ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/my_egg/build" --output-on-failure)
run("running the new plugin" "${WORK}/prefix/bin/scree" run "${WORK}/my_egg/scene.json" --plugin-path
    "${WORK}/my_egg/build" --quiet --set /run/duration=0.1 --out "${WORK}/out_egg")

# A program of one's own.
file(COPY "${EMBEDDED}/" DESTINATION "${WORK}/embedded" PATTERN build EXCLUDE)
run("configuring the program" ${CMAKE_COMMAND} -S "${WORK}/embedded" -B "${WORK}/embedded/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building the program" ${CMAKE_COMMAND} --build "${WORK}/embedded/build")
run("running the program" ${CMAKE_COMMAND} -E env --unset=SCREE_PLUGIN_PATH "${WORK}/embedded/build/embedded"
    "${WORK}/embedded/scene.json")
string(FIND "${out}" "again without tilt: the same" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the program that went back to a snapshot says:\n${out}")
endif()

# An engine of one's own: the same bits as the one it hands on to, called from event to event.
file(COPY "${TESTS}/relay/" DESTINATION "${WORK}/relay")
run("configuring the engine" ${CMAKE_COMMAND} -S "${WORK}/relay" -B "${WORK}/relay/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building the engine" ${CMAKE_COMMAND} --build "${WORK}/relay/build")
foreach(device cpu relay)
  run("running on ${device}" "${WORK}/prefix/bin/scree" run "${WORK}/embedded/scene.json" --device ${device} --plugin-path
      "${WORK}/relay/build" --quiet --set /run/duration=0.1 --out "${WORK}/on_${device}")
  file(READ "${WORK}/on_${device}/summary.json" summary)
  string(JSON hash_${device} GET "${summary}" state_hash)
  string(JSON contacts_${device} GET "${summary}" contacts_mean)
endforeach()
string(JSON calls GET "${summary}" figures relay_calls)
if(NOT hash_cpu STREQUAL hash_relay OR NOT contacts_cpu STREQUAL contacts_relay)
  message(FATAL_ERROR "${hash_relay}, ${contacts_relay} contacts on the relay, ${hash_cpu}, ${contacts_cpu} on the host")
endif()
if(calls GREATER 16)
  message(FATAL_ERROR "2000 steps with 11 rows of metrics and 4 snapshots took ${calls} calls")
endif()
# Stages too: each gets an engine of its own.
file(READ "${WORK}/embedded/scene.json" staged)
string(JSON staged REMOVE "${staged}" run)
string(JSON staged SET "${staged}" stages [=[[{"name": "fall", "until": {"duration": 0.05}},
  {"name": "rest", "change": {"damping": {"local": 0.3}, "integrator": {"dt": 2e-5}}, "until": {"steps": 500}}]]=])
file(WRITE "${WORK}/embedded/staged.json" "${staged}")
foreach(device cpu relay)
  run("running stages on ${device}" "${WORK}/prefix/bin/scree" run "${WORK}/embedded/staged.json" --device ${device}
      --plugin-path "${WORK}/relay/build" --quiet --out "${WORK}/staged_on_${device}")
  file(READ "${WORK}/staged_on_${device}/summary.json" summary)
  string(JSON staged_hash_${device} GET "${summary}" state_hash)
endforeach()
if(NOT staged_hash_cpu STREQUAL staged_hash_relay)
  message(FATAL_ERROR "stages: ${staged_hash_relay} on the relay, ${staged_hash_cpu} on the host")
endif()
execute_process(COMMAND "${WORK}/prefix/bin/scree" run "${BEAM}" --device relay --plugin-path "${WORK}/relay/build" --quiet
                --out "${WORK}/refused" RESULT_VARIABLE code ERROR_VARIABLE err)
if(NOT code EQUAL 2 OR NOT err MATCHES "engine \"relay\" serves no bonds" OR EXISTS "${WORK}/refused")
  message(FATAL_ERROR "a plan that the engine refuses ends with ${code}:\n${err}")
endif()

# A table, an observer and an integrator of one's own: the same bits on the host and where columns are away from it, and
# resumed.
file(COPY "${TESTS}/tracers/" DESTINATION "${WORK}/tracers")
run("configuring the table" ${CMAKE_COMMAND} -S "${WORK}/tracers" -B "${WORK}/tracers/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building the table" ${CMAKE_COMMAND} --build "${WORK}/tracers/build")
function(run_tracers folder)
  run("running tracers to ${folder}" "${WORK}/prefix/bin/scree" run "${WORK}/tracers/scene.json" --plugin-path
      "${WORK}/relay/build" --plugin-path "${WORK}/tracers/build" --quiet --out "${WORK}/${folder}" ${ARGN})
  file(READ "${WORK}/${folder}/summary.json" summary)
  string(JSON hash GET "${summary}" state_hash)
  set(${folder}_hash "${hash}" PARENT_SCOPE)
  if(NOT EXISTS "${WORK}/${folder}/tables/tracers.pvd")
    message(FATAL_ERROR "${folder}: the table is in no picture")
  endif()
endfunction()
run_tracers(tracers_host)
run_tracers(tracers_away --device relay)
run_tracers(tracers_resumed --resume "${WORK}/tracers_host/checkpoints/checkpoint_000000500.h5")
if(NOT tracers_host_hash STREQUAL tracers_away_hash OR NOT tracers_host_hash STREQUAL tracers_resumed_hash)
  message(FATAL_ERROR "tracers: ${tracers_host_hash} on the host, ${tracers_away_hash} away, ${tracers_resumed_hash} resumed")
endif()

# Each installed header compiles alone.
file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix/include" "${WORK}/prefix/include/scree/*.hpp")
set(sources)
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER "${header}" name)
  file(WRITE "${WORK}/headers/${name}.cpp" "#include \"${header}\"\n")
  string(APPEND sources " ${name}.cpp")
endforeach()
file(WRITE "${WORK}/headers/CMakeLists.txt" "cmake_minimum_required(VERSION 3.22)
project(headers LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(scree REQUIRED)
add_library(headers OBJECT${sources})
target_compile_options(headers PRIVATE -fsyntax-only)
target_link_libraries(headers PRIVATE scree::scree)
")
run("configuring the headers" ${CMAKE_COMMAND} -S "${WORK}/headers" -B "${WORK}/headers/build" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("compiling each header alone" ${CMAKE_COMMAND} --build "${WORK}/headers/build")

# The package stands alone: no path of the build tree in it.
file(GLOB_RECURSE cmake_files "${WORK}/prefix/*.cmake")
foreach(file IN LISTS cmake_files)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()

# Every program starts wherever the prefix stands, and finds the plugins.
file(RENAME "${WORK}/prefix" "${WORK}/moved")
file(GLOB programs "${WORK}/moved/bin/*")
list(LENGTH programs count)
if(count LESS 3)
  message(FATAL_ERROR "only ${count} programs are installed: ${programs}")
endif()
foreach(program IN LISTS programs)
  run("starting ${program}" ${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH --unset=SCREE_PLUGIN_PATH "${program}" --help)
endforeach()
run("listing plugins" ${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH --unset=SCREE_PLUGIN_PATH "${WORK}/moved/bin/scree"
    plugins star)
