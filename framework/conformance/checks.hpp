#pragma once
/// \file Checks of one method, by its kind. Faults are failed rows; exceptions of guards are passed on.

#include <string>

#include "conformance/row.hpp"
#include "conformance/trial_scene.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::conformance {

Rows check_shape(const Registry& registry, const std::string& name);
Rows check_detector(const Registry& registry, const std::string& name);
Rows check_law(const Registry& registry, const std::string& name);
Rows check_bond_law(const Registry& registry, const std::string& name);
Rows check_integrator(const Registry& registry, const std::string& name);
Rows check_packing(const Registry& registry, const std::string& name);

/// Checks wrong and odd options of a method of any kind.
Rows check_options(const Registry& registry, const TrialScene& trial);
/// Checks threads and resume.
Rows check_runs(const Registry& registry, const TrialScene& trial);

}  // namespace scree::conformance
