// The mix matrix: everything that is loaded, in every combination. Shapes, detectors, laws and integrators come from
// the registry and their options from the "examples" of their schemas, so a plugin that somebody adds is in it
// unedited.
//
// Two bodies approach, touch and part. Legal combinations must conserve momentum, not gain energy, not sink in, and not
// give other bits when run again; illegal ones must say in one sentence who lacks what. Where bodies of their shape's
// own size meet, bodies of other sizes ("scale") must do so too, or be refused by the detector's name.

#include <fmt/format.h>

#include <set>

#include "mix/collision.hpp"
#include "mix/drives.hpp"
#include "mix/meetings.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::matrix;
using Catch::Matchers::ContainsSubstring;

namespace {

void check_refusal(const std::string& text, const std::string& detector) {
  CHECK_THAT(text, ContainsSubstring("/interactions/0") && ContainsSubstring("\"" + detector + "\""));
  CHECK_THAT(text, ContainsSubstring("lacks") || ContainsSubstring("it works in"));
  CHECK_THAT(text, ContainsSubstring("Detectors that fit"));
}

/// The refusal of shapes or a detector by an integrator.
void check_picky(const std::string& text, const Json& integrator) {
  CHECK_THAT(text, ContainsSubstring(integrator["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("overlap is the argument of a potential") ||
                       ContainsSubstring("three equal moments of inertia"));
  CHECK_THAT(text, ContainsSubstring("Choose another"));
}

/// A capsule that lies flat over the edges of a hole is held at places that jump when it tilts: its energy has a kink
/// there (plugins/rods/README.md, Limits), which explicit steps cross with an error, and at which no minimum is found.
bool lies_over_a_hole(const Mix& mix) {
  const auto holed = [](const Json& shape) { return shape["type"] == "plate" || shape["type"] == "tube"; };
  return mix.detector["type"] == "segment-faces" && (holed(mix.a) || holed(mix.b));
}

/// Facets of two mesh grains have several places of nearly the same gap. Which of them are found depends on how far
/// attraction reaches, so that some of its energy comes or goes by leaps (plugins/mesh/README.md, mesh-grain).
bool attracts_facets(const Mix& mix, const Outcome& c) {
  return c.attracts && mix.a["type"] == "mesh-grain" && mix.b["type"] == "mesh-grain";
}

/// \param again  whether the same bits come when it is run again
void check_collision(const Mix& mix, bool again) {
  const bool kinked = lies_over_a_hole(mix);
  if (kinked && mix.integrator["type"] == "variational") return;
  const Outcome c = collide(mix);
  CHECK(c.touched);
  CHECK(c.parted);
  CHECK(c.momentum_error < 1e-11);
  // Without a potential a bond across a gap may be counted once on the way in and twice on the way out.
  CHECK(c.energy_ratio < (c.has_potential && !kinked && !attracts_facets(mix, c) ? 1.01 : c.attracts ? 1.2 : 1.05));
  CHECK(c.speed_change > 0.1);
  CHECK(c.overlap_ratio < 0.2);
  if (again) CHECK(collide(mix).hash == c.hash);
}

/// The same meeting of bodies larger and smaller than their shapes. \return number of collisions; 0: refused
std::size_t check_scaled(Mix mix, const std::vector<Drive>& drives, bool whole) {
  mix.scale_a = 1.5;
  if (!mix.b_fixed) mix.scale_b = 0.75;
  INFO("scaled by " << mix.scale_a << " and " << mix.scale_b);
  if (const std::string refused = refusal(mix); !refused.empty()) {
    CHECK_THAT(refused, ContainsSubstring("/interactions/0") && ContainsSubstring(mix.detector["type"].dump()) &&
                            ContainsSubstring("it takes bodies of their shape's own size only") &&
                            ContainsSubstring("make a shape of each size instead"));
    return 0;
  }
  if (!mix.b_fixed &&
      whole) {  // similar bodies touch at similar distances, to a step's way, 2e-4 of the smaller radius
    Mix plain = mix, similar = mix;
    plain.scale_a = plain.scale_b = 1;
    similar.scale_b = similar.scale_a;
    CHECK(collide(similar).touch == Approx(mix.scale_a * collide(plain).touch).epsilon(1e-3));
  }
  for (const auto& [law, integrator, picky] : drives) {
    mix.law = law;
    mix.integrator = integrator;
    INFO(law << ", " << integrator);
    check_collision(mix, whole);
  }
  return drives.size();
}

/// \param whole  every law with every integrator in every meeting. Else every law in the first meeting of a detector
///               and a third of them in later ones, with integrators as some_of()
void check_matrix(int dimension, bool whole) {
  std::size_t legal = 0, illegal = 0, scaled = 0, turn = 0;
  std::set<std::string> known;
  const std::vector<Drive> all_drives = drives(), law_drives = one_per_law(all_drives);
  for_all_mixes(dimension, [&](Mix mix) {
    const std::string refused = refusal(mix), type = mix.detector["type"];
    INFO(fmt::format("{}D: {} against {}{}, {}", dimension, mix.a.dump(), mix.b_fixed ? "fixed " : "", mix.b.dump(),
                     mix.detector.dump()));
    if (refused.find("not seen from everywhere") != std::string::npos) {  // a capsule and a screw
      ++illegal;
      return;
    }
    if (!refused.empty()) {
      ++illegal;
      check_refusal(refused, type);
      return;
    }
    scaled += check_scaled(mix, whole ? law_drives : std::vector{law_drives[turn % law_drives.size()]}, whole);
    std::vector<Drive> met = all_drives;
    if (!whole) {
      met = some_of(all_drives, turn);
      if (!known.insert(type).second) met = third_of(met, turn);
      ++turn;
    }
    for (const auto& [law, integrator, picky] : met) {
      mix.law = law;
      mix.integrator = integrator;
      INFO(law << ", " << integrator);
      if (const std::string also = picky ? refusal(mix) : ""; !also.empty()) {
        ++illegal;
        check_picky(also, integrator);
        continue;
      }
      check_collision(mix, whole || legal % 8 == 0);
      ++legal;
    }
  });
  fmt::print("mix matrix in {}D: {} legal combinations, {} refused, {} with bodies of other sizes than their shapes\n",
             dimension, legal, illegal, scaled);
  CHECK(scaled > 0);
}

}  // namespace

#ifdef SCREE_WHOLE_MATRIX
TEST_CASE("the whole mix matrix: every legal combination collides soundly, every illegal one says who lacks what") {
  check_matrix(2, true);
  check_matrix(3, true);
}
#else
// Two cases, for two cores.
TEST_CASE("the mix matrix in 2D: shapes with detectors and laws collide soundly, what does not fit says why") {
  check_matrix(2, false);
}

TEST_CASE("the mix matrix in 3D: shapes with detectors and laws collide soundly, what does not fit says why") {
  check_matrix(3, false);
}
#endif
