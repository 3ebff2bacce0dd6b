#pragma once
/// \file Reads what the observer wrote, for tests.

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLImageDataReader.h>

#include <filesystem>

namespace scree::fields::test {

inline vtkSmartPointer<vtkImageData> read_image(const std::filesystem::path& file) {
  const auto reader = vtkSmartPointer<vtkXMLImageDataReader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

inline double number(vtkImageData& image, const char* name, int component = 0) {
  return image.GetFieldData()->GetArray(name)->GetComponent(0, component);
}

/// Integral of a component of a field over the image.
inline double integral(vtkImageData& image, const char* name, int component = 0) {
  vtkDataArray& values = *image.GetCellData()->GetArray(name);
  const double* const h = image.GetSpacing();
  double sum = 0;
  for (vtkIdType k = 0; k < values.GetNumberOfTuples(); ++k) sum += values.GetComponent(k, component);
  return sum * h[0] * h[1] * h[2];
}

}  // namespace scree::fields::test
