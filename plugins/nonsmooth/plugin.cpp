#include "scree/plugin/plugin.hpp"

#include "ball_joint.hpp"
#include "coulomb_law.hpp"
#include "moreau_jean.hpp"

namespace scree::nonsmooth {
namespace {

coulomb::LocalSolver local_solver(const std::string& name) {
  if (name == "newton") return coulomb::LocalSolver::newton;
  if (name == "enumerative") return coulomb::LocalSolver::enumerative;
  return coulomb::LocalSolver::hybrid;
}

BondedContacts bonded_contacts(const std::string& name) {
  if (name == "sweeps") return BondedContacts::sweeps;
  return name == "auto" ? BondedContacts::automatic : BondedContacts::split_admm;
}

std::unique_ptr<Integrator> make_moreau_jean(const Options& options) {
  MoreauJeanOptions o;
  o.solver.measure = coulomb::Measure::impulse_error;
  o.solver.tolerance = options.number("tolerance");
  o.solver.max_sweeps = static_cast<int>(options.integer("max_sweeps"));
  o.solver.overtime = 1;  // a step that is not solved must not hold up the others
  o.solver.local = local_solver(options.text("local_solver"));
  o.warm_start = options.boolean("warm_start");
  o.drift = {options.number("drift_rate"), options.number("slop")};
  o.margin = options.number_or("margin", 0);
  if (options.has("dump")) {
    const Options dump = options.object("dump");
    o.dump = {dump.text("folder"), {dump.number("start"), dump.number("interval")}};
    o.dump.bonds = dump.boolean("bonds");
  }
  o.implicit_bonds = options.text("bonds") == "implicit";
  o.bonded_contacts = bonded_contacts(options.text("bonded_contacts"));
  o.most_iterates = static_cast<int>(options.integer("newton_iterations"));
  o.newton_tolerance = options.number("newton_tolerance");
  o.most_unconverged = static_cast<int>(options.integer("max_unconverged_steps"));
  return std::make_unique<MoreauJean>(o);
}

std::unique_ptr<ContactLaw> make_coulomb(const Options& options, const LawContext&) {
  return std::make_unique<CoulombLaw>(options.number("friction"), options.number("restitution"));
}

std::unique_ptr<BondLaw> make_ball_joint(const Options& options, const BondLawContext&) {
  return std::make_unique<BallJoint>(options.number("position"));
}

}  // namespace
}  // namespace scree::nonsmooth

SCREE_PLUGIN(nonsmooth, "1.0.0") {
  registrar.law("coulomb", scree::nonsmooth::make_coulomb);
  registrar.bond_law("ball-joint", scree::nonsmooth::make_ball_joint);
  registrar.integrator("moreau-jean", scree::nonsmooth::make_moreau_jean);
}
