#pragma once
/// \file Whether HDF5 itself survives a file.

#include <filesystem>

namespace scree::fclib {

/// Reads the file in a child process first: HDF5 1.10 crashes, hangs or asks for gigabytes on some damaged files, and
/// no check of ours comes before it. What the child has survived, reading again does no harm. \throws Error  when the
/// child died, took longer than reading takes, or more memory than 1 GiB and eight times the
///                file's size
void require_sound(const std::filesystem::path& file);

}  // namespace scree::fclib
