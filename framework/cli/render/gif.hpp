#pragma once
/// \file Films as GIF files.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::render {

/// Rows of pixels, the highest first; three bytes each.
using Pixels = std::vector<unsigned char>;

/// Writer of an animated GIF that repeats for ever (GIF89a). One table of colours serves all frames; a frame has only
/// the rectangle that changed, and in it only pixels that changed.
class GifWriter {
 public:
  /// \param samples  some frames, from which the colours are chosen
  /// \param delay    between frames [1/100 s]
  GifWriter(int width, int height, int delay, const std::vector<Pixels>& samples);
  void add(const Pixels& frame);
  /// Returns the bytes of the file.
  std::string finish();

 private:
  static constexpr int kNone = 255;  ///< number of the colour that changes nothing

  int nearest(int red, int green, int blue);
  void put_word(int value);
  void put_image(const std::vector<unsigned char>& numbers, int left, int top, int wide, int high);

  int width_, height_, delay_;
  std::vector<std::array<int, 3>> colours_;
  std::vector<std::int16_t> known_;  ///< number of a colour by 5 bits of each part; -1 where it was not asked for
  std::vector<unsigned char> shown_;
  std::string bytes_;
};

}  // namespace scree::render
