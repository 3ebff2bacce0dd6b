#pragma once
/// \file Which bodies a meter looks at.

#include <string>
#include <vector>

#include "scree/scene/options.hpp"
#include "scree/world/world.hpp"

namespace scree::meters {

/// Bodies that move freely, of the entries that option `bodies` names, or of all.
class Chosen {
 public:
  explicit Chosen(const Options& options);
  /// \throws OptionError for a name that is no entry of bodies
  void begin(const World& world);
  /// Members count with their owner, frames without a surface not at all.
  bool operator()(const World& world, std::size_t row) const;

 private:
  std::vector<std::string> names_;
  std::vector<char> groups_;  ///< empty: all
};

/// Volume of a body [m^3]; 0 where its material has no density.
double volume_of(const World& world, std::size_t row);

}  // namespace scree::meters
