#pragma once
/// \file The points of a continuum, apart from where they are kept.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "grid/transfers.hpp"

namespace scree::continuum {

/// Columns, one entry per point. In the plane z is ignored, and all is per metre of depth.
struct PointSet {
  std::vector<std::uint64_t> id;
  std::vector<Eigen::Vector3d> position;  ///< [m]
  std::vector<Eigen::Vector3d> velocity;  ///< [m/s]
  std::vector<Eigen::Matrix3d> affine;    ///< gradient of the velocity [1/s]
  std::vector<double> mass;               ///< [kg]
  std::vector<double> volume;             ///< volume of solid matter [m^3]
  std::vector<Eigen::Vector3d> force;     ///< force of gravity and the like [N]
  std::vector<double> pressure;           ///< in: of the step before, out: bulk [Pa]
  std::vector<double> shear_rate;         ///< in, out: 2 |Dev D(u)| with |A|^2 = A:A / 2 [1/s]
  std::vector<double> solid_fraction;     ///< out [-]
  std::vector<double> expansion;          ///< in, out: e, free volume over that of solid matter at phi_max [-]
  std::vector<double> pore_pressure;      ///< out: of the fluid, above that at rest; with a fluid alone [Pa]
  std::vector<double> friction;           ///< mu by the law, of pressure and rate; used within a step [-]
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< gravity under which a fluid is at rest [m/s^2]

  std::size_t size() const { return id.size(); }
  Points points() const { return {velocity, affine, mass, volume, force, friction, expansion}; }
  void resize(std::size_t n) {
    id.resize(n);
    for (auto* column : {&position, &velocity, &force}) column->resize(n);
    affine.resize(n);
    for (auto* column :
         {&mass, &volume, &pressure, &shear_rate, &solid_fraction, &expansion, &pore_pressure, &friction})
      column->resize(n);
  }
};

}  // namespace scree::continuum
