#include "cull/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scree/base/error.hpp"

namespace scree::culling {

namespace {

WallsAsSolid read_walls(const std::string& which) {
  return which == "none" ? WallsAsSolid::none : which == "all" ? WallsAsSolid::all : WallsAsSolid::fixed;
}

FieldKind read_field(const std::string& which) {
  if (which == "openvdb" && !has_openvdb())
    throw OptionError("/field",
                      "is \"openvdb\", but scree was built without OpenVDB. Install libopenvdb-dev and build with "
                      "SCREE_OPENVDB=ON, or take \"dense\" or \"auto\", which give the same results.");
  return which == "openvdb" ? FieldKind::openvdb : which == "dense" ? FieldKind::dense : FieldKind::automatic;
}

/// Depths beyond the band are not told apart: one too thin would take no granule for deep, without a word.
void check_band(const Settings& s) {
  const double needed = deepest_compared(s);
  if (s.band >= needed) return;
  throw OptionError("/band",
                    fmt::format("is {:.4g} d, but depths are compared at up to {:.4g} d: nothing would ever be "
                                "stored. Give at least that, or leave it out.",
                                s.band, needed));
}

/// A granule near a stored one is less deep by a diameter and the gap; half a voxel is what the field may err.
/// It must not count as exposed, or what was just culled would be restored at once.
void check_depths(const Settings& s) {
  const double shallowest = s.depth_in + 0.5 - (1 + s.cage_gap) - s.voxel / 2;
  if (s.depth_out < shallowest) return;
  throw OptionError("/depth_out",
                    fmt::format("is {:.4g} d, but granules are locked down to depths of {:.4g} d: they would be "
                                "restored as soon as they are culled. Give less than {:.4g}, or a larger depth_in.",
                                s.depth_out, shallowest, shallowest));
}

void check_voxel(const Settings& s) {
  if (s.voxel <= 1.0 / 3 + 1e-12) return;
  throw OptionError("/voxel", fmt::format("is {:.4g} d, too coarse for the granules: depths would err "
                                          "by more than the layer between them. Give at most 0.3333 d.",
                                          s.voxel));
}

}  // namespace

/// The field's surface lies ball_radius - 1/2 + closing outside that of granules, of which depth_in is counted to the
/// outer side.
double deepest_compared(const Settings& s) { return s.depth_in + s.ball_radius + s.closing + s.voxel; }

Settings read_settings(const Options& o) {
  Settings s;
  if (o.has("bodies"))
    for (const Options& name : o.objects("bodies")) s.bodies.push_back(name.as_text());
  s.window = o.number("window");
  s.cull_every = static_cast<int>(o.integer("cull_every"));
  s.expose_every = static_cast<int>(o.integer("expose_every"));
  s.restore_every = static_cast<int>(o.integer("restore_every"));
  s.gravity = o.number("gravity");
  s.velocity_tolerance = o.number("velocity_tolerance");
  s.hold_time = o.number("hold_time");
  s.held_at_start = o.boolean("held_at_start");
  s.mean_motion = o.text("compare_with") == "mean-velocity";
  s.least_neighbours = static_cast<int>(o.integer("least_neighbours"));
  s.contact_gap = o.number("contact_gap");
  s.cage_gap = o.number("cage_gap");
  s.depth_in = o.number("depth_in");
  s.depth_out = o.number("depth_out");
  s.ball_radius = o.number("ball_radius");
  s.closing = o.number("closing");
  s.voxel = o.number("voxel");
  s.field = read_field(o.text("field"));
  s.band = o.has("band") ? o.number("band") : deepest_compared(s);
  s.walls = read_walls(o.text("walls_as_solid"));
  s.smallest_group = static_cast<std::size_t>(o.integer("smallest_group"));
  s.impact_height = o.number("impact_height");
  s.load_factor = o.number("load_factor");
  s.mean_windows = o.number("mean_windows");
  s.carve = {o.number("carve_coefficient"), o.number("carve_exponent"), o.number("carve_least"),
             o.number("carve_most")};
  check_voxel(s);
  check_depths(s);
  check_band(s);
  return s;
}

}  // namespace scree::culling
