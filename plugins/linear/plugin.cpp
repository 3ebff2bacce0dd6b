#include "scree/plugin/plugin.hpp"

#include "linear_law.hpp"

namespace {

using namespace scree;

linear::Friction friction_kind(const std::string& name) {
  if (name == "none") return linear::Friction::none;
  return name == "viscous" ? linear::Friction::viscous : linear::Friction::spring;
}

std::unique_ptr<ContactLaw> make(const Options& options, const LawContext&) {
  linear::Parameters<double> p;
  p.normal_stiffness = options.number("normal_stiffness");
  p.normal_damping = options.number("normal_damping");
  p.tangential_stiffness = options.number_or("tangential_stiffness", p.normal_stiffness / 2);
  p.tangential_damping = options.number("tangential_damping");
  p.friction = options.number("friction");
  return std::make_unique<linear::LinearLaw>(p, friction_kind(options.text("tangential")));
}

}  // namespace

SCREE_PLUGIN(linear, "1.0.0") { registrar.law("linear", make); }
