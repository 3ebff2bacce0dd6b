#pragma once
/// \file Random contacts as input of a law, and all of its output.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "conformance/encounter.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree::conformance {

/// Number of contacts, with room for those that a vector loop reads behind them.
inline constexpr std::size_t kContacts = 1000, kRoom = kContacts + 8;

/// Index of the first of the columns that a law names.
inline constexpr std::size_t kInputs = 15 + ForceFace::kMostHistory;

/// Input of a law: columns of random contacts, some of them gaps.
struct Contacts {
  /// Columns of overlap, normal, velocity, mass, radius, spin, turn, history; quantities, columns of a, columns of b.
  std::vector<std::vector<double>> column;
  std::size_t quantities = 0, bodies = 0;  ///< numbers of columns that the law names

  /// \param law  law whose contact_inputs() and body_inputs() are included; nullptr: none
  explicit Contacts(std::uint64_t seed, const ContactLaw* law = nullptr)
      : column(kInputs + 3 * ContactLaw::kMostInputs, std::vector<double>(kRoom)),
        quantities(law ? law->contact_inputs().size() : 0),
        bodies(law ? law->body_inputs().size() : 0) {
    Draws draws(seed);
    for (std::size_t i = 0; i < kRoom; ++i) {
      const Vec3 normal = draws.direction(3);
      column[0][i] = 1e-4 * draws.between(-0.3, 1);
      for (int k = 0; k < 3; ++k) {
        column[1 + static_cast<std::size_t>(k)][i] = normal[k];
        column[4 + static_cast<std::size_t>(k)][i] = draws.between(-1, 1);
        column[9 + static_cast<std::size_t>(k)][i] = draws.between(-50, 50);
        column[12 + static_cast<std::size_t>(k)][i] = draws.between(-50, 50);
      }
      column[7][i] = draws.between(1e-3, 2e-3);
      column[8][i] = draws.between(1e-3, 5e-3);
      for (std::size_t k = 15; k < kInputs; ++k) column[k][i] = 1e-5 * draws.between(-1, 1);
      for (std::size_t k = kInputs; k < column.size(); ++k) column[k][i] = draws.between(0.5, 1.5);
    }
  }

  /// Returns the contacts of these numbers, in this order.
  Contacts pick(std::span<const std::size_t> numbers) const {
    Contacts picked = *this;
    for (std::size_t k = 0; k < column.size(); ++k)
      for (std::size_t i = 0; i < numbers.size(); ++i) picked.column[k][i] = column[k][numbers[i]];
    return picked;
  }

  ContactColumns view(std::size_t size) const {
    ContactColumns c;
    c.size = size;
    c.dt = 1e-5;
    c.overlap = column[0].data();
    c.mass = column[7].data();
    c.radius = column[8].data();
    for (std::size_t k = 0; k < 3; ++k) {
      c.normal[k] = column[1 + k].data();
      c.velocity[k] = column[4 + k].data();
      c.spin[k] = column[9 + k].data();
      c.turn[k] = column[12 + k].data();
    }
    for (std::size_t k = 0; k < quantities; ++k) c.quantity[k] = of_law(0, k);
    for (std::size_t k = 0; k < bodies; ++k) c.of_a[k] = of_law(1, k), c.of_b[k] = of_law(2, k);
    return c;
  }

  /// Exchanges the two bodies.
  void exchange_bodies() {
    for (std::size_t k = 0; k < ContactLaw::kMostInputs; ++k)
      std::swap(column[kInputs + ContactLaw::kMostInputs + k], column[kInputs + 2 * ContactLaw::kMostInputs + k]);
  }

 private:
  const double* of_law(std::size_t kind, std::size_t k) const {
    return column[kInputs + kind * ContactLaw::kMostInputs + k].data();
  }
};

/// Error of a law that has not written an entry of its history.
struct UnwrittenHistory {
  std::size_t column;
};

/// Output of a law for contacts, number after number; a contact's numbers are `stride` apart.
using Answers = std::vector<std::vector<double>>;

/// Calls a law. Entries that force() does not write stay NaN.
/// \param in_place  true if old and new history are the same memory
inline Answers ask(const ForceFace& law, const Contacts& contacts, std::size_t size, bool in_place = false) {
  const auto history = static_cast<std::size_t>(law.history_size());
  Answers answers(7 + history, std::vector<double>(kRoom, 0));
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  for (std::size_t k = 0; k < history; ++k) {
    last[k] = contacts.column[15 + k].data();
    std::fill_n(answers[7 + k].begin(), size, std::numeric_limits<double>::quiet_NaN());
    now[k] = answers[7 + k].data();
    if (!in_place) continue;
    answers[7 + k] = contacts.column[15 + k];
    last[k] = now[k] = answers[7 + k].data();
  }
  ForceColumns out;
  for (std::size_t k = 0; k < 3; ++k) out.force[k] = answers[k].data(), out.moment[k] = answers[3 + k].data();
  law.force(contacts.view(size), last, now, out);
  const auto unwritten = [&](const std::vector<double>& column) {
    return std::any_of(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(size),
                       [](double x) { return std::isnan(x); });
  };
  for (std::size_t k = 0; k < history; ++k)
    if (unwritten(answers[7 + k])) throw UnwrittenHistory{k};
  law.energy(contacts.view(size), now, answers[6].data());
  return answers;
}

inline Answers ask(const PotentialFace& law, const Contacts& contacts, std::size_t size) {
  Answers answers(3, std::vector<double>(kRoom, 0));
  law.potential(contacts.view(size), answers[0].data(), answers[1].data(), answers[2].data());
  return answers;
}

inline Answers ask(const ConeFace& law, const Contacts& contacts, std::size_t size) {
  Answers answers(2, std::vector<double>(kRoom, 0));
  law.cone(contacts.view(size), answers[0].data(), answers[1].data());
  return answers;
}

}  // namespace scree::conformance
