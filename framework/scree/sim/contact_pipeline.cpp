/// \file The evaluation of ContactPipeline: detect -> match -> law -> accumulate, chunk by chunk.
#include "scree/sim/contact_pipeline.hpp"

#include <algorithm>
#include <utility>

#include "scree/sim/detail/approach.hpp"
#include "scree/sim/detail/evaluation.hpp"
#include "scree/sim/detail/weights.hpp"

namespace scree {

ContactPipeline::ContactPipeline(World& world, const Methods& methods)
    : world_(world), methods_(methods), skin_(methods.skin) {
  reference_position_ = world.column<Vec3>("reference_position", "m", false);
  note_prescribed();
  if (world.cell.any()) world.column<Vec3>("cell_crossings");
  if (looks_ahead()) world.figure(kSkin) = skin_;
}

ContactPipeline::~ContactPipeline() = default;

namespace {

/// \param gaps  whether contacts may be gaps
ChunkCounts count_contacts(const ContactBuffer& contacts, bool gaps) {
  ChunkCounts counts;
  const std::size_t size = contacts.size();
  const double* const overlap = contacts.overlap();
  const std::uint32_t* const pair = contacts.pair();
  double deepest = 0;
#pragma omp simd reduction(max : deepest)
  for (std::size_t i = 0; i < size; ++i) deepest = overlap[i] > deepest ? overlap[i] : deepest;
  counts.max_overlap = deepest;
  if (!gaps) {
    std::uint32_t pairs = size > 0 ? 1 : 0;
    for (std::size_t i = 1; i < size; ++i) pairs += pair[i] != pair[i - 1] ? 1 : 0;
    counts.contacts = size;
    counts.touching_pairs = pairs;
    return counts;
  }
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < size; ++i) {
    if (overlap[i] <= 0) continue;
    ++counts.contacts;
    counts.touching_pairs += pair[i] != last_pair;
    last_pair = pair[i];
  }
  return counts;
}

/// Contacts of one step beside those of the last: what match() works on.
struct Succession {
  const ContactKeys& old;
  const ContactBuffer& contacts;

  /// Whether contact i of now is contact j of old by its looks: of the same pair, with the same payload or, where there
  /// is none, with the same feature.
  bool same(std::size_t i, std::size_t j) const {
    const std::uint64_t payload = contacts.payload()[i];
    return contacts.pair()[i] == old.pair[j] && payload == old.payload(j) &&
           (payload != 0 || contacts.feature()[i] == old.feature(j));
  }

  /// How many contacts from i and j on are the same; whole blocks at a time without branches.
  std::size_t same_stretch(std::size_t i, std::size_t j) const {
    const std::size_t most = std::min(contacts.size() - i, old.size() - j);
    std::size_t length = old.shared() ? same_blocks<true>(i, j, most) : same_blocks<false>(i, j, most);
    while (length < most && same(i + length, j + length)) ++length;
    return length;
  }

  /// \tparam kShared  whether all old contacts have the same feature and payload
  template <bool kShared>
  std::size_t same_blocks(std::size_t i, std::size_t j, std::size_t most) const {
    constexpr std::size_t kBlock = 16;
    const std::uint32_t *pair = contacts.pair() + i, *pair_old = old.pair.data() + j;
    const std::uint64_t *payload = contacts.payload() + i, *payload_old = kShared ? nullptr : old.payloads() + j;
    const std::uint32_t *feature = contacts.feature() + i, *feature_old = kShared ? nullptr : old.features() + j;
    const std::uint64_t one_payload = kShared ? old.payload(0) : 0;
    const std::uint32_t one_feature = kShared ? old.feature(0) : 0;
    std::size_t length = 0;
    for (; length + kBlock <= most; length += kBlock) {
      std::uint64_t different = 0;
      for (std::size_t k = length; k < length + kBlock; ++k) {
        const std::uint64_t had_payload = kShared ? one_payload : payload_old[k];
        const std::uint32_t had_feature = kShared ? one_feature : feature_old[k];
        const std::uint64_t other_feature = payload[k] == 0 ? feature[k] ^ had_feature : 0;
        different |= (pair[k] ^ pair_old[k]) | (payload[k] ^ had_payload) | other_feature;
      }
      if (different != 0) break;
    }
    return length;
  }

  /// same_stretch() of whole pairs: one that has also lost or gained contacts is not the same in part.
  std::size_t same_pairs(std::size_t i, std::size_t j) const {
    std::size_t length = same_stretch(i, j);
    if (length == 0) return 0;
    const std::uint32_t* const pair = contacts.pair() + i;
    const std::uint32_t last = pair[length - 1];
    const bool cut = (i + length < contacts.size() && pair[length] == last) ||
                     (j + length < old.size() && old.pair[j + length] == last);
    while (cut && length > 0 && pair[length - 1] == last) --length;
    return length;
  }
};

/// One behind the last contact of the pair whose first contact is `begin`.
std::size_t end_of_pair(const ContactBuffer& contacts, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < contacts.size() && contacts.pair()[end] == contacts.pair()[begin]) ++end;
  return end;
}

}  // namespace

