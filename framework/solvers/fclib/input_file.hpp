#pragma once
/// \file An HDF5 file of which arrays are read, each checked on the way in.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solvers/fclib/error.hpp"
#include "scree/output/detail/hdf5_handle.hpp"

namespace scree::fclib {

using hdf5::Handle;
using hdf5::QuietScope;

/// Names are paths inside the file: "fclib_local/W/x". Everything throws Error.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);

  /// \return whether there is a dataset or a group of that name
  bool has(const std::string& name) const;
  /// Names in a group.
  std::vector<std::string> children(const std::string& group) const;

  std::vector<std::int64_t> integers(const std::string& name) const;
  /// The first of `integers`.
  std::int64_t integer(const std::string& name) const;
  /// Finite numbers.
  std::vector<double> reals(const std::string& name) const;
  /// Text of fixed or variable length; "" when there is none.
  std::string text(const std::string& name) const;

  /// As many numbers as the file can hold, compressed or not: no size that it states can be larger.
  std::int64_t most_numbers() const;

  [[noreturn]] void fail(std::string_view place, std::string_view message) const { throw Error(path_, place, message); }

 private:
  template <class T>
  std::vector<T> numbers(const std::string& name, hid_t type, bool whole) const;
  Handle open(const std::string& name) const;
  /// What a dataset claims to hold must be in this file: no more than its stored bytes can unpack to.
  void check_size(const std::string& name, hid_t dataset, std::uint64_t bytes) const;

  std::filesystem::path path_;
  QuietScope quiet_;
  Handle id_;
};

}  // namespace scree::fclib
