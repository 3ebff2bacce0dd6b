# Eigen and fmt: as packages, or as bare headers in SCREE_HEADERS, a folder that was carried to a machine without them,
# such as one with copies of /usr/include/eigen3 and /usr/include/fmt.
set(SCREE_HEADERS "" CACHE PATH "Folder with eigen3/ and fmt/, where they are not installed")

# scree_header_library(<target> <file>): <target> gives the folder that <file> is in.
function(scree_header_library target file)
  if(TARGET ${target})
    return()
  endif()
  find_path(folder_of_${file} "${file}" HINTS "${SCREE_HEADERS}" PATH_SUFFIXES eigen3 include include/eigen3)
  if(NOT folder_of_${file})
    message(FATAL_ERROR "${file} is not there: install Eigen and fmt (Debian: libeigen3-dev, libfmt-dev), or put eigen3/ and "
                        "fmt/ into a folder and name it: -DSCREE_HEADERS=FOLDER")
  endif()
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE "${folder_of_${file}}")
endfunction()

if(NOT SCREE_HEADERS)
  find_package(Eigen3 3.4 QUIET NO_MODULE)
  find_package(fmt QUIET)
endif()
scree_header_library(Eigen3::Eigen Eigen/Core)
scree_header_library(fmt::fmt-header-only fmt/format.h)
