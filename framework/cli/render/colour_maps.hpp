#pragma once
/// \file Colour maps, and colours of things that have no order.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scree::render {

/// Red, green and blue, from 0 to 1.
using Colour = std::array<double, 3>;

/// Names of the colour maps.
const std::vector<std::string>& map_names();

/// Returns the colour of a map. Lightness changes evenly along all maps but `balance`, which is light in the middle.
/// \param part  from 0 to 1; beyond, the colours of the ends
Colour colour_in_map(std::string_view map, double part);

/// Returns the colour of a thing of some kind; the first eight differ clearly.
Colour category_colour(std::size_t number);

/// Returns one of many quiet colours of equal rank, as of pebbles. Neighbouring numbers have distant ones.
Colour pebble_colour(std::size_t number);

/// Returns a colour of equal lightness with the others. Neighbouring numbers have distant ones.
Colour fragment_colour(std::size_t number);

/// Returns a shade of brown. Neighbouring numbers have distant ones.
Colour strand_colour(std::size_t number);

}  // namespace scree::render
