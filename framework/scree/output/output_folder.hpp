#pragma once
/// \file The folder a run writes into: one run at a time, and no file of somebody else's touched.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Locks the folder while it lives. The lock is a hidden file that stays: it also tells that runs have written here
/// before, and which scene.json is theirs. The system drops the lock of a program that dies. On file systems that know
/// no locks there is none.
class SCREE_API OutputFolder {
 public:
  /// The name of the lock.
  static constexpr const char* kLock = ".scree.lock";

  /// Makes the folder where needed; removes parts of files that a killed run left.
  /// \param names  in the folder, of all that the run and its observers write
  /// \throws IoError when another run writes there, or where no run has been and one of `names` is there
  OutputFolder(std::filesystem::path folder, std::span<const std::string> names);
  /// Removes what the constructor made, unless keep() was called.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Whether a run has written here before.
  bool used() const { return !made_lock_; }

  /// The run begins: what it makes is there to stay.
  void keep() { kept_ = true; }

  /// Writes a scene as scene.json. One that no run wrote, or that was changed since, stays as it is: the scene then
  /// goes to scene.resolved.json. \return the name it got  \throws IoError
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
