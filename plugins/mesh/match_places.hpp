#pragma once
/// \file History of contacts with a mesh, which continue by their place on it, across triangles.

#include <cstdint>

#include "scree/base/types.hpp"
#include "scree/detect/contact_match.hpp"

namespace scree::mesh {

/// Features of contacts are the part of the body that touches, times 256, and a number of the contact.
inline constexpr std::uint32_t kContactBits = 8;

/// Kind of a contact, kept with its place in its payload.
enum class Contact : std::uint64_t {
  alone = 0,
  of_a_patch = 1,  ///< it shares its force with another one of its part
  taken_back = 2,  ///< it has a negative weight: elastic force alone, no spring
};

/// Returns the payload of a contact. \param place  in the mesh's frame [m]  \param radius  of the body there [m]
std::uint64_t payload_at(const Vec3& place, double radius, Contact contact);

/// ContactDetector::match(): a contact continues the nearest one of its part, within a third of the radius.
/// A contact that begins within a patch takes a copy of the spring of the nearest one there.
void match_places(const ContactMatch& contacts);

/// Does the same; a contact that begins elsewhere takes a copy of the nearest spring within a third of the radius,
/// whatever part of the body it was on: a corner goes over an edge of the mesh, and the body's own edge takes over.
void match_places_of_parts(const ContactMatch& contacts);

}  // namespace scree::mesh
