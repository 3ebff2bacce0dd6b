#include "profile_meter.hpp"

#include <cmath>
#include <limits>

#include "contact_sums.hpp"
#include "scree/base/exact_vector.hpp"
#include "scree/hooks/body_volume.hpp"
#include "scree/shape/facets.hpp"

namespace scree::meters {

namespace {

const std::vector<std::string> kBinColumns = {"velocity_x_m_per_s", "velocity_y_m_per_s", "velocity_z_m_per_s",
                                              "temperature_m2_per_s2"};
/// Per volume of a bin.
const std::vector<std::string> kBinDensities = {"density_kg_per_m3",    "solid_fraction",       "pressure_Pa",
                                                "contact_stress_xx_Pa", "contact_stress_yy_Pa", "contact_stress_zz_Pa",
                                                "contact_stress_xy_Pa", "contact_stress_yz_Pa", "contact_stress_zx_Pa",
                                                "kinetic_stress_xx_Pa", "kinetic_stress_yy_Pa", "kinetic_stress_zz_Pa",
                                                "kinetic_stress_xy_Pa", "kinetic_stress_yz_Pa", "kinetic_stress_zx_Pa"};

/// Places of a bin's sums: count, volume, mass, momentum, sums of m v v and of f l, then bodies of each entry.
enum : std::size_t { kCount = 0, kVolume = 1, kMass = 2, kMomentum = 3, kMotion = 6, kForces = 12, kEntries = 18 };

/// Radius of a body that is one sphere about its centre of mass [m]; 0: it is none.
double radius_of_ball(const World& world, const BodyState& state) {
  const Shape& shape = *world.shapes()[state.shape].shape;
  const auto* const set = static_cast<const SphereSet*>(shape.facet(SphereSet::kName));
  return set && set->radii().size() == 1 && set->centres()[0].isZero(0) ? state.scale * set->radii()[0] : 0;
}

}  // namespace

struct ProfileMeter::Bin {
  double count = 0;
  ExactSum volume, mass;
  ExactVector momentum;
  ExactTensor motion, forces;
  std::vector<double> entries;
  bool known = true;  ///< all contacts are computed

  std::vector<Quantity> quantities() const {
    const Vec3 p = momentum.value();
    std::vector<Quantity> all = {{count}, {volume.value()}, {mass.value()}, {p[0]}, {p[1]}, {p[2]}};
    for (const ExactSum& part : motion.part) all.push_back({part.value()});
    for (const ExactSum& part : forces.part) all.push_back(known ? Quantity{part.value()} : Quantity{0, 0});
    for (const double n : entries) all.push_back({n});
    return all;
  }
};

ProfileMeter::ProfileMeter(const Options& options)
    : options_(options),
      series_(options.text("name")),
      chosen_(options),
      average_(options),
      by_volume_(options.text("share") == "volume") {}

void ProfileMeter::begin(const World& world) {
  dimension_ = world.dimension();
  if (options_.has("region")) region_ = read_region(options_, "region", dimension_);
  bins_.emplace(options_.object("bins"), dimension_);
  if (region_) find_volumes(world);
  chosen_.begin(world);
  if (options_.boolean("entries"))
    for (std::uint32_t group = 0; group < world.group_names.size(); ++group)
      if (chosen_.has(group)) entries_.push_back(group), names_.push_back(world.group_names[group]);
}

/// A cell may deform, but a region stays.
void ProfileMeter::find_volumes(const World& world) {
  const auto section = options_.has("section") ? std::optional(options_.number("section")) : std::nullopt;
  volumes_ = bins_->volumes(section, region_ ? &*region_ : nullptr, region_ ? options_.object("region") : options_,
                            world.cell);
}

void ProfileMeter::add_bodies(const World& world, std::vector<Bin>& bins) const {
  chosen_.for_each(world, [&](const BodyState& state) {
    const RigidBody& body = state.rigid;
    const Vec3 &x = body.frame.position, &v = body.twist.velocity;
    if (!within(world, x)) return;
    bins_->share_point(world.cell, x, [&](std::size_t k, double) {
      ++bins[k].count;
      if (const auto entry = std::ranges::find(entries_, state.group); entry != entries_.end())
        ++bins[k].entries[static_cast<std::size_t>(entry - entries_.begin())];
    });
    const double volume = volume_of(world, state), radius = by_volume_ ? radius_of_ball(world, state) : 0;
    const auto add = [&](std::size_t k, double share) {
      bins[k].volume.add(share * volume), bins[k].mass.add(share * body.mass);
      bins[k].momentum.add(share * body.mass * v), bins[k].motion.add(share * body.mass * v, v);
    };
    if (radius > 0)
      bins_->share_ball(world.cell, x, radius, add);
    else
      bins_->share_point(world.cell, x, add);
  });
}

void ProfileMeter::add_contacts(const World& world, const ContactView& contacts, std::vector<Bin>& bins) const {
  for (const ContactRecord& c : contacts) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || !acts(c) || !lies_in(c, [&](const Vec3& x) { return within(world, x); })) continue;
    const Branch branch = branch_of(world, c, *a, *b);
    bins_->share_line(world.cell, branch.from, branch.way,
                      [&](std::size_t k, double share) { bins[k].forces.add(c.force, share * branch.way); });
  }
}

