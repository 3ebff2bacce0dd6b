# scree_add_plugin(<name> <source>... [SCHEMA <schema.json>] [LINK <target>...] [TESTS <test.cpp>...])
#
# Builds a plugin for scree: one shared library with the plugin's schema embedded, compiled with the same code-generation
# flags as the core. <name> is an identifier, the same as given to SCREE_PLUGIN() in the source. The schema defaults to
# schema.json beside the CMakeLists.txt, if there is one. TESTS (Catch2) are built inside scree's own tree only.
function(scree_add_plugin name)
  cmake_parse_arguments(arg "" "SCHEMA" "LINK;TESTS" ${ARGN})
  if(NOT arg_SCHEMA AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/schema.json")
    set(arg_SCHEMA "${CMAKE_CURRENT_SOURCE_DIR}/schema.json")
  endif()
  set(text "{}")
  if(arg_SCHEMA)
    file(READ "${arg_SCHEMA}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_SCHEMA}")
  endif()
  set(embedded "${CMAKE_CURRENT_BINARY_DIR}/${name}_schema.cpp")
  file(CONFIGURE OUTPUT "${embedded}" @ONLY CONTENT
"extern \"C\" {
extern const char* const scree_schema_of_@name@;
const char* const scree_schema_of_@name@ = R\"schema(@text@)schema\";
}
")
  add_library(${name}_objects OBJECT ${arg_UNPARSED_ARGUMENTS} "${embedded}")
  target_link_libraries(${name}_objects PUBLIC scree::scree ${arg_LINK})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)

  add_library(${name} MODULE $<TARGET_OBJECTS:${name}_objects>)
  target_link_libraries(${name} PRIVATE scree::scree ${arg_LINK})
  # Undefined symbols are an error now, not when the plugin is loaded.
  target_link_options(${name} PRIVATE "LINKER:-z,defs")
  if(SCREE_SANITIZE)
    target_link_options(${name} PRIVATE "LINKER:-z,undefs")
  endif()
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../..")
  if(SCREE_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${SCREE_PLUGIN_OUTPUT_DIRECTORY}")
    if(NOT TARGET scree_plugins)
      add_custom_target(scree_plugins)
    endif()
    add_dependencies(scree_plugins ${name})
    set_property(GLOBAL APPEND PROPERTY SCREE_PLUGINS ${name})
    install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/scree/plugins")
  endif()
  # A project that names no build type gets none from CMake, hence slow code: methods are hot loops.
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${name}_objects PRIVATE -O3)
  endif()
  if(TARGET scree_warnings)
    target_link_libraries(${name}_objects PRIVATE scree_warnings)
  endif()
  if(COMMAND scree_precompile)
    scree_precompile(${name}_objects)
  endif()
  if(arg_TESTS AND BUILD_TESTING AND COMMAND scree_add_test)
    scree_add_test(${name}_test LABEL unit SOURCES ${arg_TESTS} $<TARGET_OBJECTS:${name}_objects> LINK ${arg_LINK})
    target_include_directories(${name}_test PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    add_dependencies(${name}_test ${name})
  endif()
endfunction()
