#include "engine/pair_lists.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace scree::device {

namespace {

constexpr int kSeen = 6;  ///< of SeenFaces

Vector3d device_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// Code of an image with components -1, 0, 1.
std::uint32_t code_of(int x, int y, int z) { return static_cast<std::uint32_t>((x + 1) + 3 * (y + 1) + 9 * (z + 1)); }

}  // namespace

PairLists::Lists::Lists(Device& device)
    : first_entry(device),
      entry(device),
      entry_rank(device),
      ref(device),
      slot_of_rank(device),
      pair_a(device),
      pair_b(device),
      item_of(device),
      channel_slots(device),
      history(device),
      live(device) {}

PairLists::PairLists(Device& device, const DevicePlan& plan, const PeriodicCell& cell, double skin)
    : device_(device),
      plan_(plan),
      skin_(skin),
      stride_((static_cast<std::uint32_t>(plan.history) + ContactSlots::kSector - 1) / ContactSlots::kSector *
              ContactSlots::kSector),
      definition_(device, plan.sites),
      channel_of_(device, plan.channel_of),
      image_(device),
      shift_(device),
      key_(device),
      sorted_key_(device),
      rank_(device),
      count_(device),
      scanned_(device),
      near_(device),
      site_rank_(device),
      site_body_(device),
      site_species_(device),
      site_radius_(device),
      site_scale_(device),
      site_share_(device),
      site_local_(device),
      site_x_(device),
      site_x0_(device),
      now_(device),
      old_(device),
      columns_(device),
      seen_(device),
      saved_history_(device),
      saved_live_(device),
      looked_live_(device),
      slot_at_(device),
      active_count_(device),
      forgotten_(device),
      wall_items_(device) {
  // A little larger than the reach, so that rounding puts no two that are listed two cells apart.
  per_edge_ = 1 / std::max((2 * plan.largest_radius + skin + plan.margin) * (1 + 1e-9), 1e-12);
  for (const SiteDefinition& site : plan.sites) {
    offset_ = std::max(offset_, length(site.local));
    shared_ = shared_ || site.share != 1;
  }
  for (const WallMethods& m : plan.walls) meets_.emplace_back(device, m.meets);
  for (std::size_t g = 0; g < plan.walls.size(); ++g) wall_sites_.emplace_back(device);
  for (std::size_t c = 0; c < plan.pairs.size(); ++c) pair_memory_.emplace_back(device);

  constexpr double kEndless = std::numeric_limits<double>::infinity();
  low_ = {-kEndless, -kEndless, -kEndless}, high_ = {kEndless, kEndless, kEndless};
  double* const low[3] = {&low_.x, &low_.y, &low_.z};
  double* const high[3] = {&high_.x, &high_.y, &high_.z};
  int reach[3];
  for (int k = 0; k < 3; ++k) {
    reach[k] = cell.periodic(k) ? 1 : 0;
    if (cell.periodic(k)) *low[k] = cell.lower[k], *high[k] = cell.lower[k] + cell.length(k);
  }
  std::vector<Vector3d> shift(27, Vector3d{0, 0, 0});
  images_ = {kOwnImage};
  for (int z = -reach[2]; z <= reach[2]; ++z)
    for (int y = -reach[1]; y <= reach[1]; ++y)
      for (int x = -reach[0]; x <= reach[0]; ++x) {
        shift[code_of(x, y, z)] = device_vector(cell.shift({x, y, z}));
        if (code_of(x, y, z) != kOwnImage) images_.push_back(code_of(x, y, z));
      }
  image_.upload(images_);
  shift_.upload(shift);
}

Sites PairLists::sites() const {
  Sites s;
  s.count = static_cast<std::uint32_t>(plan_.sites.size());
  s.rank = site_rank_.data(), s.body = site_body_.data(), s.species = site_species_.data();
  s.slot_of_rank = now_.slot_of_rank.data();
  s.radius = site_radius_.data(), s.scale = site_scale_.data();
  s.local = offset_ > 0 ? site_local_.data() : nullptr;
  s.share = shared_ ? site_share_.data() : nullptr;
  s.x = site_x_.data(), s.x0 = site_x0_.data();
  return s;
}

