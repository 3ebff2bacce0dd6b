#pragma once
/// \file What goes wrong with problem files. Texts have the form "file: dataset: what, got, allowed, fix".

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace scree::fclib {

/// what() is the whole message.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// \param place    path of a dataset or group inside the file, or "" for the file as a whole
  /// \param message  what is wrong, what is allowed, what to do
  Error(const std::filesystem::path& file, std::string_view place, std::string_view message);
  ~Error() override;
};

}  // namespace scree::fclib
