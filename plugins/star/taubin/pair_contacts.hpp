#pragma once
/// \file One pair in double precision, node by node: plain, and the measure of the fast path.

#include "outline/crushed.hpp"
#include "outline/outline_pair.hpp"
#include "outline/regions.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "taubin/deep_node.hpp"
#include "taubin/star_detector.hpp"

namespace scree::star {

inline bool is_crushed(const DeepNode& node, const Outline& other) { return node.rho < kCrushed * other.r_min; }

/// \throws NumericalError as the other throw_crushed() does
[[noreturn]] void throw_crushed(const StarPair& pair, int inner);

/// \throws NumericalError when the centre of one outline lies inside the other
void check_centres(const StarPair& pair);

/// Appends the contacts of one pair.
void plain_contacts(const StarPair& pair, const TaubinOptions& options, double margin, PairHits& scratch,
                    ContactBuffer& out);

}  // namespace scree::star
