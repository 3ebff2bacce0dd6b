#pragma once
/// \file The contacts that a step with implicit bonds solves, and what it hands over when it looks for them again.

#include <array>
#include <map>
#include <span>
#include <vector>

#include "contact_problem.hpp"

namespace scree::nonsmooth {

/// Contacts of a list that are in the problem.
struct StepContacts {
  std::vector<ConeContact> solved;
  std::vector<std::uint32_t> listed;  ///< the place of each in the list
  std::size_t list = 0;               ///< length of the list
};

/// Impulses on their way from one list of contacts to another. Contacts are told apart by bodies and place.
class Carried {
 public:
  template <int D>
  Carried(std::span<const ConeContact> contacts, const StepProblem<D>& step) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      found_[key_of(contacts[i])] =
          space(coulomb::Vec<D>(step.problem.contacts[i].frame.transpose() * step.impulses[i]));
  }
  template <int D>
  void hand_over(std::span<const ConeContact> contacts, StepProblem<D>& step) const {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (const auto known = found_.find(key_of(contacts[i])); known != found_.end())
        step.impulses[i] = step.problem.contacts[i].frame * plane<D>(known->second);
  }

 private:
  using Key = std::array<double, 5>;
  static Key key_of(const ConeContact& c) {
    return {static_cast<double>(c.a), static_cast<double>(c.b), c.arm_a[0], c.arm_a[1], c.arm_a[2]};
  }
  std::map<Key, Vec3> found_;
};

}  // namespace scree::nonsmooth
