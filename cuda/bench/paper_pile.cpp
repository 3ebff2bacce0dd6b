#include "bench/paper_pile.hpp"

#include <cmath>

#include "bench/cross.hpp"
#include "bench/packing.hpp"
#include "bench/paper/scheme.hpp"

namespace scree::device {

namespace {

paper::Pile pile_of(const Packing& p) {
  paper::Pile pile{{}, {}, p.mass, p.moment, {kStarStiffness, kStarDamping, kStarTangential, kStarFriction, p.dt}};
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    pile.place.push_back({p.x[i].x, p.x[i].y, 2 * std::atan2(p.q[i].z, p.q[i].w)});
    pile.rate.push_back({p.v[i].x, p.v[i].y, p.w[i].z});
  }
  return pile;
}

class PaperPile final : public Stepped {
 public:
  PaperPile(Device& device, const Packing& packing) : scheme_(device, pile_of(packing), Cross()) {}
  void advance(std::uint32_t steps) override { scheme_.advance(steps); }
  StepCounts counts() const override { return {scheme_.stars(), 0, scheme_.contacts(), 0, 0}; }
  std::vector<double> places() const override {
    std::vector<double> all;
    for (const paper::Planar& p : scheme_.places()) all.insert(all.end(), {p.x, p.y, p.turn});
    return all;
  }

 private:
  paper::Scheme scheme_;
};

}  // namespace

std::unique_ptr<Stepped> step_paper(Device& device, std::uint32_t count, const std::string& file) {
  return std::make_unique<PaperPile>(device, pack_stars(count, file, 0));
}

}  // namespace scree::device
