#include "contact_sums.hpp"

#include "scree/hooks/body_volume.hpp"
#include "scree/hooks/contact_branch.hpp"

namespace scree::vtk {

namespace {

bool same_pair(const ContactRecord& c, const ContactRecord& d) {
  return c.a == d.a && c.b == d.b && c.image == d.image;
}

}  // namespace

ContactSums contact_sums(const World& world, const ContactView& contacts) {
  ContactSums sums{std::vector<std::uint32_t>(world.size(), 0), std::vector<Mat3>(world.size(), Mat3::Zero())};
  const ContactRecord* last = nullptr;  // of a pair's contacts, which stand together, the first counts
  for (const ContactRecord& c : contacts) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || !acts(c)) continue;
    const Vec3 image_of_b = world.position[*b] + world.cell.shift(unpacked(c.image));
    sums.stress[*a] += c.force * (c.point - world.position[*a]).transpose();
    sums.stress[*b] -= c.force * (c.point - image_of_b).transpose();
    if (!last || !same_pair(*last, c)) ++sums.coordination[*a], ++sums.coordination[*b];
    last = &c;
  }
  for (std::size_t row = 0; row < world.size(); ++row) {
    const double volume = volume_of(world, world.material[row], world.mass[row]);
    sums.stress[row] = volume > 0 ? Mat3(sums.stress[row] / volume) : Mat3::Zero();
  }
  return sums;
}

double pressure_of(const Mat3& stress, int dimension) { return stress.trace() / dimension; }

}  // namespace scree::vtk
