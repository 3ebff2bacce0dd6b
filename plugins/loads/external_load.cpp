#include "external_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/hooks/stored_bodies.hpp"

namespace scree::loads {

namespace {

/// Bodies that external wrenches act on.
bool takes_loads(const World& world, std::size_t row) {
  return world.owner[row] == world.id[row] && moves_freely(world, row);
}

/// Puts `load` in the place of this hook's own share of a column. Where there is no other share, the column then has
/// exactly these bits.
template <class Takes>
void replace_share(Column<Vec3> column, Column<Vec3> own, const Vec3& load, const Takes& takes) {
  bool same = true;
  for (std::size_t i = 0; same && i < own.read().size(); ++i) same = !takes(i) || own.read()[i] == load;
  if (same) return;  // devices need no new rows
  const auto all = column.write(), share = own.write();
  for (std::size_t i = 0; i < share.size(); ++i) {
    if (!takes(i)) continue;
    all[i] = all[i] - share[i] + load;
    share[i] = load;
  }
}

}  // namespace

ExternalLoad::ExternalLoad(const Options& options)
    : name_(options.text("name")),
      bodies_(chosen_names(options)),
      force_(read_curve(options, "force")),
      torque_(read_curve(options, "torque")),
      start_(options.number_or("start", 0)),
      interval_(options.number_or("interval", 0)),
      stop_(options.number_or("stop", 1e300)) {
  if (force_.none() && torque_.none())
    throw OptionError("", "external-load: has no load. Give a \"force\" [N], a \"torque\" [N m], or tables of them.");
  if (stop_ <= start_)
    throw OptionError("/stop", fmt::format("external-load: stop is {:.6g} s, not after the start at {:.6g} s, so that "
                                           "the load would never act. Give a later time, or remove it.",
                                           stop_, start_));
  if (interval_ > 0) return;
  if (!force_.steady() || !torque_.steady())
    throw OptionError("",
                      "external-load: has no \"interval\", so that the load would be set once. Give the time between "
                      "its changes [s], such as the time step.");
  if (stop_ < 1e300)
    throw OptionError("/stop",
                      "external-load: without an \"interval\" the load is set once, and never ends. Give the "
                      "time between its changes [s], or remove this.");
}

void ExternalLoad::begin(World& world) {
  groups_ = ChosenGroups(bodies_, world);
  check_bodies(world);
  world.external_wrenches();
  world.column<Vec3>(name_ + "_load_force", "N", false);
  world.column<Vec3>(name_ + "_load_torque", "N m", false);
  show(world, Vec3::Zero(), Vec3::Zero());
}

void ExternalLoad::check_bodies(const World& world) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const ChosenGroups one(std::span(&bodies_[k], 1), world);
    bool any = false, free = false;
    for (std::size_t i = 0; i < world.size(); ++i)
      if (one(world.group[i])) any = true, free = free || takes_loads(world, i);
    if (any && !free)
      throw OptionError(fmt::format("/bodies/{}", k),
                        fmt::format("external-load: no body of \"{}\" moves freely, so that no force can move one. "
                                    "Remove its \"fixed\" or \"motion\", or name others.",
                                    bodies_[k]));
  }
}

void ExternalLoad::apply(World& world, const ContactView*, HistoryStore&) {
  const double t = world.time;
  const bool over = interval_ > 0 && t + interval_ * (1 - 1e-9) > stop_;
  const double middle = t - start_ + 0.5 * interval_;
  const Vec3 force = over ? Vec3(Vec3::Zero()) : force_.at(middle),
             torque = over ? Vec3(Vec3::Zero()) : torque_.at(middle);
  const auto takes = [&](std::size_t i) { return groups_(world.group[i]) && takes_loads(world, i); };
  const World::ExternalWrenches all = world.external_wrenches();
  replace_share(all.force, world.column<Vec3>(name_ + "_load_force"), force, takes);
  replace_share(all.torque, world.column<Vec3>(name_ + "_load_torque"), torque, takes);
  show(world, force, torque);
}

void ExternalLoad::show(World& world, const Vec3& force, const Vec3& torque) const {
  for (int k = 0; k < 3; ++k) {
    const char axis = "xyz"[k];
    if (!force_.none()) world.metric(fmt::format("{}_load_{}_N", name_, axis)) = force[k];
    if (!torque_.none()) world.metric(fmt::format("{}_load_torque_{}_N_m", name_, axis)) = torque[k];
  }
}

}  // namespace scree::loads
