#pragma once
/// \file What must hold of contacts in random poses, whatever the method: they are well formed, the same when the
/// bodies change places, move and turn together, grow together, come with others or alone, with a margin or without,
/// with lists that are old; where the detector says that there is an energy, forces and torques are its gradient;
/// contacts keep their names while bodies hardly move; and what touches is what looking at every part of both bodies
/// finds.

#include <map>
#include <string>
#include <vector>

#include "conformance/encounter.hpp"

namespace scree::conformance {

/// How often something was looked at, how often it was not so, how far off at worst, and where first.
struct Tally {
  std::size_t looked = 0, wrong = 0;
  double worst = 0;
  std::string first;
};
using Tallies = std::map<std::string, Tally>;

class ContactJudge {
 public:
  /// \param sees_a_first  contacts are others when the two bodies change places, and that is meant
  ContactJudge(const Encounter& meeting, std::uint64_t seed, bool sees_a_first = false)
      : m_(meeting), draws_(seed), sees_a_first_(sees_a_first) {}

  /// \return those drawn
  std::size_t look_at(std::size_t count) {
    for (std::size_t done = 0; done < count; done += kBlock) block();
    return count;
  }
  const Tallies& tallies() const { return tallies_; }
  std::size_t touching() const { return touching_; }
  /// Poses that the detector refused, and what it said of the first.
  std::size_t refused() const { return refused_; }
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
