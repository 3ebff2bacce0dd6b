/// \file Conditions on a scene for several ranks.

#include <fmt/format.h>

#include <utility>

#include "scree/base/ranks.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree::detail {

namespace {

/// Observer on other ranks: it writes nothing. All ranks must refuse the same scenes and request the same results of
/// each step, so it still begins, and reports whether contacts are wanted.
class ObserverElsewhere final : public Observer {
 public:
  explicit ObserverElsewhere(std::unique_ptr<Observer> observer) : observer_(std::move(observer)) {}
  bool wants_contacts() const noexcept override { return observer_->wants_contacts(); }
  void begin(const World& world) override { observer_->begin(world); }
  void observe(const World&, const ContactView*, const Frame&) override {}
  std::vector<std::string> files() const override { return observer_->files(); }

 private:
  std::unique_ptr<Observer> observer_;
};

}  // namespace

void check_ranks(const Scene& scene, const Integrator& integrator) {
  if (current_ranks().one() || integrator.traits().face == ForceFace::kName) return;
  throw InputError(fmt::format(
      "{}: integrator \"{}\" solves all contacts of a step together, which ranks cannot share. Start it without mpirun "
      "and use --threads, or choose an integrator that asks for forces, such as \"velocity-verlet\".",
      scene.where("/integrator/type"), scene.integrator.type));
}

void check_ranks(const std::string& device) {
  if (current_ranks().one()) return;
  throw InputError(
      fmt::format("--device {}: ranks share the work of processors alone. Leave the option out, or start the run "
                  "without mpirun.",
                  device));
}

std::unique_ptr<Observer> only_on_first_rank(std::unique_ptr<Observer> observer) {
  if (current_ranks().first()) return observer;
  return std::make_unique<ObserverElsewhere>(std::move(observer));
}

}  // namespace scree::detail
