#pragma once
/// \file Facet of shapes that come from files: facts that a user compares with the drawing.

#include <span>
#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Facts about a shape as it was read. `scree check` and runs show them as notes. Set-up warns where all bodies that
/// move are larger than a wall with this facet: the file's units are others then.
class SCREE_API ShapeFacts {
 public:
  static constexpr std::string_view kName = "ShapeFacts/1";
  virtual ~ShapeFacts();
  /// Returns whole sentences, such as numbers of faces, sizes in metres, what was put right. They live as long as the
  /// shape.
  virtual std::span<const std::string> facts() const = 0;
};

}  // namespace scree
