#include "field_file.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>

#include "vtk_files/new_array.hpp"

namespace scree::fields {

namespace {

void add_numbers(vtkImageData& image, const char* name, const char* unit, std::initializer_list<double> values) {
  const auto array = vtk::new_array<vtkDoubleArray>(name, static_cast<int>(values.size()), 1, unit);
  int k = 0;
  for (const double x : values) array->SetComponent(0, k++, x);
  image.GetFieldData()->AddArray(array);
}

}  // namespace

vtkSmartPointer<vtkImageData> field_image(const Grid& grid, std::span<const GridImage::Field> fields,
                                          const Outside& outside, double samples) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetOrigin(grid.lower[0], grid.lower[1], grid.lower[2]);
  image->SetSpacing(grid.spacing[0], grid.spacing[1], grid.spacing[2]);
  image->SetDimensions(grid.counts[0] + 1, grid.counts[1] + 1, grid.dimension == 3 ? grid.counts[2] + 1 : 1);
  for (const GridImage::Field& field : fields) {
    const auto array = vtk::new_array<vtkFloatArray>(field.name, field.components, grid.cells(), field.unit);
    for (std::size_t i = 0; i < field.value.size(); ++i)
      array->SetValue(static_cast<vtkIdType>(i), static_cast<float>(field.value[i]));
    image->GetCellData()->AddArray(array);
  }
  const Vec3 p = outside.momentum / samples;
  add_numbers(*image, "samples", "", {samples});
  add_numbers(*image, "kernel_width", "m", {grid.width});
  add_numbers(*image, "outside_mass", "kg", {outside.mass / samples});
  add_numbers(*image, "outside_momentum", "kg m/s", {p[0], p[1], p[2]});
  return image;
}

}  // namespace scree::fields
