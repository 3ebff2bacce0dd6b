#pragma once
/// \file Columns and metrics of the fragments that bonds hold together.

#include "scree/world/world.hpp"

namespace scree {

/// Columns "fragment" (smallest id of the bodies that hang together) and "damage" (share of a body's bonds that broke),
/// and metrics of the fragments among bodies that bonds were made for.
class SCREE_API FragmentFigures {
 public:
  /// Makes columns and metrics, and counts.
  explicit FragmentFigures(World& world);
  /// Updates them. They are as of the last call: after bonds broke, and after bodies or bonds came or went.
  void count();

 private:
  World& world_;
  Column<Id> fragment_;
  Column<double> damage_;
};

}  // namespace scree
