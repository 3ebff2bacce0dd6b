#pragma once
/// \file The scene as validated plain data: what the JSON file says, nothing made yet.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/gravity_variation.hpp"
#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree {

/// A plugin's object in the scene: {"type": ..., options}.
struct ObjectDef {
  std::string type;
  Options options;  ///< with defaults filled in; pointer() tells where it stands
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
    double time;  ///< [s], from the start of the motion
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

/// Sizes of the bodies of one entry relative to their shape [-]. As many fractions as sizes: these sizes and no others;
/// one fraction fewer: each is spread evenly over what lies between a size and the next.
struct ScaleDef {
  struct Lognormal {
    double median, sigma;  ///< of the size; of its logarithm
    double cutoff;         ///< no size beyond median exp(+- cutoff sigma)
  };
  std::vector<double> sizes{1}, fractions{1};
  std::optional<Lognormal> lognormal;  ///< in place of sizes and fractions
  bool by_mass = false;                ///< what is given is shares of mass, not of the number of bodies
  bool spread() const { return fractions.size() < sizes.size(); }
};

/// One entry of `bodies`: a single body, a list, or a packing of bodies that share shape and material.
struct BodiesDef {
  std::string name;                 ///< default: "bodies<index>"
  std::string pointer;              ///< "/bodies/3"
  std::vector<std::string> shapes;  ///< one, or several that alternate in turn over the places of a packing
  std::string material;
  bool fixed = false;
  std::vector<MotionDef> motions;    ///< in order; none: fixed or free
  std::optional<ObjectDef> packing;  ///< or, without:
  Vec3 position = Vec3::Zero();
  bool random_orientation = false;  ///< uniform, from `seed`
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  double random_speed = 0;  ///< on top of the velocity, in a random direction [m/s]
  Vec3 surface_velocity = Vec3::Zero();
  std::optional<double> remove_at;  ///< [s]
  bool removed = false;             ///< the bodies have ids, and are not there
  std::vector<HeldDef> held;
  std::uint64_t seed = 1;
  ScaleDef scale;
};

/// One entry of `bonds`: which bodies are joined, and by what.
struct BondsDef {
  std::string a, b;  ///< names of entries of `bodies`
  /// faces: that their packing says they share; touching: bounding spheres that do; roots, tips: the first, or the
  /// last, body of each strand of one entry with the one body of the other
  enum class Pairs { faces, touching, roots, tips } pairs = Pairs::faces;
  double gap = 0;                ///< touching: up to this far apart [m]
  std::optional<double> radius;  ///< but for faces: of the cross-section [m]; unset: the smaller body's
  bool self_contact = false;     ///< of bodies that hang together
  ObjectDef law;
  std::string pointer;
};

struct InteractionDef {
  std::string a, b;    ///< materials; "*" = any
  ObjectDef detector;  ///< type "auto": chosen per pair of shapes
  ObjectDef law;       ///< type "none": the two never touch
  std::string pointer;
};

/// A hook or writer with its schedule.
struct HookDef {
  ObjectDef object;
  double start = 0, interval = 0, stop = 1e300;  ///< [s]
  bool writer = false;                           ///< from `output.writers`
};

/// A file whose contents are part of the scene.
struct NamedFile {
  std::string pointer;  ///< of the value that names it
  std::string path;     ///< absolute
};

struct Scene;

/// What ends a stage.
struct StageEndDef {
  enum class AtLimit { fail, go_on };
  std::optional<double> time;          ///< of the run [s]; one of these four
  std::optional<double> duration;      ///< of the stage [s]
  std::optional<std::uint64_t> steps;  ///< of the stage
  std::string figure;                  ///< a column of metrics.csv that comes to be
  std::optional<double> below, above;  ///< one of these two, in the figure's unit
  double hold = 0;                     ///< for so long [s]
  double limit = 0;                    ///< the stage lasts no longer than this [s]
  std::optional<double> interval;      ///< between looks at the figure [s]
  AtLimit at_limit = AtLimit::fail;
};

/// A part of a run: the scene that holds while it lasts, and what ends it.
struct StageDef {
  std::string name, pointer;
  StageEndDef until;
  std::shared_ptr<const Scene> scene;  ///< that of the previous stage with this one's changes; has no stages itself
};

struct SCREE_API Scene {
  std::string file;               ///< as given
  std::string name;               ///< of the scene, default: its folder's or file's name
  std::string folder;             ///< of the file
  std::string resolved;           ///< JSON text with all defaults: re-runnable
  std::uint64_t fingerprint = 0;  ///< of all that decides the course of a run: not its name, duration or output
  std::string decisive;           ///< that, as JSON text, without the stages

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
  double output_interval = 0;         ///< [s] frames of the writers; 0 = the first and the last only
  double metrics_interval = 0;        ///< [s]
  double checkpoint_interval = 0;     ///< [s]; 0 = only on interruption and failure
  bool energy_ledger = false;         ///< the work of all forces is among the figures
  double duration = 0;                ///< [s]; of a scene without stages
  bool accept_long_dt = false;        ///< runs although dt is too long for the stiffness
  std::vector<StageDef> stages;       ///< none: the whole run is of one piece
  std::optional<double> skin;         ///< [m]; default: a fraction of the smallest body's radius
  double max_initial_overlap = 0.05;  ///< of the smaller body's bounding radius
  Vec3 periodic_lower = Vec3::Zero();
  Vec3 periodic_length = Vec3::Zero();             ///< [m]; 0 = not periodic in this direction
  std::optional<Vec3> domain_lower, domain_upper;  ///< bodies outside end the run

  /// "file:line:column /pointer" of any value, or "--set /pointer", for messages found later than validation.
  std::string where(const std::string& pointer) const;
  struct Positions;
  std::shared_ptr<const Positions> positions;
  std::vector<NamedFile> files;  ///< that decide the run too; their paths are not in the fingerprint
};

/// A method that a scene names.
struct NamedMethod {
  std::string kind;         ///< "shape"
  const ObjectDef* object;  ///< in the scene
};

/// All of them, in the order of the data flow, but the engine, which the command line names.
SCREE_API std::vector<NamedMethod> named_methods(const Scene& scene);

}  // namespace scree
