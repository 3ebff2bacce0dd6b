#pragma once
/// \file Random contacts as a law sees them, and all that it says of them.

#include <array>
#include <vector>

#include "conformance/encounter.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree::conformance {

/// How many contacts there are, and room for those that a vector loop reads behind them.
inline constexpr std::size_t kContacts = 1000, kRoom = kContacts + 8;

/// What a law reads: columns of random contacts, some of them gaps.
struct Contacts {
  std::vector<std::vector<double>> column;  ///< overlap, normal, velocity, mass, radius, spin, turn, history

  explicit Contacts(std::uint64_t seed) : column(15 + ForceFace::kMostHistory, std::vector<double>(kRoom)) {
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
      for (std::size_t k = 15; k < column.size(); ++k) column[k][i] = 1e-5 * draws.between(-1, 1);
    }
  }

  /// Those of these numbers, in this order.
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
    return c;
  }
};

/// All that a law says of contacts, number after number; a contact's numbers are `stride` apart.
using Answers = std::vector<std::vector<double>>;

/// \param in_place  old and new history are the same memory
inline Answers ask(const ForceFace& law, const Contacts& contacts, std::size_t size, bool in_place = false) {
  const auto history = static_cast<std::size_t>(law.history_size());
  Answers answers(7 + history, std::vector<double>(kRoom, 0));
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  for (std::size_t k = 0; k < history; ++k) {
    last[k] = contacts.column[15 + k].data();
    now[k] = answers[7 + k].data();
    if (!in_place) continue;
    answers[7 + k] = contacts.column[15 + k];
    last[k] = now[k] = answers[7 + k].data();
  }
  ForceColumns out;
  for (std::size_t k = 0; k < 3; ++k) out.force[k] = answers[k].data(), out.moment[k] = answers[3 + k].data();
  law.force(contacts.view(size), last, now, out);
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
