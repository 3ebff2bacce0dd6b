#pragma once
/// \file The state of a run: bodies as columns, the shapes and materials they refer to, and what changed.

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

/// What it takes to add a body.
struct BodySpec {
  Id id = kNewId;  ///< kNewId: the next free one
  std::uint32_t shape = 0, material = 0;
  std::uint32_t group = 0;  ///< index of the entry of the scene's `bodies` it came from
  BodyKind kind = BodyKind::dynamic;
  Vec3 position = Vec3::Zero();          ///< of the shape's reference point, world [m]
  Quat orientation = Quat::Identity();   ///< of the shape's reference axes, to world
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes [rad/s]
  std::vector<Motion>
      motions;  ///< for BodyKind::prescribed, as of pose_at(); begin when the body is there, at the earliest
  Vec3 surface_velocity =
      Vec3::Zero();   ///< of a conveyor: added to the contact point's velocity, tangential part [m/s]
  Id owner = kNewId;  ///< is a member of this body, from its pose now on; kNewId: of none
  double scale = 1;   ///< size relative to the shape, > 0; 1 for shapes without bound, members and their owners
};

struct ShapeEntry {
  std::string name;
  std::shared_ptr<const Shape> shape;
};

/// A material's own properties; what two materials do to each other is in the scene's interactions.
struct MaterialEntry {
  std::string name;
  double density = 0;         ///< [kg/m^3]
  double youngs_modulus = 0;  ///< [Pa]; 0 = not given, infinity = rigid
  double poisson_ratio = -1;  ///< [-]; -1 = not given
};

/// A body as one rigid whole: what World::attach() needs to know of an owner.
struct RigidBody {
  double mass = 0;              ///< [kg], > 0
  Vec3 inertia = Vec3::Zero();  ///< principal moments [kg m^2], > 0; in 2D inertia.z alone counts
  Pose frame;                   ///< centre of mass, and principal axes to world
  Twist twist;                  ///< of the centre of mass
};

/// What happened to bodies since the log was last taken: besides rows that came, went or were moved, a body of
/// `attached` is a member now, one of `released` was one before and is free.
struct EditLog : TableEdits {
  std::vector<Id> attached, released;
  bool empty() const { return TableEdits::empty() && attached.empty() && released.empty(); }
};

/// Structure-of-arrays state: the table of bodies, that of bonds, and those that methods add. Rows of bodies change
/// order between steps (space-filling curve); ids never do.
class SCREE_API World {
 public:
  explicit World(int dimension);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int dimension() const { return dimension_; }
  /// Whether there is one is set before bodies are added. Modifiers may deform it: it is state, as columns are.
  PeriodicCell cell;
  PeriodicCell reference_cell;  ///< as it was at the reference positions, for which pairs were listed
  double time = 0;              ///< of the last finished step [s]
  std::uint64_t step = 0;       ///< steps done
  /// The time of the state that stands in the columns [s], which within a step may be a trial's: see move_prescribed().
  double trial_time() const { return trial_time_; }

  /// Also during a run: what bodies of the shape meet is settled when the next step begins.
  /// \throws Error for a shape of other dimensions than the World
  std::uint32_t add_shape(std::string name, std::shared_ptr<const Shape> shape);
  std::uint32_t add_material(MaterialEntry material);
  std::span<const ShapeEntry> shapes() const { return shapes_; }
  std::span<const MaterialEntry> materials() const { return materials_; }
  /// Names of the entries of the scene's `bodies`; index = column "group".
  std::vector<std::string> group_names;

  std::size_t size() const { return bodies_.size(); }
  /// How many of those, from the first on, are this run's own: Table::owned().
  std::size_t owned() const { return bodies_.owned(); }
  /// Makes room for this many bodies: without it, columns grow to twice what they need.
  void reserve(std::size_t bodies) { bodies_.reserve(bodies); }
  /// \return the ids, in the order of \p bodies
  /// \throws Error for an id that is there, for a shape, material, group or owner that is not, and for a scale that the
  ///               body cannot have; the World then is as before
  std::vector<Id> add(std::span<const BodySpec> bodies);
  /// Ids that are not there are ignored; members of a removed owner go with it.
  void remove(std::span<const Id> ids);
  /// May be asked from several threads at once, while nobody adds, removes or reorders.
  std::optional<std::size_t> row(Id body) const { return bodies_.row(body); }
  /// Records that the state of these bodies was set from outside the integrator.
  void mark_moved(std::span<const Id> ids) { bodies_.mark_moved(ids); }
  /// Row i becomes old row order[i]; order is a permutation.
  void reorder(std::span<const std::uint32_t> order);
  /// Counts every change of the set or order of rows and of who is whose member, so that holders of rows notice.
  std::uint64_t layout_version() const { return bodies_.version() + member_changes_; }
  /// What happened to bodies. Other tables have logs of their own: Table::edits().
  EditLog take_edits();
  /// The same, left where it is.
  EditLog edits() const { return {bodies_.edits(), attached_, released_}; }
  /// Makes the log of bodies that of rows which were copied before anybody had heard of it: see Table::set_edits().
  void set_edits(EditLog edits);
  /// Empties the logs of all tables but that of bodies, when all have heard.
  void drop_table_edits();
  /// Whether bodies, or rows of other tables, came, went or were changed.
  bool edited() const;

