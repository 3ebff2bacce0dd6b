#pragma once
/// \file Temporary folder for results that are not kept.

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "scree/base/error.hpp"

namespace scree::conformance {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "scree-test-plugin-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw IoError(path_ + ": cannot be made.");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return std::filesystem::path(path_) / name; }

 private:
  std::string path_;
};

}  // namespace scree::conformance
