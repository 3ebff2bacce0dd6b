#pragma once
/// \file A named per-body array, type-erased for output and checkpoints, typed for use.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

enum class ColumnType : std::uint32_t { float64, int32, uint32, uint64 };

/// Storage of one column: rows of `components` scalars of `type`. Follows every reordering, addition and removal of
/// bodies; written to checkpoints whole, and to VTK files when `show` is set.
class SCREE_API ColumnStorage {
 public:
  ColumnStorage(std::string name, ColumnType type, int components, std::string unit, bool show);

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  ColumnType type() const { return type_; }
  int components() const { return components_; }
  bool show() const { return show_; }
  std::size_t row_bytes() const { return row_bytes_; }
  std::size_t rows() const { return rows_; }

  std::byte* data() { return bytes_.data(); }
  const std::byte* data() const { return bytes_.data(); }

  void reserve(std::size_t rows) { bytes_.reserve(rows * row_bytes_); }
  /// New rows are zero.
  void resize(std::size_t rows);
  /// Row i becomes old row order[i]; order may be shorter than the column (rows left out are removed).
  /// \param spare  working memory, one for all columns; it grows as needed
  void gather(std::span<const std::uint32_t> order, std::vector<std::byte>& spare);

 private:
  std::string name_, unit_;
  ColumnType type_;
  int components_;
  bool show_;
  std::size_t row_bytes_, rows_ = 0;
  std::vector<std::byte> bytes_;
};

template <class T>
struct ColumnTraits;
template <>
struct ColumnTraits<double> {
  static constexpr ColumnType type = ColumnType::float64;
  static constexpr int components = 1;
};
template <>
struct ColumnTraits<Vec3> {
  static constexpr ColumnType type = ColumnType::float64;
  static constexpr int components = 3;
};
/// Memory order of Quat is (x, y, z, w); files and scenes use (w, x, y, z).
template <>
struct ColumnTraits<Quat> {
  static constexpr ColumnType type = ColumnType::float64;
  static constexpr int components = 4;
};
template <>
struct ColumnTraits<std::int32_t> {
  static constexpr ColumnType type = ColumnType::int32;
  static constexpr int components = 1;
};
template <>
struct ColumnTraits<std::uint32_t> {
  static constexpr ColumnType type = ColumnType::uint32;
  static constexpr int components = 1;
};
template <>
struct ColumnTraits<std::uint64_t> {
  static constexpr ColumnType type = ColumnType::uint64;
  static constexpr int components = 1;
};

/// Handle to a column of T. Copy freely; valid as long as the World. Spans are valid until bodies are added, removed or
/// reordered: take them anew after every call that may do so.
template <class T>
class Column {
 public:
  Column() = default;
  explicit Column(ColumnStorage* storage) : storage_(storage) {}
  std::span<const T> read() const { return {reinterpret_cast<const T*>(storage_->data()), storage_->rows()}; }
  std::span<T> write() { return {reinterpret_cast<T*>(storage_->data()), storage_->rows()}; }
  explicit operator bool() const { return storage_ != nullptr; }

 private:
  ColumnStorage* storage_ = nullptr;
};

}  // namespace scree