/// Leaves a pair whose contacts have changed to its detector: [begin, end) of now, [from, from_end) of the committed
/// step. \return how many contacts go on
std::size_t ContactPipeline::match_pair(const Chunk& chunk, std::size_t begin, std::size_t end, std::size_t from,
                                        std::size_t from_end, Scratch& s) const {
  const ContactKeys& old = chunk.history.keys;
  s.old_feature.clear();
  s.old_payload.clear();
  for (std::size_t j = from; j < from_end; ++j) {
    s.old_feature.push_back(old.feature(j));
    s.old_payload.push_back(old.payload(j));
  }
  s.source.resize(std::max(s.source.size(), end - begin));
  methods_.channels[chunk.channel].detector->match({from_end - from, end - begin, s.old_feature.data(),
                                                    s.old_payload.data(), s.contacts.feature() + begin,
                                                    s.contacts.payload() + begin, s.source.data()});
  std::size_t hits = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t source = s.source[i - begin];
    const auto at = static_cast<std::uint32_t>(i);
    if (source < 0) {
      s.stretches.push_back({at, at + 1, Stretch::kNew});
      continue;
    }
    s.stretches.push_back({at, at + 1, static_cast<std::uint32_t>(from + static_cast<std::size_t>(source))});
    ++hits;
  }
  return hits;
}

/// Which committed contact each contact of now continues, as stretches, and gives it that one's feature. Both are in
/// pair order, and most of most steps are as before. \return how many contacts go on
std::size_t ContactPipeline::match(Chunk& chunk, Scratch& s) const {
  const ContactKeys& old = chunk.history.keys;
  ContactBuffer& now = s.contacts;
  const Succession succession{old, now};
  const std::size_t count = now.size();
  const auto copy_features = [&](std::size_t i, std::size_t j, std::size_t length) {
    if (old.shared() && old.payload(0) == 0) return;  // the same by their looks
    for (std::size_t k = 0; k < length; ++k) now.feature()[i + k] = old.feature(j + k);
  };
  s.stretches.clear();
  s.stretch = 0;
  const auto add = [&s](std::size_t begin, std::size_t end, std::uint32_t from) {
    s.stretches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), from});
  };
  chunk.history.same_keys = count == old.size() && succession.same_stretch(0, 0) == count;
  if (chunk.history.same_keys) {
    if (count > 0) add(0, count, 0);
    if (keep_records) copy_features(0, 0, count);
    return count;
  }

  std::size_t hits = 0;
  for (std::size_t i = 0, j = 0; i < count;) {
    while (j < old.size() && old.pair[j] < now.pair()[i]) ++j;
    const std::size_t length = succession.same_pairs(i, j);
    if (length > 0) {
      add(i, i + length, static_cast<std::uint32_t>(j));
      copy_features(i, j, length);
      hits += length;
      i += length;
      j += length;
      continue;
    }
    const std::size_t end = end_of_pair(now, i);
    if (j == old.size() || old.pair[j] != now.pair()[i]) {
      add(i, end, Stretch::kNew);
    } else {
      const std::size_t old_end = old.end_of_pair(j);
      hits += match_pair(chunk, i, end, j, old_end, s);
      j = old_end;
    }
    i = end;
  }
  return hits;
}

/// What the contacts of a block inherit: the committed columns where those lie together, else a copy.
/// \param copy  wanted in any case
/// \param last  out, a pointer per column
void ContactPipeline::inherited(const Chunk& chunk, const detail::ContactBlock& block, bool copy, int columns,
                                Scratch& s, const double** last) const {
  const std::size_t begin = block.first, end = block.first + block.count;
  const HistoryColumns& committed = chunk.history.committed;
  while (s.stretches[s.stretch].end <= begin) ++s.stretch;
  const Stretch& first = s.stretches[s.stretch];
  if (!copy && first.end >= end && first.from != Stretch::kNew) {
    for (int k = 0; k < columns; ++k) last[k] = committed[k] + first.from + (begin - first.begin);
    return;
  }
  s.inherited.resize(Scratch::kStride * static_cast<std::size_t>(columns));
  for (int k = 0; k < columns; ++k) last[k] = s.inherited.data() + static_cast<std::size_t>(k) * Scratch::kStride;
  for (std::size_t n = s.stretch; n < s.stretches.size() && s.stretches[n].begin < end; ++n) {
    const Stretch& stretch = s.stretches[n];
    const std::size_t from = std::max<std::size_t>(stretch.begin, begin), to = std::min<std::size_t>(stretch.end, end);
    for (int k = 0; k < columns; ++k) {
      double* const column = s.inherited.data() + static_cast<std::size_t>(k) * Scratch::kStride + (from - begin);
      if (stretch.from == Stretch::kNew)
        std::fill_n(column, to - from, 0.0);
      else
        std::copy_n(committed[k] + stretch.from + (from - stretch.begin), to - from, column);
    }
  }
}

