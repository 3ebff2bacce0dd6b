#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/checks.hpp"
#include "conformance/law_columns.hpp"
#include "conformance/law_cycles.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

/// Largest gain of work in a cycle, over all work done in both directions: the error of sums over its steps.
constexpr double kMostGain = 2e-3;

/// Largest ratio of durations: contacts that are no linear springs depend on the speed.
constexpr double kMostPeriod = 5;

/// Number of checks, and the worst error.
struct Worst {
  std::size_t looked = 0;
  double error = 0;
  std::string where;

  void take(double value, const std::string& options) {
    ++looked;
    if (value <= error) return;
    error = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    where = options;
  }
  Row row(const std::string& check, double bound, const std::string& none) const {
    if (looked == 0) return not_applicable(check, none);
    const bool good = error <= bound;
    return judged(check, good,
                  fmt::format("{} contacts, error at most {:.2g}{}", looked, error,
                              good ? "" : fmt::format(", bound {:.2g}, first for {}", bound, where)));
  }
};

struct Found {
  std::size_t laws = 0;
  Worst alone, shuffled, mirrored, turned, gaps, slope, potential_slope, stiffness, cone;
  Worst duration, in_place, written, gained, period;
};

bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

template <class Face>
void batches(const Face& law, const Contacts& contacts, const std::string& options, Found& found) {
  const Answers together = ask(law, contacts, kContacts);
  std::vector<std::size_t> order(kContacts);
  for (std::size_t i = 0; i < kContacts; ++i) order[i] = (i * 387 + 11) % kContacts;
  const Answers shuffled = ask(law, contacts.pick(order), kContacts);
  for (std::size_t i = 0; i < kContacts; ++i) {
    const Answers alone = ask(law, contacts.pick(std::array{order[i]}), 1);
    double differ_alone = 0, differ_shuffled = 0;
    for (std::size_t k = 0; k < together.size(); ++k) {
      differ_alone += !same_bits(alone[k][0], together[k][order[i]]);
      differ_shuffled += !same_bits(shuffled[k][i], together[k][order[i]]);
    }
    found.alone.take(differ_alone, options);
    found.shuffled.take(differ_shuffled, options);
  }
}

Contacts fresh(Contacts contacts) {
  for (std::size_t k = 15; k < kInputs; ++k) std::fill(contacts.column[k].begin(), contacts.column[k].end(), 0);
  return contacts;
}

/// Turns every vector of each contact. \param mirror  true to exchange the two bodies: normal, velocity and spin change
/// sign
Contacts changed(Contacts contacts, const Quat& turn, bool mirror) {
  for (const std::size_t first : {std::size_t{1}, std::size_t{4}, std::size_t{9}, std::size_t{12}})
    for (std::size_t i = 0; i < kRoom; ++i) {
      Vec3 v(contacts.column[first][i], contacts.column[first + 1][i], contacts.column[first + 2][i]);
      v = turn * v;
      if (mirror && first != 12) v = -v;
      for (std::size_t k = 0; k < 3; ++k) contacts.column[first + k][i] = v[static_cast<Eigen::Index>(k)];
    }
  if (mirror) contacts.exchange_bodies();
  return contacts;
}

Vec3 vector_of(const Answers& answers, std::size_t first, std::size_t i) {
  return {answers[first][i], answers[first + 1][i], answers[first + 2][i]};
}

/// Checks forces and couples of new contacts, which turn with them, and change sign if the bodies change places.
void symmetry(const ForceFace& law, const Contacts& contacts, const std::string& options, Found& found) {
  const Quat turn(Eigen::AngleAxisd(1.1, Vec3(1, 2, -0.5).normalized()));
  const Contacts young = fresh(contacts);
  const Answers plain = ask(law, young, kContacts);
  const Answers mirror = ask(law, changed(young, Quat::Identity(), true), kContacts);
  const Answers turned = ask(law, changed(young, turn, false), kContacts);
  double scale = 0;
  for (std::size_t i = 0; i < kContacts; ++i) scale = std::max(scale, vector_of(plain, 0, i).norm());
  for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
    double own = first == 0 ? scale : 0;
    for (std::size_t i = 0; i < kContacts && first == 3; ++i) own = std::max(own, vector_of(plain, 3, i).norm());
    if (!(own > 0)) continue;
    for (std::size_t i = 0; i < kContacts; ++i) {
      const Vec3 f = vector_of(plain, first, i);
      found.mirrored.take((vector_of(mirror, first, i) + f).norm() / own, options);
      found.turned.take((vector_of(turned, first, i) - turn * f).norm() / own, options);
    }
  }
}

