#pragma once
/// \file Contacts at links. Where two bodies of a chain end at one point, what lies there touches both of them at one
/// place. One contact says all: the cones of two at one place add up to the same cone, and W is singular with both.

#include "implicit/fragments.hpp"
#include "implicit/step_contacts.hpp"

namespace scree::nonsmooth {

class SharedEnds {
 public:
  /// \param bodies  number of bodies of the World
  SharedEnds(std::size_t bodies, std::span<const Fragment> fragments);

  /// All contacts but those at a link that the body beyond it, further from the root of the tree, has at the same place
  /// too. That one gets the impulse to start from, and the smaller gap. Links that close a ring leave both.
  void thin(const World& world, std::span<const ConeContact> list, StepContacts& out);

 private:
  /// A link of a tree, as the body nearer to the root sees it.
  struct Link {
    std::uint32_t beyond;  ///< the other body
    Vec3 point;            ///< from the centre, in the body's axes [m]
  };
  struct Sorted {
    std::uint32_t low, high, place;  ///< bodies of a contact, its place in the list
    auto operator<=>(const Sorted&) const = default;
  };
  struct Twin {
    std::uint32_t place;  ///< in the list
    double sign;          ///< sign of its impulse
  };
  std::span<const Link> links(std::uint32_t body) const {
    return std::span(links_).subspan(first_[body], first_[body + 1] - first_[body]);
  }
  void sort_by_bodies(std::span<const ConeContact> list);
  std::span<const Sorted> of_pair(std::uint32_t body, std::uint32_t other) const;
  Twin twin_of(const World& world, std::span<const ConeContact> list, std::uint32_t contact) const;

  std::vector<Link> links_;
  std::vector<std::size_t> first_;  ///< by body: where its links begin in `links_`; and its size
  std::vector<Sorted> sorted_;
  std::vector<Twin> twin_;  ///< by place in the list
};

}  // namespace scree::nonsmooth
