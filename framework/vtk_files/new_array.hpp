#pragma once
/// \file Arrays of VTK data.

#include <vtkDataArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstddef>
#include <string>

namespace scree::vtk {

/// Makes an array. \param unit  such as "m/s", which files keep and pictures show; empty or "-": none
template <class Array>
vtkSmartPointer<Array> new_array(const std::string& name, int components, std::size_t tuples,
                                 const std::string& unit = "") {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
  if (!unit.empty() && unit != "-") array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), unit.c_str());
  return array;
}

}  // namespace scree::vtk
