#pragma once
/// \file Positions of the values of a JSON text, from one pass over the text, because the JSON library keeps none.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree {

/// Line and column, both from 1; columns count characters of UTF-8 text.
struct TextPosition {
  std::uint32_t line = 1, column = 1;
};

TextPosition position_of(std::string_view text, std::size_t byte);

/// Returns the FNV-1a hash of a text. The hash of a longer pointer continues from that of its beginning.
std::uint64_t hash_of(std::string_view text, std::uint64_t before = 0xcbf29ce484222325ull);

/// Positions of a scene's values, by JSON pointer.
struct Scene::Positions {
  struct Place {
    TextPosition value, key;  ///< key is {0, 0} for an item of an array
  };
  std::string file;
  /// Places by hash_of(pointer): whole pointers would take memory in the square of a scene with long keys. Two that
  /// share a hash share a position, which only messages show.
  std::unordered_map<std::uint64_t, Place> places;
  std::vector<std::string> sets;  ///< pointers given by --set
  /// Positions of another document, if this one was made from parts of it.
  std::shared_ptr<const Positions> source;
  /// Pairs of pointers: values at and below the first come from the second in `source`. Others are in the same place
  /// there.
  std::vector<std::pair<std::string, std::string>> moved;

  /// Returns "file:line:column /pointer", or "--set /pointer" for values of the command line. A value that is not in
  /// the text (a default) is reported at the nearest object around it that is.
  std::string where(const std::string& pointer) const;
  /// Returns the same text for the key of this value.
  std::string where_key(const std::string& pointer) const;
  /// Returns the position of a value, or of its key; {0, 0} if it is not in the text.
  TextPosition position(const std::string& pointer, bool key) const;

 private:
  std::string describe(const std::string& pointer, bool key) const;
  std::string in_source(const std::string& pointer) const;
};

/// Scans text for the positions of all its values.
/// \param set  pointer whose value the text is, if it comes from --set
/// \pre    text is valid JSON except for numbers too large for a double
/// \throws InputError if a key occurs twice in one object, a number overflows, or nesting is deeper than kDeepest
Scene::Positions scan_positions(const std::string& file, std::string_view text, const std::string& set = "");

}  // namespace scree