/// Checks new contacts, at gaps from the range to twice as much, or at the gaps of all if there is no range.
void gaps(double range, const ForceFace& law, const Contacts& contacts, const std::string& options, Found& found) {
  Contacts apart = fresh(contacts);
  Draws draws(2);
  if (range > 0)
    for (double& overlap : apart.column[0]) overlap = -range * draws.between(1 + 1e-9, 2);
  const Answers plain = ask(law, apart, kContacts);
  for (std::size_t i = 0; i < kContacts; ++i)
    if (apart.column[0][i] <= 0) found.gaps.take(vector_of(plain, 0, i).norm(), options);
}

/// Compares the normal force of new contacts at rest with the slope of their energy.
void slope(const ForceFace& law, const Contacts& contacts, const std::string& options, Found& found) {
  if (contacts.quantities > 0) return;  // these change with the overlap, in a way that only their detector knows
  Contacts still = fresh(contacts);
  for (const std::size_t k : {4, 5, 6, 9, 10, 11, 12, 13, 14})
    std::fill(still.column[k].begin(), still.column[k].end(), 0);
  const Answers at = ask(law, still, kContacts);
  double largest = 0, energy = 0;
  for (std::size_t i = 0; i < kContacts; ++i) {
    largest = std::max(largest, vector_of(at, 0, i).norm());
    energy = std::max(energy, std::abs(at[6][i]));
  }
  if (energy == 0) return;
  Answers to[2];
  constexpr double step = 1e-9;  // [m], of overlaps of some 1e-5
  for (const int k : {0, 1}) {
    Contacts moved = still;
    for (double& overlap : moved.column[0]) overlap += k == 0 ? -step : step;
    to[k] = ask(law, moved, kContacts);
  }
  for (std::size_t i = 0; i < kContacts; ++i) {
    if (still.column[0][i] < 1e-7) continue;  // where contacts begin
    const Vec3 normal(still.column[1][i], still.column[2][i], still.column[3][i]);
    found.slope.take(std::abs((to[1][6][i] - to[0][6][i]) / (2 * step) - vector_of(at, 0, i).dot(normal)) / largest,
                     options);
  }
}

void slopes(const PotentialFace& law, const Contacts& contacts, const std::string& options, Found& found) {
  const Answers at = ask(law, contacts, kContacts);
  Answers to[2];
  constexpr double step = 1e-9;
  for (const int k : {0, 1}) {
    Contacts moved = contacts;
    for (double& overlap : moved.column[0]) overlap += k == 0 ? -step : step;
    to[k] = ask(law, moved, kContacts);
  }
  double largest = 0, stiffest = 0;
  for (std::size_t i = 0; i < kContacts; ++i) {
    largest = std::max(largest, std::abs(at[1][i]));
    stiffest = std::max(stiffest, std::abs(at[2][i]));
  }
  for (std::size_t i = 0; i < kContacts && largest > 0; ++i) {
    if (contacts.column[0][i] < 1e-6) continue;  // where contacts begin
    found.potential_slope.take(std::abs((to[1][0][i] - to[0][0][i]) / (2 * step) - at[1][i]) / largest, options);
    found.stiffness.take(std::abs((to[1][1][i] - to[0][1][i]) / (2 * step) - at[2][i]) / stiffest, options);
  }
}

/// Checks old and new history in one place, if the law allows it.
void in_place(const ForceFace& law, const Contacts& contacts, const std::string& options, Found& found) {
  if (!law.needs().history_in_place || law.history_size() == 0) return;
  const Answers apart = ask(law, contacts, kContacts), one = ask(law, contacts, kContacts, true);
  for (std::size_t i = 0; i < kContacts; ++i) {
    double differ = 0;
    for (std::size_t k = 0; k < apart.size(); ++k) differ += !same_bits(apart[k][i], one[k][i]);
    found.in_place.take(differ, options);
  }
}

