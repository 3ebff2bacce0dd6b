#pragma once
/// \file A named array with one row per body, or per row of another table: type-erased for output and checkpoints,
/// typed for use.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

enum class ColumnType : std::uint32_t { float64, int32, uint32, uint64 };

/// Rows of a column in device memory. An engine keeps them and lends them to the column.
class SCREE_API DeviceRows {
 public:
  virtual ~DeviceRows();
  /// Copies all rows to the host. Called when host rows are read while the device has newer ones.
  /// \throws NumericalError when the device is gone
  virtual void fetch(std::span<std::byte> host) = 0;
};

/// Storage of one column: rows of `components` scalars of `type`. Follows every reordering, addition and removal of
/// rows; written to checkpoints whole, and to VTK files when `show` is set.
///
/// Rows are on the host. An engine that computes elsewhere lends its copy and marks when that is newer. The next access
/// to the host's rows then fetches them first.
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

  /// Returns the rows for reading until the next step. May be called from several threads at once.
  const std::byte* read() const {
    if (device_is_newer_.load(std::memory_order_acquire)) fetch();
    return bytes_.data();
  }
  /// Returns the rows of a column that was found by its name. \throws Error for another type
  template <class T>
  std::span<const T> as() const;
  /// Opens the rows for reading and writing until close_write().
  std::byte* open_write() {
    if (device_is_newer_.load(std::memory_order_acquire)) fetch();
    return open();
  }
  /// Opens the rows for overwriting until close_write(): every row must be set. Newer rows of a device are not fetched.
  std::byte* open_overwrite() {
    device_is_newer_.store(false, std::memory_order_relaxed);
    return open();
  }
  void close_write() noexcept { opened_.fetch_sub(1, std::memory_order_relaxed); }
  /// Number of open writers. No engine advances before all have closed.
  int open_writes() const { return static_cast<int>(opened_.load(std::memory_order_relaxed) % kOnce); }
  /// Number of times the column was opened for writing, modulo 65536. Values are unchanged while it is unchanged.
  std::uint32_t writes() const { return opened_.load(std::memory_order_relaxed) / kOnce; }

  // For an engine with memory of its own.
  /// Lends device rows to the column. \param device  outlives the column, or is replaced by nullptr first
  void lend(DeviceRows* device) { device_ = device; }
  /// Checks whether the host's rows were changed after the engine took them.
  bool host_is_newer() const { return host_is_newer_.load(std::memory_order_relaxed); }
  void mark_taken() { host_is_newer_.store(false, std::memory_order_relaxed); }
  /// Marks the device's rows as newer than the host's.
  void mark_device_newer() { device_is_newer_.store(true, std::memory_order_release); }

  void reserve(std::size_t rows) { bytes_.reserve(rows * row_bytes_); }
  /// Changes the number of rows; new rows are zero.
  void resize(std::size_t rows);
  /// Reorders rows: row i becomes old row order[i]. The order may be shorter than the column: rows left out are
  /// removed.
  /// \param spare  working memory, one for all columns; it grows as needed
  void gather(std::span<const std::uint32_t> order, std::vector<std::byte>& spare);

 private:
  std::byte* open() {
    host_is_newer_.store(true, std::memory_order_relaxed);
    opened_.fetch_add(kOnce + 1, std::memory_order_relaxed);
    return bytes_.data();
  }
  void fetch() const;
  void require(ColumnType type, int components) const;

  std::string name_, unit_;
  ColumnType type_;
  int components_;
  bool show_;
  std::size_t row_bytes_, rows_ = 0;
  mutable std::vector<std::byte> bytes_;
  DeviceRows* device_ = nullptr;
  mutable std::atomic<bool> device_is_newer_ = false;
  mutable std::mutex fetching_;
  std::atomic<bool> host_is_newer_ = true;
  static constexpr std::uint32_t kOnce = 1u << 16;
  std::atomic<std::uint32_t> opened_ = 0;  ///< number of open writers, plus kOnce for each that was ever opened
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
/// Memory order of Mat3 is column by column.
template <>
struct ColumnTraits<Mat3> {
  static constexpr ColumnType type = ColumnType::float64;
  static constexpr int components = 9;
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

template <class T>
std::span<const T> ColumnStorage::as() const {
  require(ColumnTraits<T>::type, ColumnTraits<T>::components);
  return {reinterpret_cast<const T*>(read()), rows_};
}

/// Rows open for writing. Writing ends when this object is destroyed: keep it, not the span or a pointer.
template <class T>
class ColumnWriter {
 public:
  ColumnWriter() = default;
  ColumnWriter(ColumnStorage& storage, std::byte* rows)
      : storage_(&storage), rows_(reinterpret_cast<T*>(rows), storage.rows()) {}
  ~ColumnWriter() {
    if (storage_) storage_->close_write();
  }
  ColumnWriter(ColumnWriter&& other) noexcept
      : storage_(std::exchange(other.storage_, nullptr)), rows_(std::exchange(other.rows_, {})) {}
  ColumnWriter& operator=(ColumnWriter&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(rows_, other.rows_);
    return *this;
  }

  T& operator[](std::size_t row) const { return rows_[row]; }
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  T* data() const { return rows_.data(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  operator std::span<T>() const { return rows_; }
  operator std::span<const T>() const { return rows_; }

 private:
  ColumnStorage* storage_ = nullptr;
  std::span<T> rows_;
};

/// Handle to a column of T. Copy freely; valid as long as the table. Spans and writers from it are valid until rows are
/// added, removed or reordered, or the next step begins. Take them again after every call that may do so.
template <class T>
class Column {
 public:
  Column() = default;
  explicit Column(ColumnStorage* storage) : storage_(storage) {}
  std::span<const T> read() const { return {reinterpret_cast<const T*>(storage_->read()), storage_->rows()}; }
  /// Returns one row for reading.
  const T& operator[](std::size_t row) const { return reinterpret_cast<const T*>(storage_->read())[row]; }
  /// Opens all rows for reading and writing.
  ColumnWriter<T> write() { return {*storage_, storage_->open_write()}; }
  /// Opens all rows for overwriting: every row must be set.
  ColumnWriter<T> overwrite() { return {*storage_, storage_->open_overwrite()}; }
  explicit operator bool() const { return storage_ != nullptr; }
  /// Number of times the column was opened for writing; see ColumnStorage::writes().
  std::uint32_t writes() const { return storage_->writes(); }

 private:
  ColumnStorage* storage_ = nullptr;
};

}  // namespace scree
