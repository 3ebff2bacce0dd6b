#pragma once
/// \file The integrator "granular-continuum": material points between walls, with rigid bodies.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "continuum_step.hpp"
#include "grains.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/integrator.hpp"

namespace scree::continuum {

/// Boundary of the continuum at walls of a material.
struct Boundary {
  std::string material;
  double friction;  ///< mu [-]
};

struct ContinuumOptions {
  double cell = 0;  ///< width of the lattice's cells [m]
  StepOptions step;
  std::vector<Boundary> boundaries;  ///< walls of other materials have the friction of the continuum
  int most_unconverged = 100;        ///< steps in a row, then the run stops; 0: never
  int grains = 0;                    ///< per point, for pictures
};

/// A step of time consists of one or several equal ones, of which none takes a point farther than half a cell. Free
/// bodies are material points, or rigid bodies that the grid sees as walls; fixed and prescribed ones are walls.
class GranularContinuum final : public Integrator {
 public:
  explicit GranularContinuum(const ContinuumOptions& options) : options_(options), grains_(options.grains) {}
  IntegratorTraits traits() const override;
  const void* face(std::string_view name) const noexcept override;
  void columns(World& world) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;
  void step(Mechanics& mechanics, double dt) override;
  std::vector<GridImage> grid_images() const override;
  std::vector<SceneWarning> warnings(const World& world, const Vec3& gravity, double dt) const override;

 private:
  template <int D>
  struct Part {
    explicit Part(const StepOptions& options) : step(options) {}
    ContinuumStep<D> step;
    Memory<D> memory;
  };

  template <int D>
  void step(Part<D>& part, World& world, ImpulseProblem& impulses, double dt);
  void take_points(World& world, const Wrenches& external);
  void soak_points();
  void give_points(World& world);
  void match_grains(World& world);
  void find_walls(World& world);
  void place_walls(const World& world, const Wrenches& external);
  void take_contacts(std::span<const ConeContact> contacts, double dt);
  void book_contacts();
  void accept(ImpulseProblem& problem, double dt) const;
  void give_bodies(World& world) const;
  template <int D>
  Lattice<D> lattice(const World& world, Memory<D>& memory) const;
  int substeps(const World& world, double dt) const;
  void load_walls(World& world, double dt, int steps);
  void book(World& world, double dt, int steps, const StepReport& report);
  [[noreturn]] void report_fast_body(const World& world, const Wall& body, double cells) const;
  [[noreturn]] void report_lost(const World& world, std::size_t point, double dt) const;

  ContinuumOptions options_;
  std::variant<std::monostate, Part<2>, Part<3>> part_;
  PointSet points_;
  Grains grains_;
  std::uint64_t grains_of_ = 0;          ///< World::layout_version() that grains were matched with
  std::vector<std::uint32_t> rows_;      ///< rows of points in the World
  std::vector<Wall> walls_;              ///< by ascending id
  std::vector<std::uint32_t> wall_of_;   ///< wall of each row of the World; for points a number that no wall has
  bool bodies_ = false;                  ///< some walls move freely
  std::vector<WallContact> contacts_;    ///< contacts of walls among each other
  std::vector<WallLoad> loads_;          ///< loads of the continuum on walls
  std::vector<WallLoad> contact_loads_;  ///< by each other, in all parts of the step
  std::vector<WallLoad> last_loads_;     ///< in the last of them
  std::uint64_t walls_of_ = 0;           ///< World::layout_version() that walls were found in
  Column<Mat3> affine_;
  Column<double> specific_volume_;  ///< space of a point over that at max_fraction [-]; 0: the point is new
  Column<double> pressure_, shear_rate_, solid_fraction_, pore_pressure_;
};

}  // namespace scree::continuum
