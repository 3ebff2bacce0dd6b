#pragma once
/// \file CRC-64 of bytes and files: tells damage and change, not forgery.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "scree/base/api.hpp"

namespace scree {

/// CRC-64/XZ (ECMA-182, reflected).
SCREE_API std::uint64_t checksum(std::span<const std::byte> bytes);

/// Of the bytes of a regular file from `offset` on, read a piece at a time.
/// \throws IoError when it cannot be read or is no regular file
SCREE_API std::uint64_t file_checksum(const std::filesystem::path& file, std::size_t offset = 0);

}  // namespace scree
