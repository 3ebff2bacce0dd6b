#pragma once
/// \file CRC-64 of bytes and files: detects damage and change, not forgery.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "scree/base/api.hpp"

namespace scree {

/// Returns the CRC-64/XZ (ECMA-182, reflected) of bytes.
SCREE_API std::uint64_t checksum(std::span<const std::byte> bytes);

/// Returns the checksum of the bytes of a regular file from `offset` on, read in pieces.
/// \throws IoError if it cannot be read or is no regular file
SCREE_API std::uint64_t file_checksum(const std::filesystem::path& file, std::size_t offset = 0);

}  // namespace scree
