// A detector for scree: pairs of bodies in, contacts out.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

namespace @name@ {

using scree::Vec3;

scree::DetectorTraits Detector::traits() const {
  scree::DetectorTraits traits;
  traits.facets_a = traits.facets_b = {scree::SphereSet::kName};
  traits.specificity = -1;            // chosen by name only; a rank of its own makes "auto" take it
  traits.gradient_consistent = true;  // the normal is the gradient of the overlap
  traits.scales = true;               // it uses scale_of()
  return traits;
}

void Detector::bind(std::span<const scree::Shape* const> shapes) {
  spheres_.clear();
  for (const scree::Shape* shape : shapes) spheres_.push_back(scree::facet<scree::SphereSet>(*shape));
}

void Detector::detect(const scree::BodyView& bodies, std::span<const scree::Pair> pairs, scree::PairCache&,
                      double margin, scree::ContactBuffer& out) const {
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const scree::BodyRow &a = bodies.row[pairs[p].a], &b = bodies.row[pairs[p].b];
    const scree::SphereSet &of_a = *spheres_[bodies.shape[pairs[p].a]], &of_b = *spheres_[bodies.shape[pairs[p].b]];
    const double scale_a = bodies.scale_of(pairs[p].a), scale_b = bodies.scale_of(pairs[p].b);
    for (std::size_t i = 0; i < of_a.radii().size(); ++i)
      for (std::size_t k = 0; k < of_b.radii().size(); ++k) {
        const Vec3 centre = a.position + a.orientation * (scale_a * of_a.centres()[i]);
        const Vec3 way = b.position + b.orientation * (scale_b * of_b.centres()[k]) - centre;
        const double radius = scale_a * of_a.radii()[i], distance = way.norm();
        const double overlap = radius + scale_b * of_b.radii()[k] - distance;
        if (!(overlap > -margin) || !(distance > 0)) continue;
        const Vec3 normal = way / distance;
        // The feature tells contacts of one pair apart from step to step: which spheres touch.
        const auto feature = static_cast<std::uint32_t>(i * of_b.radii().size() + k);
        out.push(p, overlap, normal, centre + (radius - overlap / 2) * normal, feature);
      }
  }
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.detector("@name@", [](const scree::Options&) { return std::make_unique<@name@::Detector>(); });
}