StepContacts PairLists::step_contacts() const {
  StepContacts s{};
  std::size_t next = 0;
  const auto give = [&](double*& column) { column = columns_.data() + places_ * next++; };
  const UsedColumns& used = plan_.columns;
  give(s.overlap);
  const auto give_vector = [&](bool is_used, double*(&vector)[3], int components = 3) {
    for (int k = 0; k < components && is_used; ++k) give(vector[k]);
  };
  const int within = used.z ? 3 : 2;
  for (auto* vector : {&s.normal, &s.point, &s.force}) give_vector(true, *vector, within);
  give_vector(used.velocity, s.velocity, within);
  if (used.arms) give(s.arm_a), give(s.arm_b);
  if (used.mass) give(s.mass);
  if (used.radius) give(s.radius);
  give_vector(used.turn, s.turn);
  give_vector(used.spin, s.spin);
  give_vector(used.moment, s.moment);
  if (used.weights) give(s.force_weight), give(s.energy_weight);
  return s;
}

SeenFaces PairLists::seen_faces() const {
  SeenFaces s{};
  std::size_t next = 0;
  for (double** c : {&s.distance, &s.normal[0], &s.normal[1], &s.normal[2], &s.k1, &s.k2})
    *c = seen_.data() + seen_count_ * next++;
  static_assert(6 == kSeen);
  return s;
}

std::uint32_t PairLists::scan(Buffer<std::uint32_t>& counts, std::uint32_t items) {
  device_.fill(counts.data() + items, 0, sizeof(std::uint32_t));
  scanned_.resize(items + 1);
  device_.exclusive_scan(counts.data(), scanned_.data(), items + 1);
  return scanned_.at(items);
}

/// Sites along a curve through space.
void PairLists::arrange(const ReferencePlaces& bodies) {
  const auto count = static_cast<std::uint32_t>(plan_.sites.size());
  for (auto* buffer : {&rank_, &site_rank_, &site_body_, &site_species_, &now_.slot_of_rank}) buffer->resize(count);
  for (auto* buffer : {&key_, &sorted_key_}) buffer->resize(count);
  for (auto* buffer : {&site_x_, &site_x0_}) buffer->resize(count);
  if (offset_ > 0) site_local_.resize(count);
  if (shared_) site_share_.resize(count);
  for (auto* buffer : {&site_radius_, &site_scale_}) buffer->resize(count);
  device_.run(count, FindKeys{definition_.data(), bodies.x, bodies.q, per_edge_, key_.data(), rank_.data()});
  device_.sort_pairs(key_.data(), sorted_key_.data(), rank_.data(), site_rank_.data(), count);
  device_.run(count, ArrangeSites{definition_.data(), site_rank_.data(), bodies.x, bodies.q, sites()});
}

void PairLists::list_pairs(const ReferencePlaces& bodies) {
  const auto count = static_cast<std::uint32_t>(plan_.sites.size());
  const auto channels = static_cast<std::uint32_t>(plan_.pairs.size());
  const Listing listing{sites(),
                        sorted_key_.data(),
                        bodies.inverse_mass,
                        channel_of_.data(),
                        plan_.species,
                        1 / per_edge_ + offset_,  // bodies alone are put back into the cell
                        per_edge_,
                        skin_ + plan_.margin,
                        static_cast<std::uint32_t>(images_.size()),
                        image_.data(),
                        shift_.data(),
                        low_,
                        high_};
  count_.resize(std::size_t{count} * std::max(channels, 1u) + 1);
  device_.run(count, CountEntries{listing, count_.data()});
  const std::uint32_t entries = scan(count_, count);
  now_.first_entry.copy_from(scanned_);
  for (auto* buffer : {&now_.entry, &now_.entry_rank, &now_.ref}) buffer->resize(entries);
  device_.run(count, FillEntries{listing, now_.rows()});
  device_.run(count, CountPairs{listing, now_.rows(), channels, count_.data()});
  pairs_ = scan(count_, count * channels);
  channel_first_.clear();
  for (std::uint32_t c = 0; c <= channels; ++c) channel_first_.push_back(scanned_.at(std::size_t{c} * count));
  now_.pair_a.resize(pairs_);
  now_.pair_b.resize(pairs_);
  device_.run(count,
              NumberPairs{listing, now_.rows(), channels, scanned_.data(), now_.pair_a.data(), now_.pair_b.data()});
  device_.run(count, NumberPartners{sites(), now_.rows()});
}

