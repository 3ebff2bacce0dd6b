#pragma once
/// \file Laws from the options of a scene.

#include "scree/plugin/plugin.hpp"

namespace scree::compliant {

std::unique_ptr<ContactLaw> make_linear(const Options& options, const LawContext& context);
std::unique_ptr<ContactLaw> make_power_law(const Options& options, const LawContext& context);
std::unique_ptr<ContactLaw> make_lennard_jones(const Options& options, const LawContext& context);
std::unique_ptr<ContactLaw> make_hertz_mindlin(const Options& options, const LawContext& context);

}  // namespace scree::compliant
