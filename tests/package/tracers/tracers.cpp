// A table of one's own, as a third party could write it: points that ride on bodies for a while. Beside it an observer
// and an integrator that keep something between steps.
#include <cstring>
#include <fstream>
#include <string>

#include <scree/integrate/integrator.hpp>
#include <scree/plugin/plugin.hpp>

namespace {

using scree::Id;
using scree::Vec3;

std::vector<std::byte> bytes_of(double value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}
double number_in(const std::vector<std::byte>& bytes) {
  double value = 0;
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

class Tracers final : public scree::Modifier {
 public:
  explicit Tracers(double lifetime) : lifetime_(lifetime) {}

  void begin(scree::World& world) override {
    table_ = &world.table("tracers");
    position_ = table_->column<Vec3>("position", "m");
    born_ = table_->column<double>("born", "s");
    carrier_ = table_->column<Id>("carrier");
    world.metric("tracers_heard");
  }

  void apply(scree::World& world, const scree::ContactView*, scree::HistoryStore&) override {
    remove_old(world);
    const auto ids = world.id.read();
    const std::size_t first = table_->size(), bodies = ids.size();
    table_->add(bodies);
    {
      const auto x = position_.write();
      const auto born = born_.write();
      const auto carrier = carrier_.write();
      for (std::size_t k = 0; k < bodies; ++k) {
        born[first + k] = world.time;
        carrier[first + k] = ids[k];
      }
      const auto at = world.position.read();
      for (std::size_t i = 0; i < x.size(); ++i)
        if (const auto row = world.row(carrier[i])) x[i] = at[*row];
    }
    // Rows of a table may change order like those of bodies.
    std::vector<std::uint32_t> order(table_->size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(order.size() - 1 - i);
    table_->reorder(order);
  }

  void edited(const scree::World& world, const scree::EditLog& edits) override {
    if (!edits.removed.empty()) return;
    const auto& log = table_->edits();
    for (const Id id : log.added) heard_ += table_->row(id) ? 1 : 1e6;
    for (const Id id : log.removed) heard_ += table_->row(id) ? 1e6 : 1;
    const_cast<scree::World&>(world).metric("tracers_heard") = heard_;
  }
  std::vector<std::byte> save() const override { return bytes_of(heard_); }
  void load(const std::vector<std::byte>& state) override { heard_ = number_in(state); }

 private:
  void remove_old(const scree::World& world) {
    std::vector<Id> old;
    const auto ids = table_->id.read();
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (world.time - born_[i] > lifetime_) old.push_back(ids[i]);
    table_->remove(old);
  }

  double lifetime_, heard_ = 0;
  scree::Table* table_ = nullptr;
  scree::Column<Vec3> position_;
  scree::Column<double> born_;
  scree::Column<Id> carrier_;
};

class TracerMean final : public scree::Observer {
 public:
  void open(const std::string& directory) override { file_ = directory + "/tracers.txt"; }
  void resume(std::uint64_t) override { resumed_ = true; }
  std::vector<std::string> files() const override { return {"tracers.txt"}; }
  void observe(const scree::World& world, const scree::ContactView*, const scree::Frame& frame) override {
    sum_ += static_cast<double>(world.further_tables().front()->size());
    std::ofstream out(file_, frame.index == 0 && !resumed_ ? std::ios::trunc : std::ios::app);
    out << frame.index << ' ' << sum_ / static_cast<double>(frame.index + 1) << '\n';
  }
  std::vector<std::byte> save() const override { return bytes_of(sum_); }
  void load(const std::vector<std::byte>& state) override { sum_ = number_in(state); }

 private:
  std::string file_;
  bool resumed_ = false;
  double sum_ = 0;
};

/// Symplectic Euler whose tenth steps are shorter: forgets when that was unless it is saved.
class CountingEuler final : public scree::Integrator {
 public:
  scree::IntegratorTraits traits() const override {
    return {.isotropic_inertia_only = true, .last_forces = scree::LastForces::start};
  }
  std::vector<std::byte> save() const override { return bytes_of(steps_); }
  void load(const std::vector<std::byte>& state) override { steps_ = number_in(state); }
  void step(scree::Mechanics& mechanics, double dt) override {
    scree::World& world = mechanics.world();
    const scree::Wrenches wrenches = mechanics.forces(dt, dt / 2);
    const double kick = ++steps_ == 10 ? 0.5 * dt : dt;
    if (steps_ == 10) steps_ = 0;
    {
      const auto x = world.position.write(), v = world.velocity.write(), w = world.angular_velocity.write();
      const auto q = world.orientation.write();
      const auto inverse_mass = world.inverse_mass.read();
      const auto inverse_inertia = world.inverse_inertia.read();
      for (std::size_t i = 0; i < world.size(); ++i) {
        if (inverse_mass[i] == 0) continue;
        v[i] += kick * inverse_mass[i] * wrenches.force[i];
        w[i] += kick * inverse_inertia[i][2] * wrenches.torque[i];
        x[i] += dt * v[i];
        q[i] = (scree::Quat(1, dt / 2 * w[i][0], dt / 2 * w[i][1], dt / 2 * w[i][2]) * q[i]).normalized();
      }
    }
    world.move_prescribed(world.time + dt);
    mechanics.commit();
  }

 private:
  double steps_ = 0;
};

}  // namespace

SCREE_PLUGIN(tracers, "1.0.0") {
  registrar.modifier("tracers",
                     [](const scree::Options& o) { return std::make_unique<Tracers>(o.number("lifetime")); });
  registrar.observer("tracer-mean", [](const scree::Options&) { return std::make_unique<TracerMean>(); });
  registrar.integrator("counting-euler", [](const scree::Options&) { return std::make_unique<CountingEuler>(); });
}
