#include "grid_picture.hpp"

#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include "vtk_files/new_array.hpp"

namespace scree::vtk {

vtkSmartPointer<vtkImageData> grid_picture(const GridImage& image) {
  auto data = vtkSmartPointer<vtkImageData>::New();
  data->SetOrigin(image.origin[0], image.origin[1], image.origin[2]);
  data->SetSpacing(image.spacing[0], image.spacing[1], image.spacing[2]);
  data->SetDimensions(image.counts[0], image.counts[1], image.counts[2]);
  for (const GridImage::Field& field : image.fields) {
    const auto array = new_array<vtkFloatArray>(field.name, field.components, image.points(), field.unit);
    for (std::size_t i = 0; i < field.value.size(); ++i)
      array->SetValue(static_cast<vtkIdType>(i), static_cast<float>(field.value[i]));
    data->GetPointData()->AddArray(array);
  }
  return data;
}

}  // namespace scree::vtk
