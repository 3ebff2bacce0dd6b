#include "scree/host/energy_ledger.hpp"

#include <map>

#include "scree/base/parallel.hpp"
#include "scree/world/external_wrench_view.hpp"

namespace scree {

namespace {

constexpr const char* kSteps = "ledger_steps";
constexpr const char* kPart[kForceParts] = {"normal", "tangential", "rolling"};

Wrench operator*(double weight, const Wrench& w) { return {weight * w.force, weight * w.torque}; }
Wrench& operator+=(Wrench& sum, const Wrench& w) {
  sum.force += w.force;
  sum.torque += w.torque;
  return sum;
}

}  // namespace

EnergyLedger::EnergyLedger(World& world, const Methods& methods, const MeanForce& scheme)
    : world_(world), methods_(methods), scheme_(scheme) {
  world.metric(kSteps);
  for (const char* name : {"start", "kinetic", "inserted", "edited", "residual"}) figure(name);
  gravity_ = add_source("gravity");
  external_ = add_source("external");
  damping_ = add_source("damping");
  bonds_ = add_source("bonds");
  for (const std::string& name : methods.entries) {
    entries_.push_back({name, sources_.size()});
    for (const char* part : kPart) add_source(name + "_" + part);
    figure(name + "_elastic");
    figure(name + "_dissipated");
  }
  const auto group = world.group.read();
  const auto wall = [&](Id id) {
    if (const auto row = world.row(id)) figure("wall_" + world.group_names[group[*row]]);
  };
  for (const auto& [id, prescribed] : world.prescribed()) wall(id);
  for (const auto& [id, velocity] : world.surface_velocities()) wall(id);
}

/// Returns the kinetic energy of all free bodies [J].
double EnergyLedger::kinetic() const { return kinetic_energy(world_, world_.id.read().first(world_.owned())); }

std::size_t EnergyLedger::add_source(const std::string& name) {
  Source source;
  source.name = name;
  if (scheme_.carried != 0) {
    source.force = world_.column<Vec3>("ledger_" + name + "_force", "N", false);
    source.torque = world_.column<Vec3>("ledger_" + name + "_torque", "N m", false);
  }
  figure(name);
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

void EnergyLedger::inserted(std::span<const Id> ids) {
  if (world_.metric(kSteps) > 0) inserted_ += kinetic_energy(world_, ids);
}

void EnergyLedger::begin_step(double dt) {
  dt_ = dt;
  evaluations_ = 0;
  complete_ = scheme_.carried == 0 || world_.metric(kSteps) > 0;
  const auto v = world_.velocity.read(), w = world_.angular_velocity.read();
  velocity_.assign(v.begin(), v.end());
  spin_.assign(w.begin(), w.end());
  start_ = kinetic();
  if (world_.metric(kSteps) == 0) figure("start") = start_;
  // Hooks that did nothing have left kinetic energy as it was, to the last bit.
  else if (start_ != figure("kinetic")) {
    figure("inserted") += inserted_;
    figure("edited") += start_ - figure("kinetic") - inserted_;
  }
  inserted_ = 0;
  for (Source& s : sources_) {
    s.mean.assign(world_.size(), Wrench{});
    if (!s.force) continue;
    const auto force = s.force.read(), torque = s.torque.read();
    for (std::size_t i = 0; i < world_.size(); ++i) s.mean[i] = scheme_.carried * Wrench{force[i], torque[i]};
  }
}

void EnergyLedger::applied(double dt, const ContactEvaluation& contacts, std::span<const Wrench> bonds,
                           const Wrenches& total) {
  for (Source& s : sources_) s.last.assign(world_.size(), Wrench{});
  take_contacts(contacts);
  take_external(bonds, total);
  const bool replaces = scheme_.carried != 0 && dt == 0;
  const bool first = replaces || (world_.metric(kSteps) == 0 && scheme_.carried == 0 && evaluations_ == 0);
  // Changes of the elastic energy by hooks are not dissipation.
  if (first)
    for (const Entry& e : entries_) figure(e.name + "_elastic") = e.elastic;
  if (replaces) {
    for (Source& s : sources_) s.mean.assign(world_.size(), Wrench{});
    count(scheme_.carried);
    complete_ = true;
  } else if (evaluations_ < scheme_.weight.size()) {
    count(scheme_.weight[evaluations_++]);
  }
}

void EnergyLedger::take_contacts(const ContactEvaluation& contacts) {
  const std::vector<double> elastic = contacts.elastic_energies();
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    entries_[e].elastic = elastic[e];
    for (const ForcePart part : {ForcePart::normal, ForcePart::tangential, ForcePart::rolling})
      contacts.part_wrenches(e, part, sources_[entries_[e].first + static_cast<std::size_t>(part)].last);
  }
}

/// Takes weights of free bodies, external wrenches, bonds, and damping as the rest.
void EnergyLedger::take_external(std::span<const Wrench> bonds, const Wrenches& total) {
  const Vec3 g = gravity_at(methods_.environment, world_.trial_time());
  const auto mass = world_.mass.read(), inverse_mass = world_.inverse_mass.read();
  if (!bonds.empty()) sources_[bonds_].last.assign(bonds.begin(), bonds.end());
  const ExternalWrenchView outside(world_);
  for (std::size_t i = 0; i < world_.size(); ++i) {
    if (inverse_mass[i] == 0) continue;
    sources_[gravity_].last[i].force = mass[i] * g;
    outside.add(i, sources_[external_].last[i].force, sources_[external_].last[i].torque);
  }
  if (!methods_.environment.damps()) return;
  std::vector<Wrench>& damping = sources_[damping_].last;
  for (std::size_t i = 0; i < world_.size(); ++i) {
    if (inverse_mass[i] == 0) continue;
    Wrench others;
    for (const Source& s : sources_) others += s.last[i];
    damping[i] = {total.force[i] - others.force, total.torque[i] - others.torque};
  }
}

void EnergyLedger::joined(const Wrenches& joints) {
  Source& bonds = sources_[bonds_];
  for (std::size_t i = 0; i < world_.size(); ++i) {
    bonds.last[i] += joints[i];
    bonds.mean[i] += scheme_.weight[0] * joints[i];
  }
}

void EnergyLedger::count(double weight) {
  for (Source& s : sources_)
    parallel_for(static_cast<std::ptrdiff_t>(s.mean.size()), [&](std::ptrdiff_t i) {
      const auto row = static_cast<std::size_t>(i);
      s.mean[row] += weight * s.last[row];
    });
}

void EnergyLedger::end_step() {
  if (complete_) {
    take_means();
    for (Source& s : sources_) s.work = work_of(s);
    count_walls();
    book();
  } else {
    begin_anew();
  }
  for (Source& s : sources_) {
    if (!s.force) continue;
    const auto force = s.force.write(), torque = s.torque.write();
    for (std::size_t i = 0; i < s.last.size(); ++i) force[i] = s.last[i].force, torque[i] = s.last[i].torque;
  }
}

/// Takes mean velocities of the step.
void EnergyLedger::take_means() {
  const auto v = world_.velocity.read(), w = world_.angular_velocity.read();
  for (std::size_t i = 0; i < world_.size(); ++i) {
    velocity_[i] = 0.5 * (velocity_[i] + v[i]);
    spin_[i] = 0.5 * (spin_[i] + w[i]);
  }
}

/// Returns the work of a source in this step [J]; an exact sum, so that it does not depend on the order of rows.
double EnergyLedger::work_of(const Source& source) const {
  ExactSum sum;
  for (std::size_t i = 0; i < source.mean.size(); ++i) {
    const Wrench& w = source.mean[i];
    if (w.force.isZero(0) && w.torque.isZero(0)) continue;
    sum.add(dt_ * (w.force.dot(velocity_[i]) + w.torque.dot(spin_[i])));
  }
  return sum.value();
}

/// Counts the work that bodies with prescribed motion, and belts, do against contacts and bonds. A belt's surface moves
/// in the tangent plane: its work is that of friction.
void EnergyLedger::count_walls() {
  std::map<std::uint32_t, ExactSum> work;
  const auto group = world_.group.read();
  const auto give = [&](Id id, const auto& power) {
    if (const auto row = world_.row(id)) work[group[*row]].add(-dt_ * power(*row));
  };
  for (const auto& [id, prescribed] : world_.prescribed())
    for (std::size_t s = bonds_; s < sources_.size(); ++s)
      give(id, [&](std::size_t i) {
        const Wrench& w = sources_[s].mean[i];
        return w.force.dot(velocity_[i]) + w.torque.dot(spin_[i]);
      });
  for (const auto& [id, velocity] : world_.surface_velocities())
    for (Entry& e : entries_) {
      Source& friction = sources_[e.first + static_cast<std::size_t>(ForcePart::tangential)];
      give(id, [&](std::size_t i) {
        const double power = friction.mean[i].force.dot(velocity);
        friction.work += dt_ * power;
        return power;
      });
    }
  walls_ = 0;
  for (const auto& [g, sum] : work) {
    figure("wall_" + world_.group_names[g]) += sum.value();
    walls_ += sum.value();
  }
}

/// Begins in mid-run: what the previous step left is unknown, so the ledger counts from the end of this step.
void EnergyLedger::begin_anew() {
  figure("start") = figure("kinetic") = kinetic();
  for (const Entry& e : entries_) figure(e.name + "_elastic") = e.elastic;
  ++world_.metric(kSteps);
}

void EnergyLedger::book() {
  double all = walls_;
  for (const Source& s : sources_) {
    figure(s.name) += s.work;
    all += s.work;
  }
  for (const Entry& e : entries_) {
    double work = 0;
    for (std::size_t part = 0; part < kForceParts; ++part) work += sources_[e.first + part].work;
    double& before = figure(e.name + "_elastic");
    figure(e.name + "_dissipated") -= work + (e.elastic - before);
    before = e.elastic;
  }
  const double now = kinetic();
  figure("residual") += (now - start_) - all;
  figure("kinetic") = now;
  ++world_.metric(kSteps);
}

}  // namespace scree
