#pragma once
/// \file State of a run: bodies as columns, the shapes and materials they refer to, and the log of edits.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/bonds.hpp"
#include "scree/world/motion.hpp"
#include "scree/world/periodic_cell.hpp"
#include "scree/world/table.hpp"

namespace scree {

enum class BodyKind : std::uint32_t { dynamic = 0, fixed = 1, prescribed = 2 };

/// Properties of a body to be added.
struct BodySpec {
  Id id = kNewId;  ///< kNewId: the next free one
  std::uint32_t shape = 0, material = 0;
  std::uint32_t group = 0;  ///< index into the scene's `bodies`: the entry it came from
  BodyKind kind = BodyKind::dynamic;
  Vec3 position = Vec3::Zero();          ///< position of the shape's reference point, world [m]
  Quat orientation = Quat::Identity();   ///< rotation from the shape's reference axes to world
  Vec3 velocity = Vec3::Zero();          ///< velocity of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< angular velocity, world axes [rad/s]
  std::vector<Motion>
      motions;  ///< for BodyKind::prescribed, see pose_at(); begin when the body is added, at the earliest
  Vec3 surface_velocity = Vec3::Zero();  ///< velocity of a conveyor's surface: its tangential part is added to the
                                         ///< contact point's velocity [m/s]
  Id owner = kNewId;                     ///< body that this one is a member of, in its present pose; kNewId: none
  double scale = 1;  ///< size relative to the shape, > 0; 1 for shapes without bound, members and their owners
};

struct ShapeEntry {
  std::string name;
  std::shared_ptr<const Shape> shape;
};

/// Properties of one material. Properties of a pair of materials are in the scene's interactions.
struct MaterialEntry {
  std::string name;
  double density = 0;         ///< [kg/m^3]
  double youngs_modulus = 0;  ///< [Pa]; 0 = not given, infinity = rigid
  double poisson_ratio = -1;  ///< [-]; -1 = not given
};

/// A body as one rigid whole: the data that World::attach() needs of an owner.
struct RigidBody {
  double mass = 0;              ///< [kg], > 0
  Vec3 inertia = Vec3::Zero();  ///< principal moments [kg m^2], > 0; in 2D inertia.z alone counts
  Pose frame;                   ///< centre of mass, and rotation from principal axes to world
  Twist twist;                  ///< twist of the centre of mass
};

/// Log of edits of bodies since it was last taken: rows added, removed or moved. In addition, bodies of `attached` are
/// members now; bodies of `released` were members before and are free now.
struct EditLog : TableEdits {
  std::vector<Id> attached, released;
  bool empty() const { return TableEdits::empty() && attached.empty() && released.empty(); }
};

/// Structure-of-arrays state: the table of bodies, the table of bonds, and further tables that methods add. Rows of
/// bodies change order between steps (space-filling curve); ids never do.
class SCREE_API World {
 public:
  explicit World(int dimension);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int dimension() const { return dimension_; }
  /// Periodic cell. It is made periodic or not before bodies are added. Modifiers may deform it: it is state, as
  /// columns are.
  PeriodicCell cell;
  PeriodicCell reference_cell;  ///< the cell at the reference positions, for which pairs were listed
  double time = 0;              ///< time of the last finished step [s]
  std::uint64_t step = 0;       ///< number of steps done
  double dt = 0;                ///< time step of the current stage [s]; 0 until it is chosen, after Modifier::begin()
  std::string stage;            ///< name of the current stage for modifiers; "" for a scene without stages
  /// Time of the state in the columns [s]. Within a step this may be a trial's time: see move_prescribed().
  double trial_time() const { return trial_time_; }

  /// Adds a shape, also during a run: detectors for it are then found when the next step begins.
  /// \throws Error for a shape of another dimension than the World
  std::uint32_t add_shape(std::string name, std::shared_ptr<const Shape> shape);
  std::uint32_t add_material(MaterialEntry material);
  std::span<const ShapeEntry> shapes() const { return shapes_; }
  std::span<const MaterialEntry> materials() const { return materials_; }
  /// Names of the entries of the scene's `bodies`; the index is column "group".
  std::vector<std::string> group_names;

