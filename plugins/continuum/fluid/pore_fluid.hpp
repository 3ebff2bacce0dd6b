#pragma once
/// \file A viscous fluid between and around the grains of a continuum, with a velocity of its own.
///
/// Grains and fluid share the nodes of the grid. With U = phi u_g + (1 - phi) u_f:
///   rho_g phi Du_g = -div(phi lambda) + phi F + xi (u_f - u_g) + (rho_g - rho_f) phi g
///   rho_f (1 - phi) Du_f = (1 - phi) F - xi (u_f - u_g),    F = -grad p + div(2 eta_m D(U)),    div U = 0.
/// p is that above hydrostatic. There is one per cell, and it acts by exact integrals over cells, in which places of
/// points do not appear: a pressure that acted through points would lump them together. phi is that which points
/// remember, for a count of points scatters, and lumps would sink by their weight.
///
/// Walls and bodies are a third phase: nodes move with W = (1 - chi) U + chi V, and div W = 0.
/// \source G. Daviet, Modeling and simulating complex materials subject to frictional contact, thesis, Grenoble (2016),
///         for grains in a fluid of another velocity; the README, equation (12)

#include <span>
#include <vector>

#include "solvers/coulomb/rigid_kinematics.hpp"
#include "fluid/conjugate_gradients.hpp"
#include "fluid/fluid_box.hpp"
#include "fluid/fluid_law.hpp"
#include "fluid/fluid_state.hpp"
#include "fluid/phases.hpp"
#include "grid/transfers.hpp"
#include "rigid_bodies.hpp"

namespace scree::continuum {

/// Error of moving walls that close on a fluid which cannot leave.
struct FluidIsShutIn : std::runtime_error {
  FluidIsShutIn() : std::runtime_error("moving walls take room from a fluid that cannot leave") {}
};

template <int D>
class PoreFluid {
 public:
  /// Begins a step: finds the place of the fluid, and the node values of both phases.
  /// \param target  (nodes of the grid) the node that has the mass of each: see join_nodes()
  /// \param most    phi_max, of points without free volume [-]
  void begin(const Grid<D>& grid, std::span<const Wall> walls, std::span<const NodeValues<D>> nodes,
             std::span<const std::uint32_t> target, const FluidLaw& law, double most, double dt, FluidState<D>& state);
  void forget_walls() { box_.forget(); }

  /// Velocities without stresses, with what pressure and viscosity did in the step before; inverse masses of grains.
  /// \param start  (nodes of the grid) u_g at the start of the step [m/s]
  /// \param ratio  ratio of dt to that of the previous step
  /// \param gravity  gravity under which the fluid is at rest [m/s^2]
  void start(std::span<const NodeValues<D>> nodes, std::span<const Vec<D>> start, std::span<const Wall> walls,
             const Vec<D>& gravity, double ratio, RigidBodies<D>& bodies, std::span<Vec<D>> free,
             std::span<Vec<D>> inverse_mass);
  /// Computes the reaction of the fluid after grains were pushed: velocities of grains without stresses and with them.
  /// \param now   (nodes of the grid) with stresses; in and out, as `free`
  /// \param part  part of the divergence at the beginning of the step that may be left [-]
  /// \throws FluidIsShutIn
  void relax(double part, RigidBodies<D>& bodies, std::span<Vec<D>> free, std::span<Vec<D>> now);
  /// Stresses have changed the velocities of grains: the fluid feels it by drag.
  void follow(std::span<const Vec<D>> now);
  /// The state for the next step.
  void finish(FluidState<D>& state) const;

  /// Applies the loads of pressure above hydrostatic and of viscosity to walls and bodies.
  /// \param load  load(wall, impulse, place) [N s], [m]
  template <class Load>
  void load_walls(const Load& load) const {
    std::vector<Vec<D>> force(box_.nodes());
    find_force(pressure_, force);
    for (const Cover& c : covers_)
      load(c.wall, in_space<D>(c.share * (force[c.node] + viscous_[c.node])), box_.position(c.node));
    for (const auto& face : box_.closed_faces())
      load(face.wall, in_space<D>(face.side * pressure_[face.cell] * area_ * Vec<D>::Unit(face.axis)), face.centre);
  }
  /// p at the nodes of the grid, above hydrostatic: the mean of cells around [Pa]. In a fluid that is shut in its mean
  /// is 0.
  void find_pressure(std::vector<double>& out) const;
  /// phi of nodes of the grid, by what points remember [-]; where there is no fluid, as it was.
  void find_fraction(std::vector<double>& out) const;
  int iterations() const { return iterations_; }

 private:
  /// Part of a node covered by a wall.
  struct Cover {
    std::uint32_t node, wall, body;  ///< a row of RigidBodies, or kImmovable
    double share;                    ///< chi [-]
    Vec<D> arm;                      ///< from the wall's centre to the node [m]
    Vec<D> velocity;                 ///< velocity there of a wall that nothing moves [m/s]
  };

  void find_phases(std::span<const NodeValues<D>> nodes, std::span<const std::uint32_t> target, double most);
  void find_covers(std::span<const Wall> walls, const RigidBodies<D>& bodies);
  void advect();
  /// Velocities W that forces on it cause.
  void respond(std::span<const Vec<D>> force, const RigidBodies<D>& bodies, std::span<Vec<D>> change) const;
  void push(std::span<const Vec<D>> force, RigidBodies<D>& bodies);
  void find_velocity(const RigidBodies<D>& bodies, std::span<Vec<D>> out) const;
  void find_force(std::span<const double> pressure, std::span<Vec<D>> out) const;
  void find_divergence(std::span<const Vec<D>> velocity, std::span<double> out) const;
  void find_strain_force(std::span<const Vec<D>> velocity, std::span<Vec<D>> out) const;
  void find_diagonals();
  void relax_viscosity(double part, RigidBodies<D>& bodies);
  void relax_pressure(double part, RigidBodies<D>& bodies);

  FluidLaw law_;
  double dt_ = 0, area_ = 0, cell_volume_ = 0;
  int threads_ = 1, iterations_ = 0;
  double first_divergence_ = 0, first_viscous_ = 0;  ///< squares of those the step began with, summed
  double least_speed_ = 0;                           ///< limit of rest [m/s]
  FluidBox<D> box_;
  std::array<Vec<D>, kCorners<D>> gradient_;  ///< G: integral of grad N_i over a cell [m^(D-1)]
  Eigen::Matrix<double, D * kCorners<D>, D * kCorners<D>> stiffness_;  ///< stiffness of a cell of width and viscosity 1

  std::vector<std::uint32_t> of_node_;    ///< (nodes of the grid) dense node, or kNoNode
  std::vector<Phases<D>> phases_;         ///< phases of dense nodes, like the next members
  std::vector<Vec<D>> grains_, fluid_;    ///< u_g and u_f [m/s]
  std::vector<Vec<D>> velocity_, force_;  ///< W and what is pushed, for a while
  std::vector<Vec<D>> viscous_;
  std::vector<double> pressure_;   ///< pressure in open cells [Pa s]
  std::vector<double> viscosity_;  ///< viscosity in open cells [Pa s]
  std::vector<double> inverse_diagonal_;
  std::vector<Vec<D>> inverse_viscous_;
  std::vector<Cover> covers_;
  ConjugateGradients<double> pressure_solver_;
  ConjugateGradients<Vec<D>> viscous_solver_;
};

extern template class PoreFluid<2>;
extern template class PoreFluid<3>;

}  // namespace scree::continuum
