/// \file Members of bodies: attached, moved with their owner, and released.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace {

constexpr const char* kPosition = "member_position";
constexpr const char* kOrientation = "member_orientation";
constexpr const char* kFrame = "frame";

double inverse(double x) { return x > 0 ? 1 / x : 0.0; }

/// Removes ids from a list.
void strike(std::vector<Id>& list, std::span<const Id> ids) {
  if (list.empty()) return;
  std::vector<Id> ascending(ids.begin(), ids.end());
  std::sort(ascending.begin(), ascending.end());
  std::erase_if(list, [&](Id id) { return std::binary_search(ascending.begin(), ascending.end(), id); });
}

std::string named(Id id) { return "body " + std::to_string(id); }

/// Shape without surface: its body has a place and a motion, and touches nothing.
class Frame final : public Shape {
 public:
  explicit Frame(int dimension) : dimension_(dimension) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return 0; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  int dimension_;
};

}  // namespace

std::uint32_t World::frame_shape() {
  const auto is_frame = [](const ShapeEntry& entry) { return entry.shape->bounding_radius() == 0; };
  const auto found = std::ranges::find_if(shapes_, is_frame);
  if (found != shapes_.end()) return static_cast<std::uint32_t>(found - shapes_.begin());
  return add_shape(kFrame, std::make_shared<Frame>(dimension_));
}

std::span<const World::Member> World::members() const {
  if (!find_column(kPosition)) return {};
  if (members_version_.load(std::memory_order_acquire) != layout_version()) find_members();
  return members_;
}

void World::find_members() const {
  std::vector<Member> found;
  const auto ids = id.read(), owners = owner.read();
  for (std::size_t i = 0; i < size(); ++i) {
    if (owners[i] == ids[i]) continue;
    const auto o = row(owners[i]);
    if (!o) throw NumericalError(named(ids[i]) + " rides on " + named(owners[i]) + ", which is not there");
    found.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(*o)});
  }
  const std::lock_guard lock(finding_members_);
  if (members_version_.load(std::memory_order_relaxed) == layout_version()) return;
  members_ = std::move(found);
  members_version_.store(layout_version(), std::memory_order_release);
}

/// Makes the new body of this row a member of its owner in their present poses.
void World::ride(const BodySpec& spec, std::size_t i) {
  const auto o = row(spec.owner);
  if (!o) throw Error("a body rides on an owner that is not there: id " + std::to_string(spec.owner));
  if (owner.read()[*o] != spec.owner)
    throw Error("a body rides on " + named(spec.owner) + ", which itself rides on " + named(owner.read()[*o]) +
                "; let it ride on that one");
  if (scale.read()[*o] != 1)
    throw Error("a body rides on body " + std::to_string(spec.owner) + ", whose scale is " +
                std::to_string(scale.read()[*o]) +
                "; an owner's mass is that of all that rides on it, so its scale must be 1");
  set_local_pose(i, *o);
}

void World::set_local_pose(std::size_t i, std::size_t o) {
  const Quat back = orientation.read()[o].conjugate();
  column<Vec3>(kPosition, "m", false).write()[i] = back * (position.read()[i] - position.read()[o]);
  column<Quat>(kOrientation, "", false).write()[i] = back * orientation.read()[i];
}

void World::check_rigid(Id body, const RigidBody& whole) const {
  const auto i = row(body);
  if (!i) throw Error(named(body) + " is not there");
  if (kind.read()[*i] != static_cast<std::uint32_t>(BodyKind::dynamic))
    throw Error(named(body) + " is fixed or prescribed: only a dynamic body owns what is attached to it");
  if (owner.read()[*i] != body)
    throw Error(named(body) + " rides on " + named(owner.read()[*i]) +
                ", so it cannot be an owner; attach to that one, or release it first");
  bool good = whole.mass > 0 && std::isfinite(whole.mass);
  for (int k = dimension_ == 2 ? 2 : 0; k < 3; ++k)
    good = good && whole.inertia[k] > 0 && std::isfinite(whole.inertia[k]);
  if (!good) throw Error(named(body) + " is given a mass or moment of inertia that is not a finite number above 0");
  if (!whole.frame.position.allFinite() || !(std::abs(whole.frame.orientation.norm() - 1) < 1e-6) ||
      !whole.twist.velocity.allFinite() || !whole.twist.angular_velocity.allFinite())
    throw Error(named(body) + " is given a place or motion that is not finite, or no unit quaternion");
}

void World::check_members(std::span<const Id> ids, Id of) const {
  std::vector<Id> ascending(ids.begin(), ids.end());
  std::sort(ascending.begin(), ascending.end());
  const auto among = [&](Id body) { return std::binary_search(ascending.begin(), ascending.end(), body); };
  if (const auto twice = std::adjacent_find(ascending.begin(), ascending.end()); twice != ascending.end())
    throw Error(named(*twice) + " is attached twice in one call");
  if (among(of)) throw Error(named(of) + " is attached to itself");
  for (const Id body : ascending) {
    const auto i = row(body);
    if (!i) throw Error(named(body) + " is to be attached, but is not there");
    if (kind.read()[*i] != static_cast<std::uint32_t>(BodyKind::dynamic))
      throw Error(named(body) + " is to be attached, but is fixed or prescribed");
    if (owner.read()[*i] != body)
      throw Error(named(body) + " is to be attached, but rides on " + named(owner.read()[*i]) + "; release it first");
  }
  for (const Member& m : members())
    if (const Id has = id.read()[m.owner]; among(has))
      throw Error(named(has) + " is to be attached, but others ride on it; attach those instead");
  for (std::size_t k = 0; bonds_.alive() > 0 && k < bonds_.size(); ++k)
    for (const Id body : {bonds_.a[k], bonds_.b[k]})
      if (bonds_.whole(k) && among(body))
        throw Error(named(body) + " is to be attached, but a bond holds it; bonds do not act on members");
}