  /// The column of this name, made (zero) when it is not there. Registered columns are written to checkpoints,
  /// reordered, follow added or removed bodies, and appear in VTK files when \p show is set.
  template <class T>
  Column<T> column(const std::string& name, const std::string& unit = "", bool show = true) {
    return bodies_.column<T>(name, unit, show);
  }
  ColumnStorage& storage(const std::string& name, ColumnType type, int components, const std::string& unit, bool show) {
    return bodies_.storage(name, type, components, unit, show);
  }
  ColumnStorage* find_column(const std::string& name) { return bodies_.find_column(name); }
  const ColumnStorage* find_column(const std::string& name) const { return bodies_.find_column(name); }
  /// All columns in order of registration.
  std::span<const std::unique_ptr<ColumnStorage>> columns() const { return bodies_.columns(); }

  /// The table of this name, made without rows when it is not there: for what a method keeps and is no body, as the
  /// nodes of a rod. Its rows are saved, resumed and hashed like those of bodies. With a column "position" [m] of Vec3
  /// they are points in VTK files, named as the table.
  /// \throws Error for "bodies" and "bonds", which are the World's, and for a name that is no plain file name
  Table& table(const std::string& name);
  std::span<const std::unique_ptr<Table>> further_tables() const { return further_tables_; }
  /// All of them: bodies, bonds, then by registration.
  std::vector<Table*> tables();
  std::vector<const Table*> tables() const;

  // The columns every body has.
  Column<Vec3> position;          ///< centre of mass [m]
  Column<Quat> orientation;       ///< body to world
  Column<Vec3> velocity;          ///< [m/s]
  Column<Vec3> angular_velocity;  ///< world axes [rad/s]
  Column<double> mass;            ///< [kg]; 0 for fixed and prescribed bodies of shapes without mass
  Column<double> inverse_mass;    ///< [1/kg]; 0 for fixed and prescribed bodies and for members (they ride on an owner)
  Column<Vec3> inertia;           ///< principal moments [kg m^2]
  Column<Vec3> inverse_inertia;   ///< [1/(kg m^2)]; 0 where the body does not turn freely
  Column<double> radius;          ///< bounding radius [m]
  Column<Id> id;
  Column<std::uint32_t> shape, material, group, kind;
  Column<Id> owner;      ///< own id, or the id of the body this one rides on
  Column<double> scale;  ///< size relative to the shape; mass, inertia and radius are those of the body itself
  /// Whether some body has, or has had, another scale than 1.
  bool scaled() const { return scaled_; }

  /// Makes free bodies members of an owner, a dynamic body that is a member of none. Members keep their places, and
  /// have the owner's rigid motion from then on. Their forces act on the owner, and two of one owner do not touch.
  /// Columns of all plugins stay as they are. Contact history stays for pairs that may still touch.
  /// In a periodic cell positions count as they stand in the columns.
  /// \param whole  the owner with all that is attached to it by then: rigid_sum() has the momentum of its parts.
  /// Members
  ///               that it had before keep their places too
  /// \throws Error for a body that is not there or not free, one that owns members or has a bond, an owner that is
  ///               itself a member, and a mass or moment that is not above 0; the World then is as before
  void attach(std::span<const Id> ids, Id owner, const RigidBody& whole);
  /// Makes members free bodies again, with their own mass and moments, where the owner's motion has brought them and
  /// with its twist there. The owner stays as it is: set_rigid() says what is left of it, or it is removed.
  /// \throws Error for a body that is no member; the World then is as before
  void release(std::span<const Id> ids);
  /// Sets mass, moments, place and twist of a dynamic body that is a member of none. Its members keep their places.
  /// \throws Error as attach()
  void set_rigid(Id body, const RigidBody& whole);
  /// Number of the shape that has no surface and no mass, made when it is not there: for owners that are nothing but
  /// the frame of their members. A body of it touches nobody.
  std::uint32_t frame_shape();

