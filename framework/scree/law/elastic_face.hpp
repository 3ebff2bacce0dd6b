#pragma once
/// \file The face of laws whose stiffness follows from the elasticity of the bodies: how fast waves run through them.

#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Beside "force/1": set-up asks it for the Rayleigh time of bodies.
class SCREE_API ElasticFace {
 public:
  static constexpr std::string_view kName = "elastic/1";
  virtual ~ElasticFace();

  struct Moduli {
    double youngs_modulus = 0;  ///< [Pa]; infinite: rigid
    double poisson_ratio = 0;   ///< [-]
  };
  /// What the law takes for a body of a material that has these, where its own options say something else.
  virtual Moduli moduli(const Moduli& of_material) const noexcept = 0;
};

}  // namespace scree
