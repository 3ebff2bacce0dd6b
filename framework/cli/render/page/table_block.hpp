#pragma once
/// \file Rows of a table in several frames, in few bytes.
///
/// Values become whole numbers of 16 bits between the ends of their column. A row that was there in the frame before
/// is stored as the difference to that frame. Most differences are small, so that zlib finds little to store.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::render {

/// Name of a row, by which it is found again in the next frame: an id and 0, or two ids.
using Key = std::pair<std::uint32_t, std::uint32_t>;

struct PageColumn {
  enum class Kind {
    place,  ///< 65536 steps between the lowest and the highest value
    angle,  ///< 65536 steps of a turn, which begin anew after -pi to pi
    value,  ///< values in as many steps as asked for; no number is allowed
    whole,  ///< whole numbers, exact where they lie within 65534 of each other
  };
  std::string name;
  Kind kind = Kind::value;
  std::vector<double> values;  ///< (rows)
};

/// Rows of one frame.
struct PageRows {
  std::vector<Key> keys;  ///< (rows)
  std::vector<PageColumn> columns;

  /// Sorts the rows by their keys. Keys that occur twice become the numbers of the rows.
  void sort();
  /// Returns the bytes before compression.
  std::size_t bytes() const { return keys.size() * (2 * columns.size() + 1); }
};

/// Frames of a table in the form of a page.
struct TableBlock {
  /// `rows` and `fresh`: rows of each frame, and those that were not in the frame before; `columns`: name, lowest value
  /// and step of each.
  nlohmann::json told;
  /// For each frame one byte per row of the frame before: 1 where it stays. Aligned to four bytes, both numbers of the
  /// keys of fresh rows, 32 bits each, little-endian. Then for each column the low bytes of all rows, and the high
  /// ones: the difference to the frame before modulo 65536, or of a fresh row the value, d as 2d and -d as 2d-1.
  std::string bytes;
};

/// 16 bits that mean: no number.
inline constexpr std::uint16_t kNoNumber = 65535;

/// Encodes frames whose rows are sorted.
/// \param steps  number of steps of columns of the kind `value`, at most 65534
TableBlock encode(std::span<const PageRows> frames, double steps);

}  // namespace scree::render
