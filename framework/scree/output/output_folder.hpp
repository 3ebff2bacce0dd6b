#pragma once
/// \file Output folder of a run: one run at a time, and no foreign file is touched.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Locks the folder during its lifetime. The lock is a hidden file that stays. It also shows that runs have written
/// here before, and which scene.json is theirs. The system drops the lock of a program that dies. On file systems
/// without locks there is none.
class SCREE_API OutputFolder {
 public:
  /// Name of the lock.
  static constexpr const char* kLock = ".scree.lock";

  /// Creates the folder if needed; removes parts of files that a killed run left.
  /// \param names  names in the folder of all that the run and its observers write
  /// \throws IoError if another run writes there, or if no run has been there and one of `names` exists
  OutputFolder(std::filesystem::path folder, std::span<const std::string> names);
  /// Removes what the constructor made, unless keep() was called.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Checks whether a run has written here before.
  bool used() const { return !made_lock_; }

  /// Keeps what the constructor made: the run begins.
  void keep() { kept_ = true; }

  /// Writes a scene as scene.json. A scene.json that no run wrote, or that was changed since, stays as it is: the scene
  /// then goes to scene.resolved.json. \return name of the file  \throws IoError
  std::string write_scene(std::string_view text);

 private:
  void lock();
  void remove_parts() const;
  std::string noted_hash() const;
  void note_hash(const std::string& hash) const;

  std::filesystem::path folder_;
  bool made_folder_ = false, made_lock_ = false, kept_ = false;
  int descriptor_ = -1;
};

}  // namespace scree
