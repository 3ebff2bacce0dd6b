#pragma once
/// \file Sources of a clump's spheres: the scene, a file, or a built-in template.

#include <iosfwd>
#include <string>
#include <vector>

#include "scree/scene/options.hpp"
#include "sphere_body.hpp"

namespace scree::spheres {

/// One sphere per line: x y z r, separated by blanks, in any unit (an option scales). Lines that are empty or begin
/// with # are skipped.
/// \param name  name of the file, for messages
/// \throws InputError "file:line: ..."
Spheres read_spheres(std::istream& in, const std::string& name);

/// Names of the built-in templates, sorted.
std::vector<std::string> template_names();

/// \pre name is one of template_names()
///
/// cross-9 and cross-17 are the discs that come closest to the outline r(theta) = (2 + sin 4 theta)/3, whose largest
/// radius is 1: one in the middle and, on each arm (at pi/8 + k pi/2), two and four. Distances along the arm and radii
/// are those for which the area that only one of the two covers is least (fitted numerically to three digits): 5.4 %
/// and 1.6 % of the cross.
///
/// tetrapod: four spheres of radius 0.4 at the corners of a tetrahedron, 0.6 from its centre, and one of radius 0.4 in
/// the centre: a body of bounding radius 1.
Spheres built_in_template(const std::string& name);

/// The spheres of a clump as its options give them, scaled. \throws OptionError, InputError
Spheres clump_spheres(const Options& options, int dimension);

}  // namespace scree::spheres