/// Sites near each obstacle.
void PairLists::list_walls(std::span<const Pose> walls) {
  const auto count = static_cast<std::uint32_t>(plan_.sites.size());
  near_.resize(count + 1);
  now_.item_of.resize(plan_.walls.size() * count);
  wall_counts_.assign(plan_.walls.size(), 0);
  for (std::size_t g = 0; g < plan_.walls.size(); ++g) {
    const WallMethods& wall = plan_.walls[g];
    const Quat& q = walls[g].orientation;
    const ListArguments arguments{
        sites(),
        meets_[g].data(),
        {wall.body, wall.scale, device_vector(walls[g].position), {q.x(), q.y(), q.z(), q.w()}},
        skin_ + wall.channel->margin,
        near_.data()};
    if (count > 0) device_.run(wall.faces->named(wall.faces->list), arguments);
    wall_counts_[g] = scan(near_, count);
    wall_sites_[g].resize(wall_counts_[g]);
    device_.run(count, FillItems{sites(), near_.data(), scanned_.data(), wall_sites_[g].data(),
                                 now_.item_of.data() + g * count});
  }
}

/// FreeSpaceQuery for what contacts remember.
void PairLists::make_slots() {
  const auto channels = static_cast<std::uint32_t>(plan_.pairs.size());
  slots_ = 0;
  candidates_ = pairs_;
  std::vector<std::uint32_t> first_slots, central;
  for (std::uint32_t c = 0; c < channels; ++c) {
    first_slots.push_back(static_cast<std::uint32_t>(slots_));
    central.push_back(plan_.pairs[c].central ? 1 : 0);
    slots_ += std::size_t{channel_first_[c + 1] - channel_first_[c]} * plan_.pairs[c].contacts;
  }
  std::vector<std::uint32_t> of_channel = channel_first_;
  of_channel.insert(of_channel.end(), first_slots.begin(), first_slots.end());
  of_channel.insert(of_channel.end(), central.begin(), central.end());
  now_.channels = channels;
  now_.channel_slots.upload(of_channel);
  now_.of_wall.clear();
  for (std::size_t g = 0; g < plan_.walls.size(); ++g) {
    now_.of_wall.push_back({static_cast<std::uint32_t>(slots_), wall_counts_[g]});
    slots_ += std::size_t{wall_counts_[g]} * plan_.walls[g].per_item;
    candidates_ += wall_counts_[g];
  }
  now_.slots = slots_;
  now_.history.resize(slots_ * stride_);
  now_.live.resize(slots_);
  make_segments(first_slots);
}

/// Who works on which.
void PairLists::make_segments(std::span<const std::uint32_t> first_slots) {
  std::uint32_t tile = 0;
  places_ = 0;
  const auto segment = [&](std::uint32_t items, std::uint32_t per_item, std::uint32_t first_slot) {
    Segment s{items, per_item, first_slot, static_cast<std::uint32_t>(places_), tile, stride_, nullptr, nullptr};
    tile += s.tiles();
    places_ += s.places();
    return s;
  };
  pair_segments_.clear();
  for (std::size_t c = 0; c < plan_.pairs.size(); ++c)
    pair_segments_.push_back(
        segment(channel_first_[c + 1] - channel_first_[c], plan_.pairs[c].contacts, first_slots[c]));
  wall_segments_.clear();
  for (std::size_t g = 0; g < plan_.walls.size(); ++g)
    wall_segments_.push_back(segment(wall_counts_[g], plan_.walls[g].per_item, now_.of_wall[g].first));
  active_count_.resize(tile);
  slot_at_.resize(places_);
  for (auto* segments : {&pair_segments_, &wall_segments_})
    for (Segment& s : *segments) s.slot_at = slot_at_.data(), s.active_count = active_count_.data();
  std::vector<WallItems> items;
  for (std::size_t g = 0; g < plan_.walls.size(); ++g)
    items.push_back(
        {now_.item_of.data() + g * plan_.sites.size(), plan_.walls[g].body, wall_counts_[g], now_.of_wall[g].first});
  wall_items_.upload(items);
}

/// FreeSpaceQuery for all contacts of a step.
void PairLists::make_columns() {
  columns_.resize(places_ * plan_.columns.count());
  // A law without couples leaves theirs alone.
  if (plan_.columns.moment && places_ > 0)
    for (double* const moment : step_contacts().moment) device_.fill(moment, 0, places_ * sizeof(double));
  seen_count_ = 0;
  for (const Segment& s : wall_segments_) seen_count_ = std::max(seen_count_, std::size_t{s.items} * s.per_item);
  seen_.resize(seen_count_ * kSeen);
}

