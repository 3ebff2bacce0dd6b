#pragma once
/// \file One evaluation on the device: contacts, forces, sums.

#include "engine/pair_lists.hpp"

namespace scree::device {

class ContactForces {
 public:
  ContactForces(Device& device, const DevicePlan& plan, const Environment& environment, PairLists& lists)
      : device_(device), plan_(plan), environment_(environment), lists_(lists), control_(device) {
    control_.resize(1);
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
  void apply_law(const ContactMethods& methods, const Segment& segment, double dt);
  void sum(const Bodies& bodies, double time);

  Device& device_;
  const DevicePlan& plan_;
  const Environment& environment_;
  PairLists& lists_;
  Buffer<Control> control_;
};

}  // namespace scree::device
