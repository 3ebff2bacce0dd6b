#include "scree/run/detail/carried_bodies.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scree/run/detail/columns_of_copy.hpp"
#include "scree/scene/detail/json.hpp"

namespace scree::detail {

namespace {

/// Changed entries of `bodies`, by kind of change.
struct Changed {
  explicit Changed(const std::vector<SceneChange>& changes) {
    for (const SceneChange& change : changes) {
      const std::vector<std::string> keys = pointer_keys(change.pointer);
      if (keys.size() < 3 || keys[0] != "bodies") continue;
      const auto group = static_cast<std::uint32_t>(std::stoul(keys[1]));
      if (keys[2] == "fixed" || keys[2] == "motion" || keys[2] == "held") moves.insert(group);
      if (keys[2] == "surface_velocity") conveys.insert(group);
      if (keys[2] == "removed") goes.insert(group);
      if (keys[2] == "remove_at") due.insert(group);
    }
  }
  std::set<std::uint32_t> moves, conveys, goes, due;
};

class BodyCarrier {
 public:
  BodyCarrier(Snapshot& s, const Scene& scene, const Prepared& prepared)
      : s_(s),
        bodies_(s.tables.at(0)),
        scene_(scene),
        fresh_(*prepared.world),
        id_(values_of<Id>(bodies_, "id")),
        owner_(values_of<Id>(bodies_, "owner")),
        group_(values_of<std::uint32_t>(bodies_, "group")) {}

  void carry(const Changed& changed, TransferredState& result) {
    if (owner_.size() != id_.size() || group_.size() != id_.size()) return;  // check_snapshot() reports the fault
    for (std::size_t i = 0; i < id_.size(); ++i) {
      if (owner_[i] != id_[i]) continue;
      if (changed.goes.contains(group_[i]) || (changed.due.contains(group_[i]) && is_past(group_[i])))
        result.removed.push_back(id_[i]);
      if (changed.conveys.contains(group_[i])) convey(id_[i]);
      if (changed.moves.contains(group_[i]) && fresh_.row(id_[i])) moving_.push_back(i);
    }
    if (moving_.empty()) return;
    read();
    for (const std::size_t i : moving_) move(i), result.moved.push_back(id_[i]);
    write();
  }

 private:
  bool is_past(std::uint32_t group) const {
    const std::optional<double>& time = scene_.bodies.at(group).remove_at;
    return time && *time <= s_.time;
  }

  void convey(Id id) {
    s_.surface_velocities.erase(id);
    if (const auto now = fresh_.surface_velocities().find(id); now != fresh_.surface_velocities().end())
      s_.surface_velocities.insert(*now);
  }

  void read() {
    kind_ = values_of<std::uint32_t>(bodies_, "kind");
    mass_ = values_of<double>(bodies_, "mass"), inverse_mass_ = values_of<double>(bodies_, "inverse_mass");
    inertia_ = values_of<Vec3>(bodies_, "inertia"), inverse_inertia_ = values_of<Vec3>(bodies_, "inverse_inertia");
    velocity_ = values_of<Vec3>(bodies_, "velocity"), spin_ = values_of<Vec3>(bodies_, "angular_velocity");
    position_ = values_of<Vec3>(bodies_, "position"), orientation_ = values_of<Quat>(bodies_, "orientation");
  }

  void write() {
    put_values(bodies_, "kind", kind_);
    put_values(bodies_, "mass", mass_), put_values(bodies_, "inverse_mass", inverse_mass_);
    put_values(bodies_, "inertia", inertia_), put_values(bodies_, "inverse_inertia", inverse_inertia_);
    put_values(bodies_, "velocity", velocity_), put_values(bodies_, "angular_velocity", spin_);
  }

  void move(std::size_t i) {
    for (const auto size : {kind_.size(), mass_.size(), inverse_mass_.size(), inertia_.size(), inverse_inertia_.size(),
                            velocity_.size(), spin_.size(), position_.size(), orientation_.size()})
      if (i >= size) return;
    const std::size_t row = *fresh_.row(id_[i]);
    kind_[i] = fresh_.kind.read()[row];
    mass_[i] = fresh_.mass.read()[row], inverse_mass_[i] = fresh_.inverse_mass.read()[row];
    inertia_[i] = fresh_.inertia.read()[row], inverse_inertia_[i] = fresh_.inverse_inertia.read()[row];
    s_.prescribed.erase(id_[i]);
    const auto driven = fresh_.prescribed().find(id_[i]);
    if (driven != fresh_.prescribed().end()) drive(i, driven->second);
    if (kind_[i] == static_cast<std::uint32_t>(BodyKind::fixed)) velocity_[i] = spin_[i] = Vec3::Zero();
  }

  /// Restarts motions that have begun, from here. \param there  start of the body in a run of the new scene
  void drive(std::size_t i, World::Prescribed there) {
    World::Prescribed& here = s_.prescribed[id_[i]] = std::move(there);
    here.initial = {position_[i], orientation_[i]};
    for (Motion& motion : here.motions) motion.start = std::max(motion.start, s_.time);
    const Twist twist = twist_at(here.motions, here.initial, s_.time);
    velocity_[i] = twist.velocity, spin_[i] = twist.angular_velocity;
  }

  Snapshot& s_;
  TableCopy& bodies_;
  const Scene& scene_;
  const World& fresh_;  ///< World of a run of the new scene that has not begun
  std::vector<Id> id_, owner_;
  std::vector<std::uint32_t> group_, kind_;
  std::vector<double> mass_, inverse_mass_;
  std::vector<Vec3> inertia_, inverse_inertia_, velocity_, spin_, position_;
  std::vector<Quat> orientation_;
  std::vector<std::size_t> moving_;  ///< rows whose kind or motion changes
};

}  // namespace

std::vector<Id> ids_of(const Snapshot& s) { return values_of<Id>(s.tables.at(0), "id"); }

void carry_bodies(Snapshot& s, const Scene& scene, const Prepared& prepared, const std::vector<SceneChange>& changes,
                  TransferredState& result) {
  BodyCarrier(s, scene, prepared).carry(Changed(changes), result);
}

}  // namespace scree::detail
