#include <scree/plugin/plugin.hpp>

#include "track.hpp"
#include "vtk_writer.hpp"

namespace {

scree::vtk::Settings settings(const scree::Options& options) {
  scree::vtk::Settings result{options.text("mode"),      options.boolean("contacts"), std::nullopt,
                              options.boolean("bonds"),  options.boolean("rods"),     options.boolean("tables"),
                              options.boolean("points"), options.boolean("grids")};
  if (!options.has("columns")) return result;
  result.columns.emplace();
  for (const scree::Options& name : options.objects("columns")) result.columns->push_back(name.as_text());
  return result;
}

}  // namespace

SCREE_PLUGIN(vtk, "1.0.0") {
  registrar.observer(
      "vtk", [](const scree::Options& options) { return std::make_unique<scree::vtk::VtkWriter>(settings(options)); });
  registrar.observer("track",
                     [](const scree::Options& options) { return std::make_unique<scree::vtk::Track>(options); });
}
