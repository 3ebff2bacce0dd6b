#pragma once
/// \file Files that appear whole or not at all: written aside in the same folder, then renamed over their name.
///
/// A killed program leaves at most a hidden `.<name>.<process>.part`, which the next run in that folder removes. Links
/// are never followed. Data is forced to the disk only where asked for: without, the promise covers the death of the
/// program, not of the machine.

#include <filesystem>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"

namespace scree {

/// One file being written aside. Whatever happens before commit(), `target` keeps what it held.
class SCREE_API AtomicFile {
 public:
  /// \throws IoError when the file cannot be created
  explicit AtomicFile(std::filesystem::path target);
  /// Removes the part when commit() was not reached.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. \throws IoError, e.g. when the disk is full
  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  /// Gives the file its name. \throws IoError
  /// \param to_disk  whether it is to survive the death of the machine as well; that takes milliseconds
  void commit(bool to_disk = false);

 private:
  std::filesystem::path target_, part_;
  int descriptor_ = -1;
};

/// The whole file at once.
/// \param to_disk  see AtomicFile::commit()
/// \throws IoError
SCREE_API void write_atomically(const std::filesystem::path& target, std::string_view text, bool to_disk = false);

/// Makes the folder and its parents where needed, and makes sure that files can be made in it.
/// \throws IoError when it is not a folder or not writable
SCREE_API void prepare_folder(const std::filesystem::path& folder);

/// The same for a folder inside the output folder, which must not be a link: who else may write there could lead files
/// elsewhere by one.
/// \throws IoError
SCREE_API void prepare_subfolder(const std::filesystem::path& folder);

/// Refuses pipes, devices and folders where a file of a result is to be read: to open a pipe may take for ever.
/// \throws IoError where something is there that is no regular file; links are followed
SCREE_API void require_regular_file(const std::filesystem::path& path);

/// The whole content of a regular file.
/// \throws IoError
SCREE_API std::string read_file(const std::filesystem::path& path);

/// The error for a failed system call: names the path, the reason behind `error_number` (as in errno), and the remedy.
SCREE_API IoError io_error(const std::filesystem::path& path, std::string_view what, int error_number);

/// write(2) until all is written. `path` is for the message only.
/// \throws IoError
SCREE_API void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path);

}  // namespace scree
