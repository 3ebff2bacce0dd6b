#pragma once
/// \file Inputs of laws beyond the usual, found among the columns of bodies and the quantities of detectors.

#include <array>
#include <string>

#include "scree/model/methods.hpp"

namespace scree::detail {

/// Makes the columns of bodies that the law names.
/// \throws InputError for too many, or a column of another type
void bind_inputs(Interaction& interaction, World& world, const std::string& law, const std::string& where);

/// Returns the indices of the law's inputs among the detector's quantities: Channel::quantity.
/// \throws InputError naming what the detector lacks
std::array<int, ContactLaw::kMostInputs> quantities_for(const Interaction& interaction, const ContactDetector& detector,
                                                        const std::string& law, const std::string& detector_name,
                                                        const std::string& where);

}  // namespace scree::detail
