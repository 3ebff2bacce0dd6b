#pragma once
/// \file Films of several pictures.

#include <filesystem>
#include <memory>
#include <vector>

#include "bitmap.hpp"

namespace scree::render {

/// Checks whether a file can be a film, by the end of its name: .gif, .ogv (Ogg Theora), or .mp4 where ffmpeg is.
/// \throws InputError
void check_film(const std::filesystem::path& file);

/// File of a film, which appears when it is whole.
class Film {
 public:
  virtual ~Film() = default;
  virtual void add(const Bitmap& frame) = 0;
  /// \throws IoError
  virtual void finish() = 0;
};

/// Begins a film. \param samples  some of its frames, for the choice of colours
std::unique_ptr<Film> begin_film(const std::filesystem::path& file, int frames_per_second,
                                 const std::vector<Bitmap>& samples);

}  // namespace scree::render
