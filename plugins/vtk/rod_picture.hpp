#pragma once
/// \file Rods as lines for VTK, with what their bonds carry.

#include <vtkDataSetAttributes.h>
#include <vtkFloatArray.h>

#include "pictures.hpp"
#include "scree/hooks/bond_values.hpp"

namespace scree::vtk {

/// One line per rod (rod_lines.hpp) from end to end of its segments, with a point at each end and in each joint [m].
/// Point data: radius [m], speed [m/s], id and material of the segment that begins there (at the last point, of the one
/// that ends), and all columns of `values`. Cell data: strand, the lowest id of the line.
Data rod_picture(const World& world, const BondValues& values);

/// A column of bonds as an array, with its unit. \param taken  names that are there already
vtkSmartPointer<vtkFloatArray> array_of(const BondValues::Column& column, std::size_t tuples,
                                        vtkDataSetAttributes& taken);

}  // namespace scree::vtk