/// The columns of a block of the chunk's contacts that its law works with, in the thread's memory.
ContactPipeline::LawColumns ContactPipeline::law_columns(const Chunk& chunk, const detail::ContactBlock& c, double dt,
                                                         Scratch& s) const {
  const Channel& channel = methods_.channels[chunk.channel];
  const ForceNeeds& needs = methods_.interactions[channel.interaction].needs;
  double* next = s.columns.data();
  const auto column = [&] { return std::exchange(next, next + Scratch::kStride); };
  const auto vector = [&] { return detail::VectorColumns{{column(), column(), column()}}; };
  const auto pointers = [](const detail::VectorColumns& v, const double*(&to)[3]) { std::copy_n(v.axis, 3, to); };

  LawColumns columns;
  detail::MotionColumns motion;
  motion.velocity = vector();
  if (needs.spin) motion.spin = vector();
  if (needs.turn) motion.turn = vector();
  if (needs.mass) motion.mass = column();
  if (needs.radius && !channel.curvature) motion.bounding_radius = column();
  detail::relative_motion(c, motion);
  if (!surface_velocity_.empty()) detail::add_surface_velocity(c, surface_velocity_, chunk.rows, motion.velocity);

  const ContactBuffer& contacts = *c.contacts;
  columns.in.size = c.count;
  columns.in.dt = dt;
  columns.in.overlap = contacts.overlap() + c.first;
  for (int k = 0; k < 3; ++k) columns.in.normal[k] = contacts.normal(k) + c.first;
  pointers(motion.velocity, columns.in.velocity);
  pointers(motion.spin, columns.in.spin);
  pointers(motion.turn, columns.in.turn);
  columns.in.mass = motion.mass;
  if (needs.radius) columns.in.radius = channel.curvature ? contacts.radius() + c.first : motion.bounding_radius;
  columns.velocity = motion.velocity;
  columns.spin = motion.spin;
  columns.force = vector();
  if (needs.moment) columns.moment = vector();
  return columns;
}

/// Law and sums of one block of contacts: each body of the chunk sums its contacts serially, in contact order, into the
/// chunk's own slots.
void ContactPipeline::apply_law(Chunk& chunk, const detail::ContactBlock& block, double dt, Keep keep, Scratch& s) {
  const Channel& channel = methods_.channels[chunk.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  const LawColumns columns = law_columns(chunk, block, dt, s);
  const double* const weight = channel.weighted ? s.contacts.force_weight() + block.first : nullptr;
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  if (interaction.history > 0) inherited(chunk, block, weight != nullptr, interaction.history, s, last);
  // Whether what the law reads may change while it writes: it reads copies, or each entry first.
  const bool may_overwrite = weight != nullptr || interaction.needs.history_in_place;
  const bool in_place = keep == Keep::committed && chunk.history.same_keys && may_overwrite;
  for (int k = 0; k < interaction.history; ++k)
    now[k] = in_place ? chunk.history.committed[k] + block.first : history_for(chunk, block, k, keep, s);
  if (weight)
    detail::still_negative_contacts(weight, block.count, columns.velocity, columns.spin, s.inherited.data(),
                                    Scratch::kStride, interaction.history);
  const auto [fx, fy, fz] = columns.force.axis;
  const auto [mx, my, mz] = columns.moment.axis;
  interaction.force->force(columns.in, last, now, {{fx, fy, fz}, {mx, my, mz}});
  if (weight) {
    detail::scale(weight, block.count, columns.force);
    if (interaction.needs.moment) detail::scale(weight, block.count, columns.moment);
  }
  detail::add_forces(block, columns.force, columns.moment, chunk.owner.empty() ? nullptr : chunk.owner.data(),
                     slot_wrench_.data() + chunk.first_slot);
  if (compute_energy) {
    s.energy.resize(Scratch::kBlock);
    interaction.force->energy(columns.in, now, s.energy.data());
    const double* const share = channel.weighted ? s.contacts.energy_weight() + block.first : nullptr;
    for (std::size_t i = 0; i < block.count; ++i)
      chunk.counts.elastic_energy += share ? share[i] * s.energy[i] : s.energy[i];
  }
  if (keep_records) detail::record(chunk, block, columns.force);
  if (keep == Keep::committed && chunk.history.same_keys && !in_place)
    for (int k = 0; k < interaction.history; ++k)
      std::copy_n(now[k], block.count, chunk.history.committed[k] + block.first);
}

/// Where the law writes column k of a block's history. Of contacts that are those of before only a block's worth waits
/// to take the place of what it is made from.
double* ContactPipeline::history_for(Chunk& chunk, const detail::ContactBlock& block, int k, Keep keep, Scratch& s) {
  if (keep == Keep::trial) return chunk.history.trial[k] + block.first;
  if (chunk.history.same_keys) return s.next.data() + static_cast<std::size_t>(k) * Scratch::kStride;
  return s.history[k] + block.first;
}

/// After all blocks of a chunk: its contacts and their history are what is committed.
void ContactPipeline::commit_at_once(Chunk& chunk, Scratch& s) const {
  if (chunk.history.same_keys) return;
  const ContactBuffer& now = s.contacts;
  const int columns = methods_.interactions[methods_.channels[chunk.channel].interaction].history;
  chunk.history.keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  chunk.history.committed.resize(now.size(), columns);
  for (int k = 0; k < columns; ++k) std::copy_n(s.history[k], now.size(), chunk.history.committed[k]);
}

/// Pieces of one solid push from where they were on, not from where they touch.
void ContactPipeline::tolerate_overlaps(const Chunk& chunk, ContactBuffer& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) contacts.overlap()[i] -= chunk.tolerated[contacts.pair()[i]];
}

