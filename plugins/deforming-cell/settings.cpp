#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::deforming_cell {

namespace {

std::vector<Wanted> read_components(const Options& options, const char* key) {
  std::vector<Wanted> wanted;
  if (!options.has(key)) return wanted;
  const Options of = options.object(key);
  for (const Component& component : kComponents)
    if (of.has(component.name)) wanted.push_back({component, of.number(component.name)});
  return wanted;
}

}  // namespace

Settings read_settings(const Options& options) {
  Settings s;
  s.name = options.text("name");
  s.rates = read_components(options, "strain_rate");
  s.stresses = read_components(options, "stress");
  if (options.has("viscosity")) s.viscosity = options.number("viscosity");
  if (options.has("max_strain_rate")) s.max_rate = options.number("max_strain_rate");
  s.thickness = options.number("thickness");
  s.affine = options.boolean("affine");
  s.start = options.number_or("start", 0);
  s.interval = options.number_or("interval", 0);
  s.stop = options.number_or("stop", 1e300);
  if (s.rates.empty() && s.stresses.empty())
    throw OptionError("",
                      "deforming-cell: nothing says how the cell is to deform. Give a \"strain_rate\" [1/s] such as "
                      "{\"xy\": 1}, a \"stress\" [Pa] such as {\"yy\": 1000}, or both.");
  for (const Wanted& stress : s.stresses)
    for (const Wanted& rate : s.rates)
      if (std::string_view(stress.component.name) == rate.component.name)
        throw OptionError(fmt::format("/stress/{}", rate.component.name),
                          "deforming-cell: there is a strain rate of this component too. Give one of the two.");
  if (s.interval <= 0)
    throw OptionError("/interval",
                      "deforming-cell: a cell deforms from step to step. Give the time between two corrections of its "
                      "rate [s], such as the time step.");
  if (s.stop <= s.start)
    throw OptionError("/stop", fmt::format("deforming-cell: stop is {:.6g} s, not after the start at {:.6g} s. Give a "
                                           "later time, or remove it.",
                                           s.stop, s.start));
  return s;
}

}  // namespace scree::deforming_cell
