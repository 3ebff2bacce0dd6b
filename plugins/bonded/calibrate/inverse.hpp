#pragma once
/// \file From wanted macroscopic moduli to those of the bonds.

#include "calibrate/bar.hpp"

namespace scree::bonded {

/// The ratios G/E of bonds that are looked at. Below, a bar is as floppy as a truss; above, Poisson's ratio is
/// negative.
inline constexpr double kSmallestRatio = 0.02, kLargestRatio = 1.5;

/// Moduli of the bonds.
struct Micro {
  double young = 0;      ///< [Pa]
  double ratio = 0;      ///< G/E [-]
  int solutions = 0;     ///< bars solved on the way
  Macroscopic achieved;  ///< at this ratio
};

/// No ratio within the limits gives the Poisson's ratio that is wanted; says which are reached.
class OutOfReach : public std::runtime_error {
 public:
  OutOfReach(const std::string& message, double smallest, double largest)
      : std::runtime_error(message), least(smallest), most(largest) {}
  double least, most;  ///< Poisson's ratios that are reached [-]
};

/// Poisson's ratio falls as G/E grows, and E does not change it: the ratio is found first, by bisection with secants,
/// to 1e-4 in Poisson's ratio; Young's modulus is then a quotient. \param young    macroscopic [Pa] \param poisson
/// macroscopic [-] \throws OutOfReach, NotSolved
Micro micro_for(const Bar& bar, double young, double poisson, std::string_view solver = "auto");

}  // namespace scree::bonded
