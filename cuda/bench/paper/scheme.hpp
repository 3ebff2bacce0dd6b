#pragma once
/// \file The scheme of Schreck et al. (2024) step by step, on any device.

#include <memory>
#include <vector>

#include "bench/paper/sprite.hpp"
#include "engine/device.hpp"

namespace scree::paper {

/// Equal stars, whose centre of mass is that of their outline.
struct Pile {
  std::vector<Planar> place, rate;
  double mass, moment;  ///< of a star [kg, kg m2]
  Penalty law;
};

class Scheme {
 public:
  /// Stars may leave the box that they are in at the start, but search gets slower then.
  Scheme(device::Device& device, const Pile& pile, const RadialFunction& star, std::uint32_t side = kSpriteSide);

  /// Contacts and forces of the places as they are.
  void evaluate();
  /// Each step is a recording of the first.
  void advance(std::uint32_t steps);

  std::uint32_t stars() const { return static_cast<std::uint32_t>(place_.size()); }
  /// Of the last step. Waits, as all that download.
  std::uint32_t contacts() const;
  std::vector<Planar> wrenches() const { return wrench_.download(); }
  std::vector<Planar> places() const { return place_.download(); }

 private:
  template <class Body>
  void run(const std::uint32_t& most, const Body& body);
  Stars view() const;
  void step();
  void lay_grid(const std::vector<Planar>& places, double width);

  device::Device& device_;
  device::Buffer<Planar> place_, rate_, wrench_;
  device::Buffer<std::uint32_t> contacts_, first_, next_;
  device::Buffer<Texel> texels_;
  device::Buffer<Node> nodes_;
  double mass_, moment_;
  Penalty law_;
  std::uint32_t count_, cells_ = 0;
  Grid grid_{};
  Outline outline_{};
  std::unique_ptr<device::Recording> step_;
};

}  // namespace scree::paper
