#include "engine/contact_records.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace scree::device {

namespace {

Image image_of(std::uint32_t code) {
  const auto c = static_cast<int>(code);
  return {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
}

/// A column that there is not is zero.
std::vector<double> host_column(Device& device, const double* column, std::size_t size) {
  std::vector<double> values(size);
  if (size > 0 && column) device.download(values.data(), column, size * sizeof(double));
  return values;
}

/// Three columns of the device, on the host.
class HostVectors {
 public:
  /// \param planar  those of z tell nothing: vectors lie in the plane
  HostVectors(Device& device, double* const (&column)[3], std::size_t size, bool planar)
      : x_(host_column(device, column[0], size)),
        y_(host_column(device, column[1], size)),
        z_(host_column(device, planar ? nullptr : column[2], size)) {}
  Vec3 operator[](std::size_t i) const { return {x_[i], y_[i], z_[i]}; }

 private:
  std::vector<double> x_, y_, z_;
};

}  // namespace

ContactRecords::ContactRecords(Device& device, const DevicePlan& plan, const PairLists& lists, bool committed)
    : device_(device),
      plan_(plan),
      lists_(lists),
      pairs_(lists.download_pairs()),
      memory_(committed ? lists.download_committed() : lists.download_memory()) {}

/// each(key, methods) for every slot.
template <class Each>
void ContactRecords::for_slots(const Each& each) const {
  const auto id = [&](std::uint32_t body) { return plan_.id_of_rank[body]; };
  for (std::size_t c = 0; c < plan_.pairs.size(); ++c) {
    const Segment segment = lists_.pair_segment(c);
    for (std::uint32_t i = 0; i < segment.items; ++i) {
      const std::uint32_t p = lists_.first_pair(c) + i;
      const std::uint32_t site_a = pairs_.a[p], site_b = pairs_.b[p] & kSiteMask;
      const std::uint32_t a = pairs_.site_body[site_a], b = pairs_.site_body[site_b];
      const SitePlace of_a = plan_.places[pairs_.site_rank[site_a]], of_b = plan_.places[pairs_.site_rank[site_b]];
      const std::uint32_t place = of_a.index * of_b.count + of_b.index;
      const std::int32_t image = packed(image_of(pairs_.b[p] >> kSiteBits));
      for (std::uint32_t k = 0; k < segment.per_item; ++k)
        each(Key{segment.slot(i, k), plan_.pairs[c].channel->interaction, site_a, id(a), id(b), image,
                 place * segment.per_item + k},
             plan_.pairs[c]);
    }
  }
  for (std::size_t g = 0; g < plan_.walls.size(); ++g) {
    const Segment segment = lists_.wall_segment(g);
    const std::uint32_t wall = plan_.walls[g].body;
    for (std::uint32_t i = 0; i < segment.items; ++i) {
      const std::uint32_t site = pairs_.wall_sites[g][i], body = pairs_.site_body[site];
      const std::uint32_t place = plan_.places[pairs_.site_rank[site]].index;
      const Id lower = id(std::min(body, wall)), upper = id(std::max(body, wall));
      for (std::uint32_t k = 0; k < segment.per_item; ++k)
        each(Key{segment.slot(i, k), plan_.walls[g].channel->interaction, site, lower, upper, 0,
                 place * segment.per_item + k},
             plan_.walls[g]);
    }
  }
}

std::uint64_t ContactRecords::payload(const Key& key, const ContactMethods& methods) const {
  if (!methods.payload) return 0;
  return std::bit_cast<std::uint64_t>(memory_.of(key.slot)[static_cast<std::size_t>(methods.interaction->history)]);
}

std::vector<double> ContactRecords::weights(double* StepContacts::*which) const {
  const double* const column = lists_.step_contacts().*which;
  return column ? host_column(device_, column, lists_.place_count()) : std::vector<double>{};
}

std::vector<std::uint32_t> ContactRecords::places() const {
  std::vector<std::uint32_t> places = lists_.download_places();
  for (std::size_t slot = 0; slot < places.size(); ++slot)
    if (!memory_.live[slot]) places[slot] = kNone;
  return places;
}

ContactView ContactRecords::view() const {
  const StepContacts s = lists_.step_contacts();
  const std::size_t size = lists_.place_count();
  const std::vector<double> overlap = host_column(device_, s.overlap, size), arm = host_column(device_, s.arm_a, size);
  const bool planar = plan_.planar;
  const HostVectors normal(device_, s.normal, size, planar), point(device_, s.point, size, planar),
      force(device_, s.force, size, planar);
  const std::vector<Vector3d> sites = lists_.download_sites();
  const auto point_of = [&](const Key& key, bool central, std::uint32_t place) -> Vec3 {
    if (has_point(central, central ? arm[place] : 0)) return point[place];
    const Vector3d& x = sites[key.site];
    return Vec3(x.x, x.y, x.z) + arm[place] * normal[place];
  };
  const std::vector<double> weight = weights(&StepContacts::force_weight);
  const std::vector<std::uint32_t> places = this->places();
  ContactView view;
  for_slots([&](const Key& key, const ContactMethods& methods) {
    const std::uint32_t place = places[key.slot];
    if (place == kNone) return;
    view.push_back({key.a, key.b, key.image, key.feature, overlap[place], normal[place],
                    point_of(key, methods.central, place), (weight.empty() ? 1 : weight[place]) * force[place]});
  });
  std::ranges::sort(view, {}, [](const ContactRecord& r) { return std::tie(r.a, r.b, r.image, r.feature); });
  return view;
}

HistoryTable ContactRecords::history() const {
  std::vector<std::pair<Key, const ContactMethods*>> keys;
  for_slots([&](const Key& key, const ContactMethods& methods) {
    if (memory_.live[key.slot]) keys.emplace_back(key, &methods);
  });
  std::ranges::sort(keys, {}, [](const auto& k) { return k.first.order(); });
  HistoryTable table;
  std::vector<double> values;
  for (const auto& [key, methods] : keys) {
    const auto own = memory_.of(key.slot).first(static_cast<std::size_t>(methods->interaction->history));
    values.assign(own.begin(), own.end());
    table.append({key.interaction, key.a, key.b, key.image, key.feature, payload(key, *methods)}, values);
  }
  return table;
}

void ContactRecords::insert(std::span<const HistoryRecord> records, PairLists& lists) const {
  std::map<std::tuple<std::uint32_t, Id, Id, std::int32_t, std::uint32_t>, const HistoryRecord*> by_key;
  for (const HistoryRecord& r : records) by_key[{r.interaction, r.a, r.b, r.image, r.feature}] = &r;
  PairLists::HostMemory memory = memory_;
  for_slots([&](const Key& key, const ContactMethods& methods) {
    const auto found = by_key.find(key.order());
    if (found == by_key.end()) return;
    memory.live[key.slot] = 1;
    const std::vector<double>& values = found->second->values;
    std::ranges::copy(values, memory.of(key.slot).begin());
    if (methods.payload)
      memory.of(key.slot)[static_cast<std::size_t>(methods.interaction->history)] =
          std::bit_cast<double>(found->second->payload);
  });
  lists.upload_memory(memory);
}

std::vector<std::pair<std::uint32_t, Wrench>> ContactRecords::wall_wrenches(std::span<const Pose> walls) const {
  std::map<std::uint32_t, Wrench> sums;
  const StepContacts s = lists_.step_contacts();
  const std::size_t size = lists_.place_count();
  const HostVectors point(device_, s.point, size, plan_.planar), force(device_, s.force, size, plan_.planar),
      moment(device_, s.moment, size, false);
  const std::vector<double> weight = weights(&StepContacts::force_weight);
  const std::vector<std::uint32_t> places = this->places();
  for (std::size_t g = 0; g < plan_.walls.size(); ++g) {
    const WallMethods& methods = plan_.walls[g];
    const Segment segment = lists_.wall_segment(g);
    std::vector<std::uint32_t> items(segment.items);
    for (std::uint32_t i = 0; i < segment.items; ++i) items[i] = i;
    std::ranges::sort(items, {}, [&](std::uint32_t i) { return pairs_.site_rank[pairs_.wall_sites[g][i]]; });
    Wrench& sum = sums[methods.body];
    const Vec3& centre = walls[g].position;
    for (const std::uint32_t i : items)
      for (std::uint32_t k = 0; k < segment.per_item; ++k) {
        const std::uint32_t place = places[segment.slot(i, k)];
        if (place == kNone) continue;
        const bool wall_is_b = pairs_.site_body[pairs_.wall_sites[g][i]] < methods.body;
        const double sign = (wall_is_b ? 1 : -1) * (weight.empty() ? 1 : weight[place]);
        sum.force += sign * force[place];
        sum.torque += sign * (point[place] - centre).cross(force[place]);
        if (methods.interaction->needs.moment) sum.torque += sign * moment[place];
      }
  }
  return {sums.begin(), sums.end()};
}

double ContactRecords::elastic_energy() const {
  const StepContacts s = lists_.step_contacts();
  const std::size_t size = lists_.place_count();
  const std::vector<double> overlap = host_column(device_, s.overlap, size), mass = host_column(device_, s.mass, size),
                            radius = host_column(device_, s.radius, size);
  const std::vector<std::uint32_t> places = this->places();
  std::map<const Interaction*, std::vector<std::uint32_t>> by_law;
  for_slots([&](const Key& key, const ContactMethods& methods) {
    if (places[key.slot] != kNone) by_law[methods.interaction].push_back(key.slot);
  });
  const std::vector<double> weight = weights(&StepContacts::energy_weight);
  ExactSum sum;
  for (const auto& [interaction, slots] : by_law) {
    const auto gathered = [&](const std::vector<double>& column) {
      std::vector<double> values;
      for (const std::uint32_t slot : slots) values.push_back(column[places[slot]]);
      return values;
    };
    const std::vector<double> d = gathered(overlap), m = gathered(mass), r = gathered(radius);
    std::vector<std::vector<double>> history;
    std::vector<const double*> columns;
    for (int k = 0; k < interaction->history; ++k)
      for (std::vector<double>& values = history.emplace_back(); const std::uint32_t slot : slots)
        values.push_back(memory_.of(slot)[static_cast<std::size_t>(k)]);
    for (const auto& column : history) columns.push_back(column.data());
    ContactColumns contacts;
    contacts.size = slots.size();
    contacts.overlap = d.data();
    if (interaction->needs.mass) contacts.mass = m.data();
    if (interaction->needs.radius) contacts.radius = r.data();
    std::vector<double> energy(slots.size());
    interaction->force->energy(contacts, columns.data(), energy.data());
    for (std::size_t i = 0; i < energy.size(); ++i)
      sum.add((weight.empty() ? 1 : weight[places[slots[i]]]) * energy[i]);
  }
  return sum.value();
}

}  // namespace scree::device
