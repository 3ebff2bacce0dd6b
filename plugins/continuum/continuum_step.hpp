#pragma once
/// \file One step of a granular continuum between walls and rigid bodies: points to nodes, stresses and contacts, and
/// back.

#include <span>
#include <vector>

#include "solvers/drucker_prager/solve.hpp"
#include "fluid/pore_fluid.hpp"
#include "full_cells.hpp"
#include "law.hpp"
#include "memory.hpp"
#include "point_set.hpp"
#include "rigid_bodies.hpp"
#include "scree/base/grid_image.hpp"
#include "walls.hpp"

namespace scree::continuum {

/// Limits of slow flow: if all is slower than kSlow times the creep that the tolerance allows in a step, tol g dt, the
/// tolerance is kFine times its own.
inline constexpr double kSlow = 200, kFine = 0.01;

struct StepOptions {
  FrictionLaw friction;
  double cohesion = 0;        ///< c of the bulk [Pa]
  double viscosity = 0;       ///< eta_b of the bulk [Pa s]
  double max_fraction = 0.6;  ///< phi_max [-]
  double volume_rate = 0.02;  ///< part of an excess of volume that is undone per step [-]
  FluidLaw fluid;             ///< between the grains; without density there is none
  Options solver;
  /// In place of the solver's where walls move freely: a looser one holds them up [-].
  double tolerance_with_bodies = 1e-4;
};

/// Impulse and its moment about the centre, on a wall.
struct WallLoad {
  Vec3 impulse = Vec3::Zero();  ///< [N s]
  Vec3 moment = Vec3::Zero();   ///< [N m s]
};

/// Times of the stages of a step [s of wall time].
struct StageSeconds {
  double transfer = 0;  ///< cells of points, and their mass and momentum to nodes
  double rows = 0;      ///< strain rows, walls and bodies
  double solve = 0;     ///< sweeps
  double move = 0;      ///< velocities back to points, and their way
};

struct StepReport {
  Report solver;
  StageSeconds seconds;
  double fraction_max = 0;   ///< largest of a node [-]
  double overfull = 0;       ///< part of the volume that lies where there is no room for it [-]
  int fluid_iterations = 0;  ///< iterations of conjugate gradients, for pressure and viscosity of a fluid
  std::size_t nodes = 0;
};

/// The stages of a step, in the order of step(). Numbers in parentheses are equations of the README.
template <int D>
class ContinuumStep {
 public:
  explicit ContinuumStep(const StepOptions& options) : options_(options) {}

  /// Advances points by dt, and walls that move freely.
  /// \param contacts  contacts of walls among each other
  /// \param loads  (walls) loads of the continuum are added
  /// \throws PointOffGrid, FluidIsShutIn
  StepReport advance(const Lattice<D>& lattice, std::span<Wall> walls, std::span<WallContact> contacts, double dt,
                     PointSet& points, Memory<D>& memory, std::span<WallLoad> loads);
  /// Returns fields at nodes after the last step: solid fraction, bulk pressure, velocity, 2 |Dev D(u)|, and with mu(I)
  /// the inertial number. None before it.
  std::vector<GridImage> images() const;
  /// Fixed walls are others than they were.
  void forget_walls() {
    walls_.forget();
    full_cells_.forget();
    fluid_.forget_walls();
  }

 private:
  void find_friction(PointSet& points) const;
  void merge_slivers();
  void make_nodes(const PointSet& points, double dt);
  void make_rows(std::span<const Wall> walls, const PointSet& points, double dt);
  bool is_overfull(std::size_t node) const;
  double free_volume(std::size_t node) const;
  void make_contacts(std::span<const Wall> walls, std::span<const WallContact> contacts, double dt);
  void recall(std::span<const Wall> walls, std::span<const WallContact> contacts, const Memory<D>& memory, double dt);
  bool is_slow(std::span<const Wall> walls, const PointSet& points, double speed) const;
  void start_fluid(std::span<const Wall> walls, const PointSet& points, Memory<D>& memory, double dt);
  Report solve(std::span<const Wall> walls, const PointSet& points, const Memory<D>& memory, double dt);
  Report solve_with_fluid(StrainProblem<D>& problem, const Options& options);
  void remember(std::span<const Wall> walls, const Report& report, double dt, Memory<D>& memory) const;
  void load_walls(std::span<const Wall> walls, std::span<WallLoad> loads) const;
  void give_impulses(std::span<WallContact> contacts) const;
  void weigh_volume(StepReport& report) const;
  void find_expansion(double dt);
  void move_points(PointSet& points, double dt);
  void find_packing(const PointSet& points);
  void dilate(PointSet& points, double dt) const;
  void show(PointSet& points) const;
  /// Returns the volume of grains around an interior node [m^3].
  double most_volume() const { return options_.max_fraction * std::pow(grid_.lattice().width, D); }
  void find_bulk(std::vector<double>& fraction, std::vector<double>& pressure) const;
  ContactKey key_of(const WallRow& row, std::span<const Wall> walls) const;

  StepOptions options_;
  double dt_ = 0;       ///< length of the last step [s]
  double gravity_ = 0;  ///< largest of a point, less buoyancy [m/s^2]
  /// Without friction, between fixed walls and near rest rows count points: the law is f_j <= full_j itself. That is
  /// exact at rest, but points cannot shear past each other: what flows would jam, and walls could not push it.
  bool liquid_ = false;
  double least_friction_ = 0;  ///< added to that of points [-]
  Grid<D> grid_;
  Transfers<D> transfers_;
  NodeWalls<D> walls_;
  FullCells<D> full_cells_;
  RigidBodies<D> bodies_;
  PoreFluid<D> fluid_;
  Workspace<D> workspace_;

  std::vector<NodeValues<D>> nodes_;
  std::vector<Vec<D>> start_, free_, velocity_, inverse_mass_;
  std::vector<std::uint32_t> target_;  ///< (nodes) the node that has its mass: itself, or another one
  std::vector<double> volume_, room_, full_;
  std::vector<double> growth_, expansion_;  ///< (nodes) of e in this step, and max(0, e) after it [-]
  std::vector<StrainRow<D>> rows_;
  std::vector<Stress<D>> stress_;
  std::vector<coulomb::RigidContact<D>> contacts_;  ///< contacts of nodes, as NodeWalls::rows(), then of walls
  std::vector<SecondNode> second_;                  ///< (contacts)
  std::vector<Vec<D>> contact_impulse_;
  std::vector<double> packing_;  ///< (cells) solid fraction that points remember, over the largest one; with a fluid
};

extern template class ContinuumStep<2>;
extern template class ContinuumStep<3>;

}  // namespace scree::continuum
