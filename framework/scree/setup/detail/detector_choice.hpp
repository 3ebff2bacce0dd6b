#pragma once
/// \file Which detector serves two shapes.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scree/setup/detail/species.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Makes the detectors of a run, each when somebody needs it first, and chooses among them.
class DetectorChoice {
 public:
  DetectorChoice(const Scene& scene, const Registry& registry, Prepared& prepared)
      : scene_(scene), registry_(registry), prepared_(prepared), world_(*prepared.world) {}

  /// The detector an interaction asks for, or the most specific one that fits. Null only for a lone body that no
  /// detector would let meet its like.
  const ContactDetector* choose(const InteractionDef& def, const Species& p, const Species& q, bool optional);
  /// Detectors learn of shapes made since.
  void rebind();
  /// Type and options.
  const std::string& name(const ContactDetector* detector) const { return names_.at(detector); }
  const std::string& type(const ContactDetector* detector) const { return types_.at(detector); }

 private:
  void list_shapes();
  /// Once for each set of detectors. \param equal  names: the one taken, and those as good as it
  void warn_of_equals(const InteractionDef& def, const Species& p, const Species& q,
                      const std::vector<std::string>& equal);
  /// Once for each two detectors. \param passed_over  the better one, but for the bodies' sizes; may be empty
  void warn_of_sizes(const InteractionDef& def, const Species& p, const Species& q, const std::string& passed_over,
                     const std::string& taken);
  bool fits_but_for_size(const ContactDetector& detector, const Species& p, const Species& q) const;
  bool fits(const ContactDetector& detector, const Species& p, const Species& q) const;
  std::vector<std::string> fitting(const Species& p, const Species& q);
  /// The detectors "auto" may choose from: all that work without options of the user's.
  const std::vector<std::pair<std::string, const ContactDetector*>>& automatic();
  /// One detector per type and options, bound to all shapes.
  const ContactDetector* instance(const ObjectDef& object);

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  std::vector<const Shape*> shapes_;  ///< that detectors are bound to
  std::map<std::string, ContactDetector*> instances_;
  std::map<const ContactDetector*, std::string> names_, types_;
  std::set<std::string> warned_;  ///< what the user has been warned about
  std::vector<std::pair<std::string, const ContactDetector*>> automatic_;
};

}  // namespace scree::detail
