#pragma once
/// \file Points and cells in the making.

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkTypeInt64Array.h>

#include <cstdint>
#include <span>

#include "scree/base/types.hpp"

namespace scree::vtk {

inline void put(float* out, const Vec3& value) {
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(value[k]);
}

/// Writes a quaternion as w, x, y, z.
inline void put(float* out, const Quat& q) {
  const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
  for (int k = 0; k < 4; ++k) out[k] = static_cast<float>(wxyz[k]);
}

/// Offsets and connectivity of one kind of cells.
class Cells {
 public:
  void add(std::span<const std::uint32_t> corners, vtkIdType first_point) {
    for (const std::uint32_t corner : corners) connectivity_->InsertNextValue(first_point + corner);
    offsets_->InsertNextValue(connectivity_->GetNumberOfValues());
  }
  vtkNew<vtkCellArray>& finish() {
    array_->SetData(offsets_, connectivity_);
    return array_;
  }
  Cells() { offsets_->InsertNextValue(0); }

 private:
  vtkNew<vtkTypeInt64Array> offsets_, connectivity_;
  vtkNew<vtkCellArray> array_;
};

}  // namespace scree::vtk
