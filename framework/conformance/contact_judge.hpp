#pragma once
/// \file Checks of contacts in random poses, for any detector. They are well formed. They stay the same if the bodies
/// change places, move and turn together, grow together, or come with others or alone. A margin or old lists do not
/// matter. If the detector promises an energy, forces and torques are its gradient. Contacts keep their names while
/// bodies hardly move. Touching contacts are those found by comparing every part of both bodies.

#include <map>
#include <string>
#include <vector>

#include "conformance/encounter.hpp"

namespace scree::conformance {

/// Counts of checks and of failures, the largest error, and the first failure.
struct Tally {
  std::size_t looked = 0, wrong = 0;
  double worst = 0;
  std::string first;
};
using Tallies = std::map<std::string, Tally>;

/// Checks contacts in random poses.
class ContactJudge {
 public:
  /// \param sees_a_first  true if contacts may differ when the two bodies change places
  ContactJudge(const Encounter& meeting, std::uint64_t seed, bool sees_a_first = false)
      : m_(meeting), draws_(seed), sees_a_first_(sees_a_first) {}

  /// Checks this many pairs. \return number of pairs drawn
  std::size_t look_at(std::size_t count) {
    for (std::size_t done = 0; done < count; done += kBlock) block();
    return count;
  }
  const Tallies& tallies() const { return tallies_; }
  std::size_t touching() const { return touching_; }
  /// Number of poses that the detector refused.
  std::size_t refused() const { return refused_; }
  /// Error of the detector for the first of them.
  const std::string& refusal() const { return refusal_; }

 private:
  static constexpr std::size_t kBlock = 16;
  using Asked = Encounter::Asked;

  void block();
  std::vector<PairPose> draw_block();

  void say(const std::string& what, double error, double bound, std::size_t pair);
  void hold(const std::string& what, bool good, std::size_t pair) { say(what, good ? 0 : 1, 0, pair); }

  void well_formed(const Touch& t, std::size_t pair);
  void distinct(const Touches& touches, std::size_t pair);
  void same_bits(const std::string& what, const Touches& x, const Touches& y, std::size_t pair);
  void alike(const std::string& what, const Touches& x, const Touches& y, double tolerance, std::size_t pair);
  void energy(const PairPose& pose, const Touches& touches, std::size_t pair);
  double energy_at(const PairPose& pose) const;
  void geometry(const PairPose& pose, const Touches& touches, std::size_t pair);
  void margin(const Touches& touches, const Touches& of_wider, std::size_t pair);
  void gap(const PairPose& pose, const Touches& touches, std::size_t pair);
  void stable(const Touches& old, const Touches& now, std::size_t pair);

  const Encounter& m_;
  Draws draws_;
  bool sees_a_first_;
  std::vector<PairPose> poses_;
  Tallies tallies_;
  std::size_t touching_ = 0, refused_ = 0;
  std::string refusal_;
};

}  // namespace scree::conformance