void look(const ContactLaw& law, const std::string& options, Found& found) {
  const Contacts contacts(1, &law);
  ++found.laws;
  if (const auto* compliant = face<ForceFace>(law)) {
    if (compliant->history_size() > 0) found.written.take(0, options);
    batches(*compliant, contacts, options, found);
    symmetry(*compliant, contacts, options, found);
    gaps(law.range(), *compliant, contacts, options, found);
    slope(*compliant, contacts, options, found);
    in_place(*compliant, contacts, options, found);
    const double duration = compliant->contact_duration(1e-3, 1e-3);
    found.duration.take(duration > 0 ? 0 : 1, options);
    if (contacts.quantities > 0 || !(duration > 0)) return;
    found.gained.take(work_of_cycles(*compliant, law.range(), contacts), options);
    if (const double longer = half_period(*compliant, contacts); longer > 0)
      found.period.take(std::abs(std::log(longer / duration)), options);
  }
  if (const auto* conservative = face<PotentialFace>(law)) {
    batches(*conservative, contacts, options, found);
    slopes(*conservative, contacts, options, found);
  }
  if (const auto* rigid = face<ConeFace>(law)) {
    batches(*rigid, contacts, options, found);
    const Answers answers = ask(*rigid, contacts, kContacts);
    for (std::size_t i = 0; i < kContacts; ++i)
      found.cone.take(answers[0][i] >= 0 && answers[1][i] >= 0 && answers[1][i] <= 1 ? 0 : 1, options);
  }
}

}  // namespace

Rows check_law(const Registry& registry, const std::string& name) {
  const MaterialEntry material{"m", 2500, 5e6, 0.3};
  const Json schema = schema_of(registry, "law", name);
  Found found;
  std::string refused;
  for (const Json& example : examples(registry, "law", name))
    for (const Json& options : all_choices(schema, with_defaults(schema, example))) try {
        const auto law = registry.law(name)(Options::parse(options.dump()), {3, material, material, 5e-3});
        try {
          look(*law, options.dump(), found);
        } catch (const UnwrittenHistory& e) {
          found.written.take(1, fmt::format("{}, column {}", options.dump(), e.column));
        }
      } catch (const OptionError& e) {  // choices that do not go together
        refused = e.what();
      }
  if (found.laws == 0) return {failed("is made from its examples", refused)};
  const std::string no_force = "no face force/1", no_potential = "no face potential/1";
  return {
      passed("is made from its examples", fmt::format("{} choices of options; all results are finite", found.laws)),
      found.alone.row("a contact has the same bits alone and among others", 0, "no known face"),
      found.shuffled.row("a contact has the same bits in another order", 0, "no known face"),
      found.mirrored.row("forces change sign when bodies change places", 1e-12, no_force),
      found.turned.row("forces turn with the contact", 1e-11, no_force),
      found.gaps.row("no force across a gap beyond range()", 0, no_force),
      found.slope.row("force at rest is the derivative of energy()", 1e-3, "no face force/1, or it stores no energy"),
      found.in_place.row("history may be written in place", 0, "needs() does not say so"),
      found.written.row("force() writes all of its history", 0, "no face force/1, or it remembers nothing"),
      found.gained.row("a contact gives no more work than it took", kMostGain,
                       "no face force/1, or it reads quantities of the contact"),
      found.duration.row("contact_duration() is above 0", 0, no_force),
      found.period.row("contact_duration() is that of a contact", std::log(kMostPeriod),
                       "no face force/1, it reads quantities of the contact, or such a contact does not end"),
      found.potential_slope.row("force is the derivative of the energy", 1e-4, no_potential),
      found.stiffness.row("stiffness is the derivative of the force", 1e-3, no_potential),
      found.cone.row("friction >= 0, and restitution from 0 to 1", 0, "no face cone/1")};
}

}  // namespace scree::conformance
