#pragma once
/// \file The features of vertex-edge contacts, as the 64 bits stored with their history, and which contact continues
/// which.

#include <cstdint>

#include "scree/detect/contact_detector.hpp"

namespace scree::spheropolygon {

/// Vertices of a shape that a feature has room for.
inline constexpr std::uint32_t kMostVertices = 1u << 20;

/// The two features that touch.
struct Features {
  enum Kind : std::uint32_t {
    kVertexOfA = 0,  ///< vertex of a, edge of b
    kVertexOfB = 1,  ///< vertex of b, edge of a
    kVertices = 2,   ///< a vertex of either
    kTakenBack = 3,  ///< the same with negative weight: elastic force alone, no spring
  };
  Kind kind;
  std::uint32_t vertex;  ///< of a if there is one of a, else of b
  std::uint32_t other;   ///< the vertex of b, or the vertex the edge begins with
  std::uint32_t end;     ///< the vertex the edge ends with

  std::uint64_t packed() const {
    return std::uint64_t{kind} | std::uint64_t{1} << 2 | std::uint64_t{vertex} << 3 | std::uint64_t{other} << 23 |
           std::uint64_t{end} << 43;
  }
  static Features unpacked(std::uint64_t payload) {
    const auto field = [&](int shift) { return static_cast<std::uint32_t>(payload >> shift) & (kMostVertices - 1); };
    return {static_cast<Kind>(payload & 3), field(3), field(23), field(43)};
  }
  bool operator==(const Features&) const = default;
};

/// ContactDetector::match(): equal features continue. A new contact of positive weight takes over a copy of the spring
/// of the one whose foot has moved between the inside and the end of an edge, which shares a vertex with it and has
/// its other features next to its own: weights change from one to the other, and with equal springs the friction force
/// does not jump. Springs of contacts that go on are copied too, for a foot that leaves a corner may leave part of the
/// weight there. Where two vertices slide past each other along two faces, the contact of the one with the other's edge
/// goes on as that of the other with the one's. What a contact carried that is no more goes to one such relative.
/// \source specification, sec. 3, last paragraph
void match_features(const ContactMatch& contacts);

}  // namespace scree::spheropolygon
