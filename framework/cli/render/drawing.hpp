#pragma once
/// \file Drawing of one frame.

#include "bitmap.hpp"
#include "view.hpp"

namespace scree::render {

/// Draws a picture. All frames of one view have pictures of one size.
/// \param width  width of the picture [pixels]; its height follows from the content
Bitmap draw(const Subject& subject, const View& view, int width);

}  // namespace scree::render
