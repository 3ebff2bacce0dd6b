#pragma once
/// \file Notes beside and below the scene: meaning of the colours, time, and a length.

#include <string>

#include "bitmap.hpp"
#include "colouring.hpp"

namespace scree::render {

/// Places on the page [pixels as drawn].
struct Page {
  int width, height;
  int scene_width;  ///< the legend stands right of it
  int foot;         ///< height of the line below the scene
  int text;         ///< size of letters
};

struct Notes {
  const Colouring* colouring = nullptr;  ///< colours of the legend; null: there is none
  bool mesh = false, stored = false;     ///< true if a legend of states has these
  std::string title;                     ///< title of the scale, without its unit
  double time = 0;                       ///< [s]
  double metres_per_pixel = 0;           ///< for the length; 0: there is none
};

/// Returns the page without the scene.
Bitmap legend(const Page& page, const Notes& notes);

}  // namespace scree::render