  /// A body that is a member of another one.
  struct Member {
    std::uint32_t row, owner;  ///< rows of both
  };
  /// All members, by ascending row. Their owner's id is in column "owner", their pose in the owner's frame in columns
  /// "member_position" and "member_orientation". Valid until rows change.
  /// May be asked from several threads at once, while nobody changes the set or order of rows.
  std::span<const Member> members() const;
  /// Poses and twists of all members from their owners'.
  void update_members();
  /// Asks for the columns "own_force" [N] and "own_torque" [N m]: what each body's own contacts gave it in the last
  /// evaluation, about its own centre. `force` has that of members on their owners. Costs nothing until it is called.
  void keep_own_forces();
  /// Moves free bodies that have left the periodic cell back into it, by whole cells, which column "cell_crossings"
  /// counts. \return by row, the cells a body went up; empty when none moved
  std::vector<Image> wrap();

  /// Bodies with prescribed motion and the pose they had when they were added.
  struct Prescribed {
    std::vector<Motion> motions;
    Pose initial;
  };
  const std::map<Id, Prescribed>& prescribed() const { return prescribed_; }
  void set_prescribed(Id body, const Prescribed& prescribed) { prescribed_[body] = prescribed; }
  /// Makes t [s] the time of the state in the columns: for whatever depends on time, and for every prescribed body,
  /// which gets the pose and twist of t.
  void move_prescribed(double t);
  /// Gives prescribed bodies the velocities of time t [s], and leaves them where they are.
  void prescribe_velocities(double t);

  /// Bonds between bodies. A body that is removed takes its bonds along.
  Bonds& bonds() { return bonds_; }
  /// Bonds that were added since logs were dropped last join two free bodies that are there, the one of lower id first.
  /// \throws Error naming the bond
  void check_new_bonds() const;
  const Bonds& bonds() const { return bonds_; }

  /// A number of the run that a method keeps (work done, sweeps of a solver), by a name with its unit; made (0) when it
  /// is not there. It is shown in metrics.csv and the summary, and kept in checkpoints. The reference stays valid.
  double& figure(const std::string& name);
  /// All of them, by name.
  const std::map<std::string, double>& figures() const { return figures_; }

  /// Conveyor velocities by id; only bodies that have one.
  const std::map<Id, Vec3>& surface_velocities() const { return surface_velocities_; }
  void set_surface_velocity(Id body, const Vec3& v) { surface_velocities_[body] = v; }

  /// The next id add() will give.
  Id next_id() const { return bodies_.next_id(); }
  /// After a checkpoint reader has filled the tables: motions and surface velocities are to be set again.
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

  int dimension_;
  double trial_time_ = 0;
  bool scaled_ = false;
  std::vector<ShapeEntry> shapes_;
  std::vector<MaterialEntry> materials_;
  Table bodies_{"bodies"};
  Bonds bonds_;
  std::vector<std::unique_ptr<Table>> further_tables_;
  std::uint64_t member_changes_ = 0;
  std::vector<Id> attached_, released_;  ///< of the log
  /// Made when members() is first asked, and when rows have changed since: those of version `members_version_`.
  mutable std::vector<Member> members_;
  mutable std::atomic<std::uint64_t> members_version_ = 0;
  mutable std::mutex finding_members_;
  std::map<Id, Prescribed> prescribed_;
  std::map<Id, Vec3> surface_velocities_;
  std::map<std::string, double> figures_;
};

/// Kinetic energy of translation and rotation [J], momentum [kg m/s] and angular momentum about the world's origin
/// [kg m^2/s] of the dynamic bodies, summed without rounding. So the figures do not depend on the order of rows.
struct Totals {
  double kinetic_translation = 0, kinetic_rotation = 0;
  double potential = 0;  ///< -sum m g.x [J]
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  double mass = 0;
  std::size_t dynamic_bodies = 0;
  double kinetic() const { return kinetic_translation + kinetic_rotation; }
};
SCREE_API Totals totals(const World& world, const Vec3& gravity);
/// Kinetic energy of those of these bodies that are there and move freely [J].
SCREE_API double kinetic_energy(const World& world, std::span<const Id> ids);

/// 64-bit hash of the bits of id, position, orientation and velocities of all bodies, and of all columns of the tables
/// that methods added. The order of rows is of no account.
SCREE_API std::uint64_t state_hash(const World& world);

}  // namespace scree
