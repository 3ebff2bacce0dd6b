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

/// The rows of a column in the memory of a device. An engine keeps one and lends it to the column.
class SCREE_API DeviceRows {
 public:
  virtual ~DeviceRows();
  /// Copies all rows to the host. Called when somebody asks for them there and the device has newer ones.
  /// \throws NumericalError when the device is gone
  virtual void fetch(std::span<std::byte> host) = 0;
};

/// Storage of one column: rows of `components` scalars of `type`. Follows every reordering, addition and removal of
/// rows; written to checkpoints whole, and to VTK files when `show` is set.
///
/// Rows are on the host. An engine that computes elsewhere lends its copy, and says when that is newer. Whoever then
/// asks for the host's rows gets them fetched first.
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

  /// The rows, to be read until the next step. May be asked from several threads at once.
  const std::byte* read() const {
    if (device_is_newer_.load(std::memory_order_acquire)) fetch();
    return bytes_.data();
  }
  /// Those of a column that was found by its name. \throws Error when it is of another type
  template <class T>
  std::span<const T> as() const;
  /// The rows, to be read and changed until close_write().
  std::byte* open_write() {
    if (device_is_newer_.load(std::memory_order_acquire)) fetch();
    return open();
  }
  /// The rows, all to be set until close_write(): those of a device are not fetched.
  std::byte* open_overwrite() {
    device_is_newer_.store(false, std::memory_order_relaxed);
    return open();
  }
  void close_write() noexcept { opened_.fetch_sub(1, std::memory_order_relaxed); }
  /// How many are writing. No engine advances before all have closed.
  int open_writes() const { return static_cast<int>(opened_.load(std::memory_order_relaxed) % kOnce); }
  /// How often it was opened for writing, modulo 65536: where that has not changed, neither have the values.
  std::uint32_t writes() const { return opened_.load(std::memory_order_relaxed) / kOnce; }

  // For an engine with memory of its own.
  /// \param device  outlives the column, or is replaced by nullptr first
  void lend(DeviceRows* device) { device_ = device; }
  /// Whether the host's rows were changed since the engine took them.
  bool host_is_newer() const { return host_is_newer_.load(std::memory_order_relaxed); }
  void mark_taken() { host_is_newer_.store(false, std::memory_order_relaxed); }
  /// The engine has changed its copy.
  void mark_device_newer() { device_is_newer_.store(true, std::memory_order_release); }

  void reserve(std::size_t rows) { bytes_.reserve(rows * row_bytes_); }
  /// New rows are zero.
  void resize(std::size_t rows);
  /// Row i becomes old row order[i]; order may be shorter than the column (rows left out are removed).
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
  std::atomic<std::uint32_t> opened_ = 0;  ///< writers, and kOnce for each there ever was
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
/// Column by column, as Mat3 lies in memory.
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

/// Rows that are being changed. The change ends with this object: keep it, not the span or a pointer.
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

/// Handle to a column of T. Copy freely; valid as long as the table. What it gives is valid until rows are added,
/// removed or reordered, or the next step begins: take it again after every call that may do so.
template <class T>
class Column {
 public:
  Column() = default;
  explicit Column(ColumnStorage* storage) : storage_(storage) {}
  std::span<const T> read() const { return {reinterpret_cast<const T*>(storage_->read()), storage_->rows()}; }
  /// One row, to be read.
  const T& operator[](std::size_t row) const { return reinterpret_cast<const T*>(storage_->read())[row]; }
  /// To be read and changed.
  ColumnWriter<T> write() { return {*storage_, storage_->open_write()}; }
  /// To be set in all rows.
  ColumnWriter<T> overwrite() { return {*storage_, storage_->open_overwrite()}; }
  explicit operator bool() const { return storage_ != nullptr; }
  /// See ColumnStorage::writes().
  std::uint32_t writes() const { return storage_->writes(); }

 private:
  ColumnStorage* storage_ = nullptr;
};

}  // namespace scree
