#include "colouring.hpp"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace scree::render {

Colour Colouring::of(double value) const {
  if (!std::isfinite(value)) return kPlain;
  const auto number = static_cast<std::size_t>(std::max(value, 0.0));
  switch (kind) {
    case Kind::scale:
      return colour_in_map(map, highest > lowest ? (value - lowest) / (highest - lowest) : 0);
    case Kind::names:
      return category_colour(number);
    case Kind::states:
      return number == 0 ? kExterior : kInterface;
    case Kind::pebbles:
      return pebble_colour(number);
    case Kind::fragments:
      return fragment_colour(number);
    case Kind::strands:
      return strand_colour(number);
    case Kind::sand:
      break;
  }
  return kPlain;
}

void paint(vtkDataSetAttributes& data, vtkIdType count, const Colouring& colouring, const Colour& plain) {
  vtkDataArray* const values =
      colouring.kind == Colouring::Kind::sand ? nullptr : data.GetArray(colouring.column.c_str());
  auto colours = vtkSmartPointer<vtkUnsignedCharArray>::New();
  colours->SetName("picture_colours");
  colours->SetNumberOfComponents(3);
  colours->SetNumberOfTuples(count);
  for (vtkIdType k = 0; k < count; ++k) {
    const Colour colour = values ? colouring.of(values->GetTuple1(k)) : plain;
    for (int c = 0; c < 3; ++c) colours->SetComponent(k, c, std::round(255 * colour[static_cast<std::size_t>(c)]));
  }
  data.SetScalars(colours);
}

}  // namespace scree::render
