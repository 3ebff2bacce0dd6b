#pragma once
/// \file Owner of HDF5's identifiers, and suppression of its messages. Needs nothing else of scree.

#include <hdf5.h>

#include <utility>

namespace scree::hdf5 {

/// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// Stops HDF5 from printing error stacks during its lifetime: errors become exceptions.
class QuietScope {
 public:
  QuietScope() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietScope() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace scree::hdf5