/// What pairs remember goes with the slots that their contacts have.
void PairLists::forget_pairs() {
  for (std::size_t c = 0; c < plan_.pairs.size(); ++c) {
    pair_memory_[c].resize(pair_segments_[c].items * plan_.pairs[c].memory());
    pair_memory_[c].fill(0);
  }
  forgotten_.resize(pairs_ + pairs_ / kWarpSize + 3);
}

void PairLists::inherit(const std::uint8_t* wrapped) {
  if (!old_.made) {
    now_.live.fill(0);
    return;
  }
  const ContactSlots from = old_.memory(stride_), to = now_.memory(stride_);
  device_.run(pairs_, InheritPairs{sites(), now_.pair_a.data(), now_.pair_b.data(), to, now_.pair_slots(), old_.rows(),
                                   old_.pair_slots(), old_.slot_of_rank.data(), from, plan_.history, wrapped});
  for (std::size_t g = 0; g < plan_.walls.size(); ++g)
    device_.run(wall_counts_[g],
                InheritItems{sites(), wall_sites_[g].data(), old_.item_of.data() + g * plan_.sites.size(),
                             now_.of_wall[g], old_.of_wall[g], from, to, plan_.history});
}

void PairLists::rebuild(const ReferencePlaces& bodies, std::span<const Pose> walls, const std::uint8_t* wrapped) {
  std::swap(now_, old_);
  arrange(bodies);
  list_pairs(bodies);
  list_walls(walls);
  make_slots();
  make_columns();
  forget_pairs();
  inherit(wrapped);
  now_.made = true;
}

std::vector<std::uint8_t> PairLists::live_slots(const Buffer<LiveContacts>& live) const {
  const std::vector<LiveContacts> items = live.download();
  std::vector<std::uint8_t> flags(slots_);
  for_segments([&](const Segment& s) {
    for (std::uint32_t item = 0; item < s.items; ++item)
      for (std::uint32_t k = 0; k < s.per_item; ++k) flags[s.slot(item, k)] = items[s.slot(item)].bits >> k & 1;
  });
  return flags;
}

std::vector<std::uint32_t> PairLists::download_places() const {
  const std::vector<LiveContacts> items = (looked_ ? looked_live_ : now_.live).download();
  std::vector<std::uint32_t> places(slots_, kNone);
  for_segments([&](const Segment& s) {
    for (std::uint32_t item = 0; item < s.items; ++item) {
      auto [bits, place] = items[s.slot(item)];
      if (place == kNone) continue;
      for (std::uint32_t k = 0; bits != 0; ++k, bits >>= 1)
        if (bits & 1) places[s.slot(item, k)] = std::exchange(place, next_place(place, s.items));
    }
  });
  return places;
}

std::vector<LiveContacts> PairLists::by_item(const std::vector<std::uint8_t>& live) const {
  std::vector<LiveContacts> contacts(slots_, {0, kNone});
  for_segments([&](const Segment& s) {
    for (std::uint32_t item = 0; item < s.items; ++item)
      for (std::uint32_t k = 0; k < s.per_item; ++k)
        if (live[s.slot(item, k)]) contacts[s.slot(item)].bits |= 1u << k;
  });
  return contacts;
}

void PairLists::upload_memory(const HostMemory& memory) {
  now_.history.upload(memory.history);
  now_.live.upload(by_item(memory.live));
  forget_pairs();
}

void PairLists::save_memory() {
  saved_history_.copy_from(now_.history);
  saved_live_.copy_from(now_.live);
  saved_ = true;
}

void PairLists::restore_memory_after_look() {
  looked_live_.copy_from(now_.live);
  restore_memory();
  looked_ = true;
}

void PairLists::restore_memory() {
  looked_ = false;
  if (!saved_) return;
  saved_ = false;
  now_.history.copy_from(saved_history_);
  now_.live.copy_from(saved_live_);
  forget_pairs();
}

PairLists::HostPairs PairLists::download_pairs() const {
  HostPairs pairs{now_.pair_a.download(), now_.pair_b.download(), site_rank_.download(), site_body_.download(), {}};
  for (const auto& sites : wall_sites_) pairs.wall_sites.push_back(sites.download());
  return pairs;
}

}  // namespace scree::device