  std::size_t size() const { return bodies_.size(); }
  /// Number of owned rows of bodies, which come first: Table::owned().
  std::size_t owned() const { return bodies_.owned(); }
  /// Reserves memory for this many bodies; without it, columns grow to twice the size needed.
  void reserve(std::size_t bodies) { bodies_.reserve(bodies); }
  /// Adds bodies.
  /// \return the ids, in the order of \p bodies
  /// \throws Error for an id that exists, for a shape, material, group or owner that does not, and for a scale that the
  /// body cannot have; the World is then unchanged
  std::vector<Id> add(std::span<const BodySpec> bodies);
  /// Removes bodies. Ids that do not exist are ignored; members of a removed owner are removed with it.
  void remove(std::span<const Id> ids);
  /// Returns the row of a body. May be called from several threads at once, while no rows are added, removed or
  /// reordered.
  std::optional<std::size_t> row(Id body) const { return bodies_.row(body); }
  /// Records that the state of these bodies was set from outside the integrator.
  void mark_moved(std::span<const Id> ids) { bodies_.mark_moved(ids); }
  /// Reorders bodies: row i becomes old row order[i]; order is a permutation.
  void reorder(std::span<const std::uint32_t> order);
  /// Version of the layout: counts every change of the set or order of rows and of membership, so that holders of rows
  /// notice.
  std::uint64_t layout_version() const { return bodies_.version() + member_changes_; }
  /// Returns the log of bodies and empties it. Other tables have logs of their own: Table::edits().
  EditLog take_edits();
  /// Returns the log of bodies without emptying it.
  EditLog edits() const { return {bodies_.edits(), attached_, released_}; }
  /// Replaces the log of bodies by the log of a copied state: see Table::set_edits().
  void set_edits(EditLog edits);
  /// Empties the logs of all tables except bodies, after all hooks were notified.
  void drop_table_edits();
  /// Checks whether bodies, or rows of other tables, were added, removed or changed.
  bool edited() const;

  /// Returns the column of this name; makes it (zero) if it does not exist. Registered columns are written to
  /// checkpoints, reordered, and follow added or removed bodies. They appear in VTK files if \p show is set.
  template <class T>
  Column<T> column(const std::string& name, const std::string& unit = "", bool show = true) {
    return bodies_.column<T>(name, unit, show);
  }
  ColumnStorage& storage(const std::string& name, ColumnType type, int components, const std::string& unit, bool show) {
    return bodies_.storage(name, type, components, unit, show);
  }
  ColumnStorage* find_column(const std::string& name) { return bodies_.find_column(name); }
  const ColumnStorage* find_column(const std::string& name) const { return bodies_.find_column(name); }
  /// Returns all columns in order of registration.
  std::span<const std::unique_ptr<ColumnStorage>> columns() const { return bodies_.columns(); }

  /// Returns the table of this name; makes it without rows if it does not exist. It holds data of a method that are no
  /// bodies, such as the nodes of a rod. Its rows are saved, resumed and hashed like bodies. With a column "position"
  /// [m] of Vec3 they are points in VTK files, named after the table.
  /// \throws Error for "bodies" and "bonds", which belong to the World, and for a name that is no plain file name
  Table& table(const std::string& name);
  std::span<const std::unique_ptr<Table>> further_tables() const { return further_tables_; }
  /// Returns all tables: bodies, bonds, then the others by registration.
  std::vector<Table*> tables();
  std::vector<const Table*> tables() const;

  // Columns that every body has.
  Column<Vec3> position;          ///< centre of mass [m]
  Column<Quat> orientation;       ///< rotation from body to world
  Column<Vec3> velocity;          ///< [m/s]
  Column<Vec3> angular_velocity;  ///< world axes [rad/s]
  Column<double> mass;            ///< [kg]; 0 for fixed and prescribed bodies of shapes without mass
  Column<double> inverse_mass;  ///< [1/kg]; 0 for fixed and prescribed bodies and for members (they move with an owner)
  Column<Vec3> inertia;         ///< principal moments [kg m^2]
  Column<Vec3> inverse_inertia;  ///< [1/(kg m^2)]; 0 if the body does not turn freely
  Column<double> radius;         ///< bounding radius [m]
  Column<Id> id;
  Column<std::uint32_t> shape, material, group, kind;
  Column<Id> owner;      ///< own id, or the id of the body this one is a member of
  Column<double> scale;  ///< size relative to the shape; mass, inertia and radius are the body's own
  /// Checks whether some body has, or has had, another scale than 1.
  bool scaled() const { return scaled_; }

