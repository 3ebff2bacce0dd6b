#pragma once
/// \file Bodies of revolution, plates with holes, rings and screws, for tests of their distances and faces.

#include <memory>
#include <span>
#include <vector>

#include "helicoid.hpp"
#include "plate.hpp"
#include "revolved.hpp"
#include "torus.hpp"

namespace scree::obstacles::test {

inline FacePoint face_at(const Solid& shape, int face, const Vec3& p) {
  FacePoint seen;
  shape.face(face, std::span(&p, 1), std::span(&seen, 1));
  return seen;
}

using Solids = std::vector<std::shared_ptr<Solid>>;

inline Solids with_mass() {
  return {std::make_shared<Revolved>(RevolvedOptions{frustum_section(0.4, 0, 0.6), false}),
          std::make_shared<Revolved>(RevolvedOptions{frustum_section(0.2, 0.4, 0.5), false}),
          std::make_shared<Revolved>(RevolvedOptions{frustum_section(0, 0.4, 0.5), false}),
          std::make_shared<Revolved>(RevolvedOptions{open_section(0.15, 0.4, 0.5, 0.1), false}),
          std::make_shared<Revolved>(RevolvedOptions{open_section(0.3, 0.3, 0.6, 0.1), false}),
          std::make_shared<Plate>(PlateOptions{{0.5, 0.4, 0.1}, 0.25}),
          std::make_shared<Torus>(TorusOptions{0.4, 0.12})};
}

inline Solids screws() {
  return {std::make_shared<HelicoidBlade>(HelicoidOptions{0.1, 0.4, 0.35, 1.7, 0.06, false}),
          std::make_shared<HelicoidBlade>(HelicoidOptions{0, 0.5, 0.9, 0.8, 0.05, true})};
}

inline Solids without_mass() {
  Solids solids = screws();
  solids.push_back(std::make_shared<Revolved>(RevolvedOptions{frustum_section(0.3, 0.5, 0.8), true}));
  solids.push_back(std::make_shared<Revolved>(RevolvedOptions{frustum_section(0.5, 0, 0.8), true}));
  return solids;
}

inline Solids all_solids() {
  Solids solids = with_mass();
  for (auto& s : without_mass()) solids.push_back(s);
  return solids;
}

}  // namespace scree::obstacles::test
