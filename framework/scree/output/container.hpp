#pragma once
/// \file Container of a checkpoint: named arrays and attributes in HDF5, kept to the last bit.
///
/// Names may have folders ("world/position"). Arrays keep their element type, which reading checks. The HDF5 library of
/// Debian is not built for several threads: use these classes from one thread at a time.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

enum class ElementType { float64, int32, uint32, uint64, byte };

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_same_v<T, double>) return ElementType::float64;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::uint64;
  if constexpr (std::is_same_v<T, std::byte>) return ElementType::byte;
}

template <class T>
concept Element = std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::byte>;

/// Collects a checkpoint in memory; finish() writes it under its name, whole.
class SCREE_API CheckpointWriter {
 public:
  explicit CheckpointWriter(std::filesystem::path file);
  /// Discards the checkpoint, unless finish() was called.
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// Adds an array.
  /// \param shape  row-major extents whose product is values.size(); empty: one dimension
  template <Element T>
  void write(const std::string& name, std::span<const T> values, const std::vector<std::size_t>& shape = {}) {
    write_array(name, element_type<T>(), values.data(), values.size(), shape);
  }
  /// Adds an array of a type known only at run time.
  /// \param count  number of elements
  void write_array(const std::string& name, ElementType type, const void* values, std::size_t count,
                   const std::vector<std::size_t>& shape = {});

  /// Adds an attribute. \param value  up to 60,000 bytes; store a longer text as an array of bytes
  void attribute(const std::string& name, const std::string& value);
  void attribute(const std::string& name, const char* value) { attribute(name, std::string(value)); }
  void attribute(const std::string& name, std::int64_t value);
  void attribute(const std::string& name, double value);

  /// Writes the file. \throws IoError  e.g. if the disk is full; an older file of this name is then still whole
  void finish();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Reads a checkpoint file. Every function throws IoError naming the file and the array or attribute.
class SCREE_API CheckpointReader {
 public:
  /// Opens a file. \throws IoError  if it cannot be read, is truncated, or was not written by CheckpointWriter
  explicit CheckpointReader(std::filesystem::path file);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  const std::filesystem::path& file() const;

  /// Checks whether there is an array or a folder of this name.
  bool has(const std::string& name) const;
  /// Returns the names of the arrays and folders in a folder ("" = top level), in alphabetical order; not recursive.
  std::vector<std::string> list(const std::string& folder = "") const;
  std::vector<std::size_t> shape(const std::string& name) const;
  ElementType type(const std::string& name) const;

  template <Element T>
  std::vector<T> read(const std::string& name) const {
    std::vector<T> values(count(name));
    read_array(name, element_type<T>(), values.data(), values.size());
    return values;
  }
  /// Fills `values`, which must have exactly the array's size and type.
  /// \param count  number of elements
  void read_array(const std::string& name, ElementType type, void* values, std::size_t count) const;

  bool has_attribute(const std::string& name) const;
  std::string text(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double number(const std::string& name) const;

 private:
  std::size_t count(const std::string& name) const;
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace scree
