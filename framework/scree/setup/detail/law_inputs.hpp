#pragma once
/// \file What laws read beyond the usual, found among the columns of bodies and what detectors tell.

#include <array>
#include <string>

#include "scree/contacts/methods.hpp"

namespace scree::detail {

/// Makes the columns of bodies that the law names.
/// \throws InputError for too many, or a column of another type
void bind_inputs(Interaction& interaction, World& world, const std::string& law, const std::string& where);

/// Which of the detector's quantities the law's are: Channel::quantity.
/// \throws InputError naming what the detector lacks
std::array<int, LawInputs::kMost> quantities_for(const Interaction& interaction, const ContactDetector& detector,
                                                 const std::string& law, const std::string& detector_name,
                                                 const std::string& where);

}  // namespace scree::detail
