#pragma once
/// \file Bytes of a file that may be anything: a pipe, a device, a terabyte of nothing.

#include <cstddef>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Reads the whole file, if it is a regular one that begins like ELF files; never waits.
/// \throws InputError, a sentence about the file
SCREE_API std::vector<std::byte> read_library_file(const std::string& file);

}  // namespace scree
