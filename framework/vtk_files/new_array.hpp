#pragma once
/// \file Arrays of VTK data.

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstddef>
#include <string>

namespace scree::vtk {

template <class Array>
vtkSmartPointer<Array> new_array(const std::string& name, int components, std::size_t tuples) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
  return array;
}

}  // namespace scree::vtk
