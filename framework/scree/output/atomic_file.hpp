#pragma once
/// \file Atomic files, which appear whole or not at all: written aside in the same folder, then renamed over their
/// name.
///
/// A killed program leaves at most a hidden `.<name>.<process>.part`, which the next run in that folder removes. Links
/// A killed program leaves at most a hidden `.<name>.<process>.part`, which the next run in that folder removes. Links
/// are never followed. Data is forced to the disk only on request. Otherwise the promise covers the death of the
/// program, not of the machine.

#include <filesystem>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"

namespace scree {

/// File being written aside. Whatever happens before commit(), `target` keeps its content.
class SCREE_API AtomicFile {
 public:
  /// Creates the part. \throws IoError if it cannot be created
  explicit AtomicFile(std::filesystem::path target);
  /// Removes the part if commit() was not reached.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. \throws IoError, e.g. when the disk is full
  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  /// Renames the file to its name. \throws IoError
  /// \param to_disk  true if it must survive the death of the machine as well; that takes milliseconds
  void commit(bool to_disk = false);

 private:
  std::filesystem::path target_, part_;
  int descriptor_ = -1;
};

/// Writes a whole file at once.
/// \param to_disk  see AtomicFile::commit()
/// \throws IoError
SCREE_API void write_atomically(const std::filesystem::path& target, std::string_view text, bool to_disk = false);

/// Creates the folder and its parents if needed, and checks that files can be made in it.
/// \throws IoError if it is not a folder or not writable
SCREE_API void prepare_folder(const std::filesystem::path& folder);

/// Prepares a folder inside the output folder. It must not be a link: other users with write access could lead files
/// elsewhere by one.
/// \throws IoError
SCREE_API void prepare_subfolder(const std::filesystem::path& folder);

/// Refuses pipes, devices and folders in place of a file of a result: opening a pipe may take for ever.
/// \throws IoError if there is something that is no regular file; links are followed
SCREE_API void require_regular_file(const std::filesystem::path& path);

/// Returns the whole content of a regular file.
/// \throws IoError
SCREE_API std::string read_file(const std::filesystem::path& path);

/// Returns the error for a failed system call: names the path, the reason of `error_number` (as in errno), and the
/// remedy.
SCREE_API IoError io_error(const std::filesystem::path& path, std::string_view what, int error_number);

/// Calls write(2) until all is written. \param path  only for the message
/// \throws IoError
SCREE_API void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path);

}  // namespace scree