void World::check_new_bonds() const {
  for (const Id bond : bonds_.table().edits().added) {
    if (!bonds_.whole(bond)) continue;  // one of its bodies has been removed since
    const auto refuse = [&](const std::string& what) {
      throw Error("bond " + std::to_string(bond) + " joins " + what);
    };
    const Id ends[] = {bonds_.a[bond], bonds_.b[bond]};
    if (ends[0] >= ends[1]) refuse(named(ends[0]) + " and " + named(ends[1]) + "; name the lower id first");
    for (const Id end : ends) {
      const auto i = row(end);
      if (!i) refuse(named(end) + ", which is not there");
      if (owner[*i] != end)
        refuse(named(end) + ", which rides on " + named(owner[*i]) + "; bonds do not act on members, so join that one");
    }
  }
}

void World::attach(std::span<const Id> ids, Id to, const RigidBody& whole) {
  check_rigid(to, whole);
  check_members(ids, to);
  set_rigid(to, whole);
  const std::size_t o = *row(to);
  for (const Id body : ids) {
    const std::size_t i = *row(body);
    owner.write()[i] = to;
    inverse_mass.write()[i] = 0;
    inverse_inertia.write()[i] = Vec3::Zero();
    set_local_pose(i, o);
    velocity.write()[i] =
        whole.twist.velocity + whole.twist.angular_velocity.cross(position.read()[i] - position.read()[o]);
    angular_velocity.write()[i] = whole.twist.angular_velocity;
  }
  strike(released_, ids);
  attached_.insert(attached_.end(), ids.begin(), ids.end());
  ++member_changes_;
}

void World::set_rigid(Id body, const RigidBody& whole) {
  check_rigid(body, whole);
  const std::size_t o = *row(body);
  position.write()[o] = whole.frame.position;
  orientation.write()[o] = whole.frame.orientation.normalized();
  velocity.write()[o] = whole.twist.velocity;
  angular_velocity.write()[o] = whole.twist.angular_velocity;
  mass.write()[o] = whole.mass;
  inertia.write()[o] = whole.inertia;
  make_free(o);
  mark_moved({&body, 1});
  for (const Member& m : members())
    if (m.owner == o) set_local_pose(m.row, o);
}

/// Sets inverse mass and moments from mass and moments.
void World::make_free(std::size_t i) {
  inverse_mass.write()[i] = inverse(mass.read()[i]);
  Vec3 moments = Vec3::Zero();
  for (int k = dimension_ == 2 ? 2 : 0; k < 3; ++k) moments[k] = inverse(inertia.read()[i][k]);
  inverse_inertia.write()[i] = moments;
}

void World::release(std::span<const Id> ids) {
  for (const Id body : ids) {
    const auto i = row(body);
    if (!i) throw Error(named(body) + " is to be released, but is not there");
    if (owner.read()[*i] == body) throw Error(named(body) + " is to be released, but rides on no other body");
  }
  if (ids.empty()) return;
  for (const Id body : ids) {
    const std::size_t i = *row(body);
    if (owner.read()[i] == body) continue;  // named twice
    follow({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(*row(owner.read()[i]))});
    owner.write()[i] = body;
    make_free(i);
    column<Vec3>(kPosition).write()[i] = Vec3::Zero();
    column<Quat>(kOrientation).write()[i].coeffs().setZero();
    released_.push_back(body);
  }
  strike(attached_, ids);
  ++member_changes_;
}

/// Sets pose and twist of one member from its owner's.
void World::follow(const Member& m) {
  const Quat turn = orientation.read()[m.owner];
  const Vec3 arm = turn * column<Vec3>(kPosition).read()[m.row];
  const Vec3 spin = angular_velocity.read()[m.owner];
  position.write()[m.row] = position.read()[m.owner] + arm;
  orientation.write()[m.row] = turn * column<Quat>(kOrientation).read()[m.row];
  velocity.write()[m.row] = velocity.read()[m.owner] + spin.cross(arm);
  angular_velocity.write()[m.row] = spin;
}

void World::update_members() {
  const std::span<const Member> all = members();
  if (all.empty()) return;
  const auto x = position.write(), v = velocity.write(), w = angular_velocity.write();
  const auto q = orientation.write();
  const auto place = column<Vec3>(kPosition).read();
  const auto turned = column<Quat>(kOrientation).read();
  parallel_for(static_cast<std::ptrdiff_t>(all.size()), [&](std::ptrdiff_t k) {
    const auto [i, o] = all[static_cast<std::size_t>(k)];
    const Vec3 arm = q[o] * place[i];
    x[i] = x[o] + arm;
    q[i] = q[o] * turned[i];
    v[i] = v[o] + w[o].cross(arm);
    w[i] = w[o];
  });
}

void World::keep_own_forces() {
  column<Vec3>("own_force", "N");
  column<Vec3>("own_torque", "N m");
}

World::ExternalWrenches World::external_wrenches() {
  return {column<Vec3>("external_force", "N"), column<Vec3>("external_torque", "N m")};
}

}  // namespace scree