  /// Makes free bodies members of an owner, a dynamic body that is a member of none. Members keep their places, and
  /// have the owner's rigid motion from then on. Their forces act on the owner, and two of one owner do not touch.
  /// Columns of all plugins stay as they are. Contact history stays for pairs that may still touch. In a periodic cell
  /// positions count as they stand in the columns.
  /// \param whole  the owner including everything attached to it by then: rigid_sum() has the momentum of its parts.
  ///               Members that it had before keep their places too
  /// \throws Error for a body that does not exist, is not free, owns members or has a bond; for an owner that is itself
  /// a member; and for a mass or moment not above 0. The World is then unchanged
  void attach(std::span<const Id> ids, Id owner, const RigidBody& whole);
  /// Makes members free bodies again, with their own mass and moments. Their place and twist follow from the owner's
  /// motion. The owner stays as it is: call set_rigid() for the rest of it, or remove it.
  /// \throws Error for a body that is no member; the World is then unchanged
  void release(std::span<const Id> ids);
  /// Sets mass, moments, place and twist of a dynamic body that is a member of none. Its members keep their places.
  /// \throws Error as attach()
  void set_rigid(Id body, const RigidBody& whole);
  /// Returns the number of the shape without surface and mass; makes it if it does not exist. It is for owners that are
  /// nothing but the frame of their members. A body of this shape touches nothing.
  std::uint32_t frame_shape();

  /// Body that is a member of another one.
  struct Member {
    std::uint32_t row, owner;  ///< rows of both
  };
  /// Returns all members, by ascending row. The id of their owner is in column "owner", their pose in the owner's frame
  /// in columns "member_position" and "member_orientation". Valid until rows change. May be called from several threads
  /// at once, while the set and order of rows do not change.
  std::span<const Member> members() const;
  /// Sets poses and twists of all members from their owners'.
  void update_members();
  /// Requests the columns "own_force" [N] and "own_torque" [N m]: the wrench of each body's own contacts in the last
  /// evaluation, about its own centre. Column "force" has the wrench of members on their owners. Costs nothing until
  /// called.
  void keep_own_forces();
  /// Columns of forces and torques on bodies from outside the scene's methods, world axes, (size()) each.
  struct ExternalWrenches {
    Column<Vec3> force;   ///< "external_force" [N]
    Column<Vec3> torque;  ///< "external_torque" [N m]
  };
  /// Returns the external wrenches, made (zero) at the first call. Hooks and embedding programs write them, for drag
  /// of a fluid or a pull by hand. Every integrator adds them to contacts, bonds and gravity, before damping, in each
  /// evaluation of forces until they are written again. They act at centres of mass of bodies that move freely. Those
  /// of members and other bodies are ignored, as is what points out of the plane in 2D. Checkpoints keep them.
  ExternalWrenches external_wrenches();
  /// Result of wrap().
  struct Wrapped {
    ImageChange images = ImageChange::Identity();  ///< new numbers of images, before bodies moved
    std::vector<Image> went;                       ///< by row, the cells a body moved up; empty if none moved
    bool any() const { return !went.empty() || images != ImageChange::Identity(); }
  };
  /// Moves free bodies that left the periodic cell back into it by whole cells. Column "cell_crossings" counts these.
  /// Edges that lean too far are replaced: PeriodicCell::reduce_tilts().
  Wrapped wrap();

  /// Prescribed motion of a body, and the pose it had when it was added.
  struct Prescribed {
    std::vector<Motion> motions;
    Pose initial;
  };
  const std::map<Id, Prescribed>& prescribed() const { return prescribed_; }
  void set_prescribed(Id body, const Prescribed& prescribed) { prescribed_[body] = prescribed; }
  /// Makes t [s] the time of the state in the columns. Every prescribed body gets the pose and twist of t, and the
  /// periodic cell its edges: those of World::time, moved on by their rate.
  void move_prescribed(double t);
  /// Gives prescribed bodies the velocities of time t [s], and leaves them in place.
  void prescribe_velocities(double t);

