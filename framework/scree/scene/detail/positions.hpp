#pragma once
/// \file Where each value of a JSON text stands: one pass over the text, because the JSON library keeps no positions.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree {

/// Line and column, both from 1; columns count characters of UTF-8 text.
struct TextPosition {
  std::size_t line = 1, column = 1;
};

TextPosition position_of(std::string_view text, std::size_t byte);

/// Positions of a scene's values, by JSON pointer.
struct Scene::Positions {
  std::string file;
  std::unordered_map<std::string, TextPosition> values, keys;
  std::vector<std::string> sets;  ///< pointers given by --set

  /// "file:line:column /pointer", or "--set /pointer" for what the command line gave. A value that is not in the text
  /// (a default) is reported at the nearest object around it that is.
  std::string where(const std::string& pointer) const;
  /// The same, for the key of this value.
  std::string where_key(const std::string& pointer) const;

 private:
  std::string describe(const std::string& pointer, bool key) const;
};

/// Scans text for the positions of all its values.
/// \pre    text is valid JSON but for numbers too large for a double
/// \throws InputError when a key stands twice in one object, a number overflows, or nesting is deeper than 100
Scene::Positions scan_positions(const std::string& file, std::string_view text);

}  // namespace scree
