#pragma once
/// \file An HDF5 file that is made in memory and then written at once.

#include <filesystem>
#include <span>
#include <string>

#include "solvers/fclib/error.hpp"
#include "scree/output/detail/hdf5_handle.hpp"

namespace scree::fclib {

using hdf5::Handle;
using hdf5::QuietScope;

/// The disk is met by one plain write, whose failure has a reason to report and leaves nothing that HDF5 would try to
/// write again when the program ends. Names are paths inside the file; groups are made on the way. Everything throws
/// Error.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);

  void integers(const std::string& name, std::span<const int> values) { store(name, H5T_NATIVE_INT, values); }
  void integer(const std::string& name, int value) { integers(name, std::span(&value, 1)); }
  void reals(const std::string& name, std::span<const double> values) { store(name, H5T_NATIVE_DOUBLE, values); }
  void text(const std::string& name, const std::string& value);

  /// Writes all beside the file, then renames it. Until then the file keeps what it held.
  void commit();

 private:
  template <class T>
  void store(const std::string& name, hid_t type, std::span<const T> values);
  void store(const std::string& name, hid_t type, hid_t space, const void* values);

  std::filesystem::path path_;
  QuietScope quiet_;
  Handle id_, link_, dataset_;  ///< the file, and how links and datasets are made
};

}  // namespace scree::fclib