  /// Bonds between bodies. Removing a body removes its bonds too.
  Bonds& bonds() { return bonds_; }
  /// Checks that bonds added since logs were last emptied join two free bodies that exist, the one of lower id first.
  /// \throws Error naming the bond
  void check_new_bonds() const;
  const Bonds& bonds() const { return bonds_; }

  /// Returns a metric that a method keeps (work done, sweeps of a solver), by a name with its unit; makes it (0) if it
  /// does not exist. It is shown in metrics.csv and the summary, and kept in checkpoints. The reference stays valid.
  double& metric(const std::string& name);
  /// Returns all metrics, by name.
  const std::map<std::string, double>& metrics() const { return metrics_; }

  /// Surface velocities of conveyors by id; only bodies that have one.
  const std::map<Id, Vec3>& surface_velocities() const { return surface_velocities_; }
  void set_surface_velocity(Id body, const Vec3& v) { surface_velocities_[body] = v; }

  /// Returns the next id that add() will give.
  Id next_id() const { return bodies_.next_id(); }
  /// Updates what depends on the rows after a checkpoint reader has filled the tables. Motions and surface velocities
  /// are to be set again.
  void rows_filled();

 private:
  void check(const BodySpec& spec) const;
  void check_scale(const BodySpec& spec) const;
  void fill(std::size_t first, std::span<const BodySpec> bodies, std::span<const Id> ids);
  void ride(const BodySpec& spec, std::size_t row);
  void check_members(std::span<const Id> ids, Id owner) const;
  void check_rigid(Id body, const RigidBody& whole) const;
  void set_local_pose(std::size_t member, std::size_t owner);
  void follow(const Member& member);
  void make_free(std::size_t row);
  void set_row(std::size_t row, const BodySpec& spec);
  void find_members() const;
  template <class Each>
  void each_prescribed(double t, const Each& each);
  void move_cell(double t);

  int dimension_;
  double trial_time_ = 0;
  /// The cell of World::time, from which move_cell() moves it in this step; and where it has moved it.
  struct {
    std::uint64_t step = ~std::uint64_t{0};
    PeriodicCell start, moved;
  } moving_cell_;
  bool scaled_ = false;
  std::vector<ShapeEntry> shapes_;
  std::vector<MaterialEntry> materials_;
  Table bodies_{"bodies"};
  Bonds bonds_;
  std::vector<std::unique_ptr<Table>> further_tables_;
  std::uint64_t member_changes_ = 0;
  std::vector<Id> attached_, released_;  ///< part of the log of bodies
  /// Index for members(), made at its first call and again after rows changed: it belongs to version
  /// `members_version_`.
  mutable std::vector<Member> members_;
  mutable std::atomic<std::uint64_t> members_version_ = 0;
  mutable std::mutex finding_members_;
  std::map<Id, Prescribed> prescribed_;
  std::map<Id, Vec3> surface_velocities_;
  std::map<std::string, double> metrics_;
};

/// Totals of the dynamic bodies: kinetic energy of translation and rotation [J], momentum [kg m/s] and angular momentum
/// about the world's origin [kg m^2/s]. Sums are exact, so they do not depend on the order of rows.
struct Totals {
  double kinetic_translation = 0, kinetic_rotation = 0;
  double potential = 0;  ///< -sum m g.x [J]
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  double mass = 0;
  std::size_t dynamic_bodies = 0;
  double kinetic() const { return kinetic_translation + kinetic_rotation; }
};
SCREE_API Totals totals(const World& world, const Vec3& gravity);
/// Returns the kinetic energy of those of these bodies that exist and move freely [J].
SCREE_API double kinetic_energy(const World& world, std::span<const Id> ids);

/// Returns a 64-bit hash of the bits of id, position, orientation and velocities of all bodies, and of all columns of
/// the tables that methods added. It does not depend on the order of rows.
SCREE_API std::uint64_t state_hash(const World& world);

}  // namespace scree
