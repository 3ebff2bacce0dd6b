#include "bench/paper/scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bench/paper/kernels.hpp"

namespace scree::paper {

Scheme::Scheme(device::Device& device, const Pile& pile, const RadialFunction& star, std::uint32_t side)
    : device_(device),
      place_(device, pile.place),
      rate_(device, pile.rate),
      wrench_(device, std::vector<Planar>(pile.place.size())),
      contacts_(device, std::vector<std::uint32_t>(pile.place.size())),
      first_(device),
      next_(device, std::vector<std::uint32_t>(pile.place.size())),
      nodes_(device, nodes_of(star)),
      mass_(pile.mass),
      moment_(pile.moment),
      law_(pile.law),
      count_(static_cast<std::uint32_t>(pile.place.size())) {
  const double half = star.max_radius() * (1 + 4.0 / side);
  texels_ = device::Buffer<Texel>(device, bake(star, side, half));
  const auto per_texel = static_cast<float>((side - 1) / (2 * half));
  outline_ = {nodes_.data(),
              static_cast<std::uint32_t>(nodes_.size()),
              static_cast<float>(star.max_radius()),
              {texels_.data(), side, static_cast<float>(half), per_texel}};
  lay_grid(pile.place, 2 * star.max_radius());
}

void Scheme::lay_grid(const std::vector<Planar>& places, double width) {
  double left = std::numeric_limits<double>::infinity(), bottom = left, right = -left, top = -left;
  for (const Planar& p : places) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    bottom = std::min(bottom, p.y), top = std::max(top, p.y);
  }
  // A little larger than the reach, so that rounding puts no two that touch two cells apart.
  const double edge = width * (1 + 1e-6);
  grid_.left = left - edge, grid_.bottom = bottom - edge, grid_.per_edge = 1 / edge;
  grid_.columns = static_cast<std::uint32_t>((right - left) / edge) + 3;
  grid_.rows = static_cast<std::uint32_t>((top - bottom) / edge) + 3;
  cells_ = grid_.columns * grid_.rows;
  first_.resize(cells_);
  grid_.first = first_.data(), grid_.next = next_.data();
}

Stars Scheme::view() const {
  return {count_, place_.data(), rate_.data(), wrench_.data(), contacts_.data(), mass_, moment_};
}

/// \param most  lives as long as recordings
template <class Body>
void Scheme::run(const std::uint32_t& most, const Body& body) {
  device_.run(device::DeviceStage{"paper", Body::kName, &most}, body);
}

void Scheme::evaluate() {
  run(cells_, ClearGrid{grid_});
  run(count_, FillGrid{view(), grid_});
  run(count_, Collide{view(), grid_, outline_, law_});
}

void Scheme::step() {
  evaluate();
  run(count_, Move{view(), law_.dt});
}

void Scheme::advance(std::uint32_t steps) {
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (step_) {
      step_->launch();
    } else {
      step();  // loads the kernels, which is not to be done while they are recorded
      step_ = device_.record([&] { step(); });
    }
  }
  (void)contacts_.at(0);  // waits
}

std::uint32_t Scheme::contacts() const {
  const std::vector<std::uint32_t> all = contacts_.download();
  return std::accumulate(all.begin(), all.end(), 0u);
}

}  // namespace scree::paper
