#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/setup/detail/law_inputs.hpp"

namespace scree::detail {

namespace {

constexpr std::size_t kMost = ContactLaw::kMostInputs;

void require_few(std::size_t count, const char* of, const std::string& law, const std::string& where) {
  if (count > kMost)
    throw InputError(fmt::format("{}: law \"{}\" asks for {} {}; {} are allowed at most. Choose another law.", where,
                                 law, count, of, kMost));
}

}  // namespace

void bind_inputs(Interaction& interaction, World& world, const std::string& law, const std::string& where) {
  require_few(interaction.law->contact_inputs().size(), "quantities of a contact", law, where);
  require_few(interaction.law->body_inputs().size(), "columns of bodies", law, where);
  interaction.inputs = !interaction.law->contact_inputs().empty() || !interaction.law->body_inputs().empty();
  interaction.body_columns.clear();
  for (const std::string_view name : interaction.law->body_inputs()) {
    const ColumnStorage* const there = world.find_column(std::string(name));
    if (there && (there->type() != ColumnType::float64 || there->components() != 1))
      throw InputError(
          fmt::format("{}: law \"{}\" reads column \"{}\" of bodies, which does not hold one number of "
                      "double precision each. Choose another law.",
                      where, law, name));
    interaction.body_columns.push_back(world.column<double>(std::string(name)));
  }
}

std::array<int, kMost> quantities_for(const Interaction& interaction, const ContactDetector& detector,
                                      const std::string& law, const std::string& detector_name,
                                      const std::string& where) {
  std::array<int, kMost> numbers{-1, -1, -1, -1};
  const auto names = detector.quantities(), wanted = interaction.law->contact_inputs();
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto found = std::ranges::find(names, wanted[k]);
    if (found == names.end())
      throw InputError(fmt::format(
          "{}: law \"{}\" needs the {} of each contact, which detector \"{}\" does not tell. "
          "It tells: {}. Choose another detector or law.",
          where, law, wanted[k], detector_name, names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
    numbers[k] = static_cast<int>(found - names.begin());
  }
  return numbers;
}

}  // namespace scree::detail
