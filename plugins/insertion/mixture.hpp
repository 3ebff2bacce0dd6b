#pragma once
/// \file Mixture of an emitter's bodies: shapes and sizes, each a function of a number.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/scene/options.hpp"
#include "scree/plugin/shape_shares.hpp"
#include "scree/plugin/size_distribution.hpp"
#include "scree/world/world.hpp"

namespace scree::insertion {

/// The distribution of option `scale`. \throws OptionError for sizes out of order and shares that do not fit
ScaleDef read_scale(const Options& options);

class Mixture {
 public:
  struct Body {
    std::uint32_t shape = 0;  ///< index of the World's shape
    double scale = 1;
    double mass = 0;    ///< [kg]
    double radius = 0;  ///< radius of a sphere around its position that contains it [m]
  };

  /// \throws OptionError for names that are not there, shapes that cannot move freely, and shares that do not fit
  Mixture(const Options& options, const World& world);

  /// \param u  two numbers in (0, 1)
  Body at(const std::array<double, 2>& u) const;
  double largest_radius() const;  ///< [m]
  std::uint32_t material() const { return material_; }
  std::vector<MadeKind> kinds() const;

 private:
  void add_shape(const Options& options, std::size_t number, const std::string& name, const World& world);

  std::uint32_t material_ = 0;
  int dimension_;
  std::vector<std::uint32_t> shapes_;
  std::vector<double> masses_, radii_;  ///< masses and radii of bodies of scale 1
  SizeDistribution sizes_;
  std::optional<ShapeShares> shares_;
};

}  // namespace scree::insertion
