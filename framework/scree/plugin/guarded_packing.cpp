#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/plugin/detail/guarded_factory.hpp"

namespace scree {

namespace {

std::string text(const Vec3& v) { return fmt::format("({}, {}, {})", v[0], v[1], v[2]); }

/// Returns the fault of a place, or nothing. Its scale is checked with the body's.
std::string fault(const Placement& place, std::size_t shapes) {
  if (place.shape && shapes > 0 && *place.shape >= shapes)
    return fmt::format("has shape {} of its entry, which has {}, counted from 0.", *place.shape, shapes);
  if (!place.position.allFinite()) return "is at " + text(place.position) + " m; a position must be finite.";
  if (place.orientation && (!place.orientation->coeffs().allFinite() || !(place.orientation->norm() > 0)))
    return "has an orientation that is no quaternion of finite numbers with a length above 0.";
  if (place.velocity && !place.velocity->allFinite())
    return "has the velocity " + text(*place.velocity) + " m/s; it must be finite.";
  if (place.angular_velocity && !place.angular_velocity->allFinite())
    return "has the angular velocity " + text(*place.angular_velocity) + " rad/s; it must be finite.";
  return "";
}

std::string fault(const SharedFace& face, std::size_t places) {
  if (face.a >= places || face.b >= places || face.a == face.b)
    return fmt::format("joins the places {} and {}; there are {}.", face.a, face.b, places);
  if (!(face.area > 0) || !std::isfinite(face.area))
    return fmt::format("has an area of {} m^2; it must be finite and above 0.", face.area);
  return "";
}

std::string fault(const Strand& strand, std::size_t places) {
  if (strand.count >= 1 && strand.first < places && strand.count <= places - strand.first) return "";
  return fmt::format("has {} places from {} on; there are {}.", strand.count, strand.first, places);
}

std::string fault(const PlacedColumn& column, std::size_t places) {
  const auto components = static_cast<std::size_t>(std::max(column.components, 0));
  if (components > 0 && column.values.size() == places * components) return "";
  return fmt::format("has {} values of {} components; there are {} places.", column.values.size(), column.components,
                     places);
}

}  // namespace

Packed guarded(const Method& method, Packed packed, std::size_t shapes) {
  const std::size_t places = packed.places.size();
  const auto check = [&](const char* what, const auto& name, const std::string& text_of_fault) {
    if (!text_of_fault.empty()) fail_contract(method, "factory", fmt::format("{} {} {}", what, name, text_of_fault));
  };
  for (std::size_t k = 0; k < places; ++k) check("place", k, fault(packed.places[k], shapes));
  for (std::size_t k = 0; k < packed.shared_faces.size(); ++k)
    check("shared face", k, fault(packed.shared_faces[k], places));
  for (std::size_t k = 0; k < packed.strands.size(); ++k) check("strand", k, fault(packed.strands[k], places));
  for (const PlacedColumn& column : packed.columns) check("column", "\"" + column.name + "\"", fault(column, places));
  if (places == 0) packed.notes.push_back("packing \"" + method.name + "\" places no bodies.");
  return packed;
}

}  // namespace scree
