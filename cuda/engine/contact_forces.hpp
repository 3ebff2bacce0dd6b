#pragma once
/// \file One evaluation on the device: contacts, forces, sums.

#include "engine/pair_lists.hpp"

namespace scree::device {

class ContactForces {
 public:
  ContactForces(Device& device, const DevicePlan& plan, const Environment& environment, PairLists& lists)
      : device_(device),
        plan_(plan),
        environment_(environment),
        lists_(lists),
        control_(device),
        shape_of_species_(device, plan.shape_of_species) {
    control_.resize(1);
    for (const PairMethods& pairs : plan.pairs) pair_tables_.emplace_back(device, pairs.tables);
    for (const WallMethods& wall : plan.walls) wall_tables_.emplace_back(device, wall.tables);
  }

  /// Sets all counts to 0.
  void begin();
  /// Puts sites where their bodies are. \return how far the farthest has gone since pairs were listed [m]
  double place_sites(const Bodies& bodies);
  /// \param time  of the trial state [s]  \param dt, lag  see Mechanics::forces()
  void evaluate(const Bodies& bodies, double time, double dt, double lag);

  Control* control() const { return control_.data(); }
  Control read_control() const { return control_.at(0); }

 private:
  NarrowArguments narrow(const Bodies& bodies, const ContactMethods& methods, const Segment& segment, double lag) const;
  void detect_pairs(const Bodies& bodies, std::size_t channel, double lag);
  void detect_walls(const Bodies& bodies, std::size_t wall, double lag);
  void detect_outlines(const Bodies& bodies, std::size_t wall, double lag);
  void apply_law(const ContactMethods& methods, const Segment& segment, double dt);
  void sum(const Bodies& bodies, double time);

  Device& device_;
  const DevicePlan& plan_;
  const Environment& environment_;
  PairLists& lists_;
  Buffer<Control> control_;
  Buffer<std::uint32_t> shape_of_species_;
  std::vector<Buffer<std::byte>> pair_tables_, wall_tables_;
};

}  // namespace scree::device
