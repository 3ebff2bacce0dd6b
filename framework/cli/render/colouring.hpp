#pragma once
/// \file Meaning of colours, and the colours of bodies.

#include <vtkSmartPointer.h>

#include <string>
#include <utility>
#include <vector>

#include "colour_maps.hpp"

class vtkDataSetAttributes;
class vtkUnsignedCharArray;

namespace scree::render {

/// Meaning of colours.
struct Colouring {
  enum class Kind {
    scale,      ///< values between `lowest` and `highest`, in a colour map
    names,      ///< kinds of things
    states,     ///< states of granular culling
    pebbles,    ///< bodies, each in a quiet colour of its own
    fragments,  ///< bodies, each in a colour of its own
    strands,    ///< rods, each in a shade of brown
    sand,       ///< grains of a continuum in their natural colours, and other bodies plain
  };
  Kind kind = Kind::scale;
  std::string column;  ///< column of the values
  std::string map = "dusk";
  std::string unit;
  double lowest = 0, highest = 1;                          ///< [unit]
  std::vector<std::pair<std::size_t, std::string>> names;  ///< names of the values that occur, in order

  /// Returns the colour of a value; that of bodies without one if it is no number.
  Colour of(double value) const;
  bool has_legend() const { return kind == Kind::scale || kind == Kind::names || kind == Kind::states; }
};

inline constexpr Colour kPlain = {0.70, 0.74, 0.79};  ///< colour of bodies without a value
inline constexpr Colour kExterior = {0.93, 0.82, 0.60}, kInterface = {0.88, 0.44, 0.24}, kStored = {0.30, 0.52, 0.77};

/// Gives points or cells their colours as scalars. Those without the column get `plain`.
void paint(vtkDataSetAttributes& data, vtkIdType count, const Colouring& colouring, const Colour& plain);

}  // namespace scree::render
