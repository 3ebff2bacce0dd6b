# Debian packages, made by `./scree package` from two builds: one for every x86-64 processor, and its libraries once more
# for x86-64-v3 (AVX2). The loader of shared libraries chooses: it looks into glibc-hwcaps/ first.

set(SCREE_PACKAGE_LEVEL "" CACHE PATH "Folder with the libraries for a higher instruction set, a subfolder per component")
mark_as_advanced(SCREE_PACKAGE_LEVEL)
if(SCREE_PACKAGE_LEVEL)
  foreach(component IN ITEMS libraries render_libraries mpi python_libraries)
    install(DIRECTORY "${SCREE_PACKAGE_LEVEL}/${component}/lib/glibc-hwcaps" DESTINATION lib COMPONENT ${component}
            USE_SOURCE_PERMISSIONS OPTIONAL)
  endforeach()
endif()

install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/scree" COMPONENT documentation
        PATTERN build EXCLUDE PATTERN out EXCLUDE)
install(DIRECTORY framework/docs DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/scree/framework" COMPONENT documentation)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/scree" COMPONENT documentation)
file(GLOB_RECURSE pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS plugins/README.md framework/solvers/README.md)
list(APPEND pages framework/README.md cuda/README.md tests/bench/README.md tests/verification/README.md)
foreach(page IN LISTS pages)
  get_filename_component(folder "${page}" DIRECTORY)
  install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/scree/${folder}" COMPONENT documentation)
endforeach()

# Pages name headers by their place in the repository; in a package they are those of libscree-dev.
install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/scree/framework\")
file(CREATE_LINK ../../../../${CMAKE_INSTALL_INCLUDEDIR}/scree
     \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/scree/framework/scree\" SYMBOLIC)"
        COMPONENT documentation)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_VENDOR "The authors of scree")
set(CPACK_PACKAGE_CONTACT "The authors of scree <scree@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL programs libraries render_programs render_libraries mpi development documentation)
if(TARGET scree_python)
  list(APPEND CPACK_COMPONENTS_ALL python python_libraries)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/lib")
set(CPACK_DEBIAN_PACKAGE_SECTION science)

# scree_package(<group> <Debian name> <one line> [DEPENDS <names>] [RECOMMENDS <names>])
macro(scree_package group name line)
  cmake_parse_arguments(package "" "DEPENDS;RECOMMENDS" "" ${ARGN})
  string(TOUPPER ${group} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${line}")
  set(CPACK_COMPONENT_GROUP_${upper}_DESCRIPTION "${line}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${line}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${package_DEPENDS}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${package_RECOMMENDS}")
endmacro()
set(same "(= ${PROJECT_VERSION})")
string(REGEX MATCH "^[0-9]+" compiler_of_package "${CMAKE_CXX_COMPILER_VERSION}")
scree_package(run scree "discrete element method: the program and its methods" RECOMMENDS "scree-render ${same}, python3 (>= 3.9)")  # scree convert runs in Python
scree_package(render scree-render "discrete element method: what needs VTK: files for ParaView, pictures, bonded solids, culling" DEPENDS "scree ${same}"
              RECOMMENDS "xvfb, xauth")  # pictures without a screen
scree_package(ranks scree-mpi "discrete element method: runs on several processes by Open MPI" DEPENDS "scree ${same}")
if(TARGET scree_python)
  get_target_property(python_version scree_python SCREE_PYTHON_VERSION)  # its interface is that of one version
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" python_version "${python_version}")
  math(EXPR python_next "${CMAKE_MATCH_2} + 1")
  scree_package(python python3-scree "discrete element method: package for Python, and hooks of scenes in Python"
                DEPENDS "scree ${same}, python3 (>= ${python_version}), python3 (<< ${CMAKE_MATCH_1}.${python_next}), libpython${python_version}, python3-numpy"
                RECOMMENDS "scree-render ${same}")
endif()
scree_package(development libscree-dev "discrete element method: headers and CMake package for plugins"
              DEPENDS "scree ${same}, g++ (>= 4:${compiler_of_package}), g++-${compiler_of_package}, make, cmake, libeigen3-dev, libfmt-dev")
scree_package(documentation scree-doc "discrete element method: examples and pages")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)

include(CPack)
cpack_add_component_group(run)
cpack_add_component_group(render)
cpack_add_component_group(ranks)
cpack_add_component_group(python)
cpack_add_component_group(development)
cpack_add_component_group(documentation)
cpack_add_component(programs GROUP run)
cpack_add_component(libraries GROUP run)
cpack_add_component(render_programs GROUP render)
cpack_add_component(render_libraries GROUP render)
cpack_add_component(mpi GROUP ranks)
cpack_add_component(python GROUP python)
cpack_add_component(python_libraries GROUP python)
cpack_add_component(development GROUP development)
cpack_add_component(documentation GROUP documentation)