/// Bins that stored bodies reach into lack the forces of contacts among these.
void ProfileMeter::mark_unknown(const World& world, std::vector<Bin>& bins) const {
  const std::set<Id> frames = frames_of_stored(world);
  if (frames.empty()) return;
  for_each_free_body(world, [&](const BodyState& state) {
    if (!frames.contains(state.owner)) return;
    const double radius = state.scale * world.shapes()[state.shape].shape->bounding_radius();
    bins_->share_ball(world.cell, state.rigid.frame.position, radius,
                      [&](std::size_t k, double) { bins[k].known = false; });
  });
}

std::vector<std::string> ProfileMeter::columns() const {
  std::vector<std::string> all = {"count"};
  for (const std::string& name : names_) all.push_back(name + "_count");
  all.push_back("mass_kg");
  append(all, kBinColumns);
  if (dense_) append(all, kBinDensities);
  return all;
}

/// The temperature is sum m v' v' / (D sum m), the kinetic stress sum m v' v' / V, with v' = v - sum m v / sum m.
std::vector<double> ProfileMeter::figures(const double* sums, double volume) const {
  const double mass = sums[kMass], share = mass > 0 ? 1 / mass : 0;
  const Vec3 momentum(sums[kMomentum], sums[kMomentum + 1], sums[kMomentum + 2]), velocity = share * momentum;
  double motion[6];
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    motion[k] = std::max(0., sums[kMotion + static_cast<std::size_t>(k)] - momentum[k] * velocity[k]);
    motion[3 + k] = sums[kMotion + 3 + static_cast<std::size_t>(k)] -
                    0.5 * (momentum[k] * velocity[next] + momentum[next] * velocity[k]);
  }
  const double thermal = (motion[0] + motion[1] + (dimension_ == 3 ? motion[2] : 0)) / dimension_;
  std::vector<double> row = {sums[kCount]};
  for (std::size_t k = 0; k < entries_.size(); ++k) row.push_back(sums[kEntries + k]);
  const double any = mass > 0 ? 0 : std::numeric_limits<double>::quiet_NaN();  // what is not there has no velocity
  append(row, {mass, velocity[0] + any, velocity[1] + any, velocity[2] + any, share * thermal + any});
  if (!dense_) return row;
  const double per_volume = volume > 0 ? 1 / volume : 0;
  const double* const f = sums + kForces;
  const double pushed = (f[0] + f[1] + (dimension_ == 3 ? f[2] : 0)) / dimension_;
  append(row, {per_volume * mass, per_volume * sums[kVolume], per_volume * (pushed + thermal)});
  for (int k = 0; k < 6; ++k) row.push_back(per_volume * f[k]);
  for (const double part : motion) row.push_back(per_volume * part);
  return row;
}

void ProfileMeter::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  std::vector<Bin> bins(bins_->size());
  for (Bin& bin : bins) bin.entries.resize(entries_.size());
  add_bodies(world, bins);
  if (contacts) add_contacts(world, *contacts, bins);
  mark_unknown(world, bins);

  if (!region_) find_volumes(world);
  dense_ = volumes_.has_value();
  const double thick = dimension_ == 2 ? options_.number("thickness") : 1;

  std::vector<Quantity> quantities;
  for (const Bin& bin : bins) append(quantities, bin.quantities());
  if (average_.wanted()) average_.add(frame.time, frame.time, quantities);
  std::vector<std::string> names = columns();
  if (average_.wanted()) append(names, TimeAverage::names(columns()));
  names.insert(names.begin(), "position_m");

  const std::size_t width = kEntries + entries_.size();
  const std::vector<double> means = average_.wanted() ? average_.values(quantities.size()) : std::vector<double>{};
  std::vector<double> rows;
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const double volume = dense_ ? thick * (*volumes_)[k] : 0;
    std::vector<double> sums;
    for (std::size_t j = 0; j < width; ++j) {
      const Quantity& q = quantities[k * width + j];
      sums.push_back(q.weight > 0 ? q.amount : std::numeric_limits<double>::quiet_NaN());
    }
    rows.push_back(bins_->middle(k));
    append(rows, figures(sums.data(), volume));
    if (!average_.wanted()) continue;
    rows.push_back(means[0]);
    append(rows, figures(&means[1 + k * width], volume));
  }
  series_.add(frame, names, rows);
}

}  // namespace scree::meters
