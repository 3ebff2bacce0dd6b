#pragma once
/// \file The bytes of a file that may be anything: a pipe, a device, a terabyte of nothing.

#include <cstddef>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// The whole file, when it is a regular one that begins as ELF files do; never waits.
/// \throws InputError, a sentence about the file
SCREE_API std::vector<std::byte> read_library_file(const std::string& file);

}  // namespace scree
