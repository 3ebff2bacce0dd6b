#include "core.hpp"
#include "scree/base/version.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace scree::python;
  module.doc() = "Compiled part of scree; use the package scree.";
  module.attr("version") = SCREE_VERSION;
  bind_errors(module);
  py::class_<Core, std::shared_ptr<Core>> core(module, "Core");
  bind_simulation(module, core);
  bind_bodies(core);
  bind_rows(module);
  bind_contacts(core);
  bind_methods(module);
}
