#pragma once
/// \file Suite: all checks of all methods of one plugin.

#include <functional>
#include <string>

#include "conformance/isolated.hpp"
#include "conformance/row.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::conformance {

struct SuiteOptions {
  std::string library;  ///< file of the plugin, see FactoryInfo::library
  std::string scene;    ///< file of a scene that uses its methods; "": one is made for each
  int steps = 0;        ///< number of steps of runs; 0: 60 in made scenes, 1000 in a given one
  Limits limits;        ///< limits of one group of checks
};

/// Calls start("law/linear: runs") before each group of checks, and show(rows) after it. A check that the method's
/// schema names in "x-scree-not-checked", with a reason, is not applicable.
void test_plugin(const Registry& registry, const SuiteOptions& options,
                 const std::function<void(const std::string&)>& start, const std::function<void(const Rows&)>& show);

}  // namespace scree::conformance
