#pragma once
/// \file Packings that are stepped by kernels alone, without a scene: the benchmark needs nothing else of scree.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/stepped.hpp"
#include "engine/contact_forces.hpp"
#include "engine/pair_lists.hpp"
#include "kernels/step_kernels.hpp"

namespace scree::device {

/// Bodies of one kind that meet by one detector and one law, and how they stand at the start.
struct Packing {
  struct Methods {
    Channel channel;
    Interaction interaction;
    DeviceLaw law;
    std::shared_ptr<const void> model;  ///< the law's parameters, where the packing owns them
  };
  std::unique_ptr<Methods> methods = std::make_unique<Methods>();
  DevicePlan plan;
  std::vector<Vector3d> x, v, w;
  std::vector<Quaterniond> q;
  std::vector<std::uint8_t> fixed;           ///< by body, or none
  Vec3 gravity = Vec3::Zero();               ///< [m/s2]
  double mass, moment, radius;               ///< of a body, and of its spheres where it has any [kg, kg m2, m]
  std::vector<Vector3d> members{{0, 0, 0}};  ///< centres of its spheres in its frame; else its own [m]
  PeriodicCell cell;
  double skin, dt;  ///< [m], [s]
  bool planar;

  /// Bodies that meet by a detector. \param contacts  of a pair of sites, at most  \param two_spheres  see DevicePairs
  void define(const DeviceStage& stage, std::uint32_t contacts, bool central, bool two_spheres = false);
};

/// Spheres in a periodic cell, a body-centred lattice of eight contacts each, hertz-mindlin with friction.
/// \param count  of spheres, roughly
Packing pack_spheres(std::uint32_t count);
/// Fewer of them in the same space, and layers that slide past each other.
Packing pack_flowing_spheres(std::uint32_t count);
/// Tetrapods of four spheres, copies of the settled bed of a file, hertz-mindlin with friction. \param file  centre and
/// orientation w x y z of each [m]  \param flow  they run down a slope; else they stand still
Packing pack_clumps(std::uint32_t count, const std::string& file, bool flow);
/// Crosses of 100 nodes, copies of the settled pile of a file, linear springs with friction. \param count  roughly
/// \param file  x y theta and three numbers more of each [mm, rad]  \throws InputError where there is none
/// \param stir  each goes its own way, up to so many radii per step
Packing pack_stars(std::uint32_t count, const std::string& file, double stir);
/// The same pile runs down a slope, endless in the place of its walls, in steps of 0.04 ms.
Packing pack_flowing_stars(std::uint32_t count, const std::string& file);

/// Of the pile of crosses: normal and tangential springs, damping, friction [N/m, kg/s, N/m, -].
inline constexpr double kStarStiffness = 1000, kStarDamping = 0.1, kStarTangential = 500, kStarFriction = 0.5;

class PackingBench final : public Stepped {
 public:
  PackingBench(Device& device, Packing packing);
  PackingBench(const PackingBench&) = delete;
  PackingBench& operator=(const PackingBench&) = delete;
  /// Batch by batch, each step a recording of one. \throws NumericalError where a step has a fault
  void advance(std::uint32_t steps) override;
  StepCounts counts() const override {
    return {view_.count, lists_.pair_count(), control_.contacts, rebuilds_, rebuild_seconds_};
  }
  std::vector<double> places() const override;
  std::optional<BytesPerNumber> bytes_per_number() const override { return device::bytes_per_number(lists_); }

 private:
  void rebuild();
  std::uint32_t advance_batch(std::uint32_t most);
  void enqueue_step();
  void evaluate_and_move();

  Device& device_;
  Packing packing_;
  Environment environment_;
  PairLists lists_;
  ContactForces contacts_;
  Buffer<Vector3d> x_, v_, w_, force_, torque_, moments_, inverse_moments_, crossings_;
  Buffer<Quaterniond> q_;
  Buffer<double> mass_, inverse_mass_, radius_;
  Buffer<std::uint32_t> first_site_;
  Buffer<std::uint8_t> wrapped_;
  Bodies view_{};
  std::unique_ptr<Recording> recording_;
  Control control_ = empty_control();
  bool listed_ = false, in_step_ = false;
  std::uint32_t steps_with_lists_ = 0;
  std::uint64_t rebuilds_ = 0;
  double rebuild_seconds_ = 0;
};

}  // namespace scree::device
