#pragma once
/// \file Seal in front of the HDF5 file in a checkpoint: its length and checksum, so that damage is found before HDF5
/// reads a byte of it. HDF5 calls such a place a user block and skips it, as do h5dump and h5py.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Number of bytes of a seal: the smallest that HDF5 allows.
inline constexpr std::size_t kSealBytes = 512;

/// Returns the seal of the bytes behind it: three lines of text, padded with zeros.
SCREE_API std::string seal_of(std::span<const std::byte> rest);

/// Checks the seal of a file. \throws IoError if the file is no checkpoint of scree, cut short, or damaged
SCREE_API void check_seal(const std::filesystem::path& file);

}  // namespace scree
