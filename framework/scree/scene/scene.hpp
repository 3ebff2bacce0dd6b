#pragma once
/// \file Scene as validated plain data: the contents of the JSON file, nothing made yet.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/gravity_variation.hpp"
#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree {

/// Object of a plugin in the scene: {"type": ..., options}.
struct ObjectDef {
  std::string type;
  Options options;  ///< options with defaults filled in; pointer() is its place
};

struct MaterialDef {
  std::string name;
  double density = 0;         ///< [kg/m^3]
  double youngs_modulus = 0;  ///< [Pa]; 0 = not given, infinity = rigid
  double poisson_ratio = -1;  ///< [-]; -1 = not given
  std::string pointer;
};

struct ShapeDef {
  std::string name;
  ObjectDef object;
};

struct MotionDef {
  struct Row {
    double time;  ///< time from the start of the motion [s]
    Vec3 value;
  };
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  std::optional<Vec3> centre;  ///< unset: the body's position
  Vec3 amplitude = Vec3::Zero();
  double frequency = 0, start = 0, stop = 1e300;
  std::vector<Row> velocities, displacements;  ///< [m/s], [m]
};

/// Bodies of an entry that start within a box and do not move freely.
struct HeldDef {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< [m]
  std::vector<MotionDef> motions;                   ///< none: fixed
  std::string pointer;
};

/// Sizes of the bodies of one entry relative to their shape [-]. With as many fractions as sizes, only these sizes
/// occur. With one fraction fewer, each is spread evenly between a size and the next.
struct ScaleDef {
  struct Lognormal {
    double median, sigma;  ///< median of the size; standard deviation of its logarithm
    double cutoff;         ///< sizes lie between median exp(- cutoff sigma) and median exp(cutoff sigma)
  };
  std::vector<double> sizes{1}, fractions{1};
  std::optional<Lognormal> lognormal;  ///< replaces sizes and fractions
  bool by_mass = false;                ///< true if fractions are shares of mass, not of the number of bodies
  bool spread() const { return fractions.size() < sizes.size(); }
};

/// Entry of `bodies`: a single body, a list, or a packing of bodies that share shape and material.
struct BodiesDef {
  std::string name;                 ///< default: "bodies<index>"
  std::string pointer;              ///< "/bodies/3"
  std::vector<std::string> shapes;  ///< one, or several that alternate in turn over the places of a packing
  std::string material;
  bool fixed = false;
  std::vector<MotionDef> motions;    ///< in order; none: fixed or free
  std::optional<ObjectDef> packing;  ///< if unset, `position` is used
  Vec3 position = Vec3::Zero();
  bool random_orientation = false;  ///< uniform, from `seed`
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  double random_speed = 0;  ///< added to the velocity, in a random direction [m/s]
  Vec3 surface_velocity = Vec3::Zero();
  std::optional<double> remove_at;  ///< [s]
  bool removed = false;             ///< true for bodies that have ids, but are not in the World
  std::vector<HeldDef> held;
  std::uint64_t seed = 1;
  ScaleDef scale;
  /// Start values of bodies' columns, by name: one number, or three of a vector.
  std::map<std::string, std::vector<double>> columns;
};

/// Entry of `bonds`: the bodies joined, and their law.
struct BondsDef {
  std::string a, b;  ///< names of entries of `bodies`
  /// Pairs of bodies that are joined.
  /// - faces: pairs that share a face by their packing.
  /// - touching: pairs of bounding spheres that touch.
  /// - roots, tips: the first, or the last, body of each strand of one entry with the one body of the other.
  /// - by_hook: none at the start; hooks make the bonds.
  enum class Pairs { faces, touching, roots, tips, by_hook } pairs = Pairs::faces;
  double gap = 0;                ///< touching, by_hook: largest gap [m]
  std::optional<double> radius;  ///< radius of the cross-section, except for faces [m]; unset: that of the smaller body
  double radius_multiplier = 1;  ///< factor of the smaller body's radius, where `radius` is unset [-]
  bool self_contact = false;     ///< true if bodies of one fragment may touch
  bool beside_contact = false;   ///< true if the two bodies of a bond touch each other too
  std::string name;              ///< "grains-grains" unless given
  ObjectDef law;
  std::string pointer;
};

struct InteractionDef {
  std::string a, b;    ///< materials; "*" = any
  ObjectDef detector;  ///< type "auto": chosen per pair of shapes
  ObjectDef law;       ///< type "none": the two never touch
  std::string pointer;
};

