#pragma once
/// \file Where each value of a JSON text stands: one pass over the text, because the JSON library keeps no positions.

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

/// FNV-1a; that of a longer pointer goes on from that of its beginning.
std::uint64_t hash_of(std::string_view text, std::uint64_t before = 0xcbf29ce484222325ull);

/// Positions of a scene's values, by JSON pointer.
struct Scene::Positions {
  struct Place {
    TextPosition value, key;  ///< of an item of an array, key is {0, 0}
  };
  std::string file;
  /// By hash_of(pointer): whole pointers would take memory in the square of a scene with long keys. Two that share a
  /// hash share a position, which only messages show.
  std::unordered_map<std::uint64_t, Place> places;
  std::vector<std::string> sets;  ///< pointers given by --set
  /// Of a document that was put together from parts of another one: that one's positions, and where values at and below
  /// a pointer (first) come from (second). Whatever is not named stands where it stood.
  std::shared_ptr<const Positions> source;
  std::vector<std::pair<std::string, std::string>> moved;

  /// "file:line:column /pointer", or "--set /pointer" for what the command line gave. A value that is not in the text
  /// (a default) is reported at the nearest object around it that is.
  std::string where(const std::string& pointer) const;
  /// The same, for the key of this value.
  std::string where_key(const std::string& pointer) const;
  /// Where the value stands, or its key; {0, 0} for what is not in the text.
  TextPosition position(const std::string& pointer, bool key) const;

 private:
  std::string describe(const std::string& pointer, bool key) const;
  std::string in_source(const std::string& pointer) const;
};

/// Scans text for the positions of all its values.
/// \param set  the pointer whose value the text is, when it comes from --set
/// \pre    text is valid JSON but for numbers too large for a double
/// \throws InputError when a key stands twice in one object, a number overflows, or nesting is deeper than kDeepest
Scene::Positions scan_positions(const std::string& file, std::string_view text, const std::string& set = "");

}  // namespace scree