/// Gaps that some pair of the chunk may close. \param ahead  [s] within this time
double ContactPipeline::margin_for(const Chunk& chunk, const Scratch& s, double ahead) const {
  if (ahead == 0) return methods_.margin;
  const BodyView bodies = s.tile.view();
  double fastest = 0;
  for (const Pair& p : chunk.pairs)
    fastest = std::max(fastest, detail::approach_speed(bodies.row[p.a], bodies.row[p.b]));
  return methods_.margin + fastest * ahead;
}

/// For the history that an evaluation writes.
void ContactPipeline::make_room(Chunk& chunk, Keep keep, Scratch& s) const {
  const ContactBuffer& now = s.contacts;
  const int columns = methods_.interactions[methods_.channels[chunk.channel].interaction].history;
  if (keep == Keep::trial) {
    chunk.history.trial.resize(now.size(), columns);
    if (!chunk.history.same_keys) chunk.history.trial_keys.assign(now.size(), now.pair(), now.feature(), now.payload());
  } else if (chunk.history.same_keys) {
    s.next.resize(Scratch::kStride * ForceFace::kMostHistory);
  } else {
    s.history.resize(now.size(), columns);
  }
}

/// Finds the chunk's contacts and what each goes on from, and clears what earlier evaluations left.
/// \param ahead  [s] gaps that may close within this time are contacts too
void ContactPipeline::detect_chunk(Chunk& chunk, Scratch& s, Keep keep, double ahead) {
  const Channel& channel = methods_.channels[chunk.channel];
  const double start = clock_seconds();
  s.tile.gather(world_, world_.position.read(), world_.orientation.read(), chunk, channel.detector->sees_orientation());
  s.contacts.clear();
  const double margin = margin_for(chunk, s, ahead);
  channel.detector->detect(s.tile.view(), chunk.pairs, chunk.cache, margin, s.contacts);
  if (!chunk.tolerated.empty()) tolerate_overlaps(chunk, s.contacts);
  const std::size_t history_hits = match(chunk, s);
  make_room(chunk, keep, s);
  s.detect_seconds += clock_seconds() - start;

  chunk.counts = count_contacts(s.contacts, margin > 0);
  chunk.counts.history_hits = history_hits;
  chunk.records.clear();
  std::fill_n(slot_wrench_.data() + chunk.first_slot, chunk.rows.size(), WrenchSlot{});
  s.columns.resize(LawColumns::kMost * Scratch::kStride);
}

void ContactPipeline::sum_counts() {
  totals_ = {};
  totals_.candidate_pairs = pair_count_;
  for (const Chunk& chunk : chunks_) {
    totals_.contacts += chunk.counts.contacts;
    totals_.touching_pairs += chunk.counts.touching_pairs;
    totals_.history_hits += chunk.counts.history_hits;
    totals_.max_overlap = std::max(totals_.max_overlap, chunk.counts.max_overlap);
    totals_.elastic_energy += chunk.counts.elastic_energy;
  }
}

void ContactPipeline::evaluate(double dt, std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque,
                               Keep keep) {
  const External external(world_, methods_.environment, others);
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s, keep);
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { apply_law(chunk, block, dt, keep, s); });
        if (keep == Keep::committed) commit_at_once(chunk, s);
      },
      [&](std::ptrdiff_t i) {
        sum_slots(i, force[i], torque[i]);
        external.add(i, force[i], torque[i]);
      });
  sum_counts();
}

void ContactPipeline::commit_trial() {
  for (Chunk& chunk : chunks_) chunk.history.commit();
}

}  // namespace scree