/// Hook or writer with its schedule.
struct HookDef {
  ObjectDef object;
  double start = 0, interval = 0, stop = 1e300;  ///< [s]
  bool writer = false;                           ///< true if from `output.writers`
};

/// File whose contents are part of the scene.
struct NamedFile {
  std::string pointer;  ///< pointer to the value that names it
  std::string path;     ///< absolute
};

struct Scene;

/// End of a stage.
struct StageEndDef {
  enum class AtLimit { fail, go_on };
  std::optional<double> time;          ///< time of the run [s]; one of these four
  std::optional<double> duration;      ///< duration of the stage [s]
  std::optional<std::uint64_t> steps;  ///< number of steps of the stage
  std::string figure;                  ///< column of metrics.csv that must pass a limit
  std::optional<double> below, above;  ///< one of these two, in the unit of `figure`
  double hold = 0;                     ///< duration for which it must stay there [s]
  double limit = 0;                    ///< longest duration of the stage [s]
  std::optional<double> interval;      ///< time between checks of `figure` [s]
  AtLimit at_limit = AtLimit::fail;
};

/// Part of a run: the scene of this part, and its end.
struct StageDef {
  std::string name, pointer;
  StageEndDef until;
  std::shared_ptr<const Scene> scene;  ///< scene of the previous stage with this one's changes; has no stages itself
};

struct SCREE_API Scene {
  std::string file;      ///< path as passed by the caller
  std::string name;      ///< name of the scene; default: its folder's or file's name
  std::string folder;    ///< folder of the file
  std::string resolved;  ///< JSON text with all defaults: re-runnable
  std::uint64_t fingerprint =
      0;  ///< fingerprint of everything that decides the course of a run: not its name, duration or output
  std::string decisive;  ///< JSON text of everything in the fingerprint, without the stages

  int dimension = 2;
  Vec3 gravity = Vec3::Zero();  ///< constant part [m/s^2]
  GravityVariation gravity_variation;
  double linear_damping = 0;           ///< force -c (v - fluid_velocity) on every body [N s/m]
  double angular_damping = 0;          ///< torque -c omega on every body [N m s]
  Vec3 fluid_velocity = Vec3::Zero();  ///< [m/s]
  double mass_damping = 0;             ///< force -alpha m v, torque -alpha L on every body [1/s]
  double local_damping = 0;            ///< Cundall's fraction of every force and torque [-]
  std::vector<MaterialDef> materials;
  std::vector<ShapeDef> shapes;
  std::vector<BodiesDef> bodies;
  std::vector<InteractionDef> interactions;
  std::vector<BondsDef> bonds;
  ObjectDef integrator;
  double dt = 0;                      ///< [s]; 0: chosen at set-up
  std::vector<HookDef> modifiers;     ///< from `hooks`
  std::vector<HookDef> observers;     ///< from `hooks` and `output.writers`
  double output_interval = 0;         ///< time between frames of the writers [s]; 0 = only the first and the last
  double metrics_interval = 0;        ///< [s]
  double checkpoint_interval = 0;     ///< [s]; 0 = only on interruption and failure
  bool energy_ledger = false;         ///< true if the work of all forces is among the metrics
  double duration = 0;                ///< duration of a scene without stages [s]
  bool accept_long_dt = false;        ///< true to run although dt is too long for the stiffness
  std::vector<StageDef> stages;       ///< none: the whole run is one part
  std::optional<double> skin;         ///< [m]; default: a fraction of the smallest body's radius
  double max_initial_overlap = 0.05;  ///< over the smaller body's bounding radius
  Vec3 periodic_lower = Vec3::Zero();
  Vec3 periodic_length = Vec3::Zero();             ///< [m]; 0 = not periodic in this direction
  std::optional<Vec3> domain_lower, domain_upper;  ///< bodies outside end the run

  /// Returns "file:line:column /pointer" of any value, or "--set /pointer", for messages found later than validation.
  std::string where(const std::string& pointer) const;
  struct Positions;
  std::shared_ptr<const Positions> positions;
  std::vector<NamedFile> files;  ///< files that decide the run too; their paths are not in the fingerprint
};

/// Method that a scene names.
struct NamedMethod {
  std::string kind;         ///< "shape"
  const ObjectDef* object;  ///< its object in the scene
};

/// Returns all methods that a scene names, in the order of the data flow. The engine is named on the command line
/// instead.
SCREE_API std::vector<NamedMethod> named_methods(const Scene& scene);

}  // namespace scree
