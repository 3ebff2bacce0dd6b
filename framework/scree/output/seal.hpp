#pragma once
/// \file What stands before the HDF5 file in a checkpoint: its length and checksum, so that damage is found before HDF5
/// reads a byte of it. HDF5 calls such a place a user block and passes over it, as do h5dump and h5py.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Bytes of a seal: the least HDF5 allows.
inline constexpr std::size_t kSealBytes = 512;

/// The seal of what follows it: three lines of text, filled up with zeros.
SCREE_API std::string seal_of(std::span<const std::byte> rest);

/// \throws IoError saying whether the file is no checkpoint of scree, cut short, or damaged
SCREE_API void check_seal(const std::filesystem::path& file);

}  // namespace scree
