#include "encounter.hpp"

namespace scree::spheropolyhedron {

void PairView::look_at(const Encounter& pair) {
  pair_ = &pair;
  for (int side : {0, 1}) turn_[side] = pair.orientation[side].toRotationMatrix();
  const Vec3 apart = pair.position[0] - pair.position[1];
  for (int side : {0, 1}) {
    const int by = 1 - side;
    seen_turn_[side] = pair.size[side] / pair.size[by] * (turn_[by].transpose() * turn_[side]);
    seen_shift_[side] = turn_[by].transpose() * (side == 0 ? apart : Vec3(-apart)) / pair.size[by];
    if (seen_[side].size() < parts(side).vertices.size()) seen_[side].resize(parts(side).vertices.size());
  }
}

void PairView::place_all() {
  for (int side : {0, 1})
    for (std::size_t v = 0; v < parts(side).vertices.size(); ++v)
      seen_[side][v] = place_of(side, static_cast<std::uint32_t>(v));
}

void PairView::place(int side, std::span<const std::uint32_t> vertices) {
  for (const std::uint32_t v : vertices) seen_[side][v] = place_of(side, v);
}

}  // namespace scree::spheropolyhedron
