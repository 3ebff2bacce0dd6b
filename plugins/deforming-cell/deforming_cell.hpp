#pragma once
/// \file The modifier `deforming-cell`: a periodic cell that is strained at given rates, or until it has given
/// stresses.

#include "content.hpp"
#include "scree/hooks/hook.hpp"
#include "settings.hpp"

namespace scree::deforming_cell {

/// At each correction the edges H get a new rate, dH/dt = L H. Components of L are given, or follow from the stress s
/// by L = (s - target)/viscosity + L_0, compression positive. L_0 is what has been asked for all the time: else a
/// material that flows would have another stress than its target.
///
/// Between corrections the edges move at a constant rate, and bodies as their forces say. At a correction the rate
/// jumps, and with it the velocity of images against their bodies. Bodies get the same jump, (dH/dt H^-1) (x - centre):
/// else a body and its image would be accelerated in two ways.
class DeformingCell final : public Modifier {
 public:
  explicit DeformingCell(const Settings& settings) : set_(settings) {}

  bool wants_contacts() const noexcept override { return true; }
  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

 private:
  void check_components(const World& world) const;
  double largest_rate(const World& world) const;
  double volume_of(const World& world) const;
  Mat3 wanted_gradient(const World& world, const Content& content);
  double answer(const Wanted& stress, double excess, double viscosity);
  void set_gradient(World& world, const Mat3& gradient);
  void count_work(const World& world, const Mat3& stress);
  void show(World& world, const Mat3& stress, const Mat3& gradient);

  Settings set_;
  Grains grains_;
  std::uint64_t grains_of_ = 0;  ///< World::layout_version() that grains_ are of
  double max_rate_ = 0;          ///< [1/s]
  double largest_target_ = 0;    ///< largest of the given stresses, without its sign [Pa]
  struct State {
    double began = 0;              ///< 1 after the first correction
    double time = 0;               ///< time of the last correction [s]
    double work = 0;               ///< done by the cell on its content [J]
    double stiffness = 0;          ///< mean modulus of the contacts [Pa]
    double damping = 0;            ///< mean viscosity of the contacts [Pa s]
    Mat3 strain = Mat3::Zero();    ///< integral of L
    Mat3 steady = Mat3::Zero();    ///< part of L that stress components ask for all the time [1/s]
    Mat3 gradient = Mat3::Zero();  ///< L since the last correction [1/s]
    Mat3 stress = Mat3::Zero();    ///< at the last correction [Pa]
  } state_;
};

}  // namespace scree::deforming_cell
