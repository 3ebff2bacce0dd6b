#pragma once
/// \file Choice of the detector for two shapes.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scree/setup/detail/species.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Makes the detectors of a run, each at its first use, and chooses among them.
class DetectorChoice {
 public:
  DetectorChoice(const Scene& scene, const Registry& registry, Prepared& prepared)
      : scene_(scene), registry_(registry), prepared_(prepared), world_(*prepared.world) {}

  /// Returns the detector that an interaction names, or the most specific one that fits. Null only for a single body
  /// that no detector can pair with another of its species.
  const ContactDetector* choose(const InteractionDef& def, const Species& p, const Species& q, bool optional);
  /// Binds detectors to shapes made since.
  void rebind();
  /// Returns the name of a detector: type and options.
  const std::string& name(const ContactDetector* detector) const { return names_.at(detector); }
  const std::string& type(const ContactDetector* detector) const { return types_.at(detector); }

 private:
  void list_shapes();
  /// Warns once for each set of detectors. \param equal  names: the chosen one, and equally specific ones
  void warn_of_equals(const InteractionDef& def, const Species& p, const Species& q,
                      const std::vector<std::string>& equal);
  /// Warns once for each two detectors. \param passed_over  the better one, if bodies had no scale; may be empty
  void warn_of_sizes(const InteractionDef& def, const Species& p, const Species& q, const std::string& passed_over,
                     const std::string& taken);
  bool fits_but_for_size(const ContactDetector& detector, const Species& p, const Species& q) const;
  bool fits(const ContactDetector& detector, const Species& p, const Species& q) const;
  std::vector<std::string> fitting(const Species& p, const Species& q);
  /// Returns the detectors that "auto" may choose from: all that work without options of the user.
  const std::vector<std::pair<std::string, const ContactDetector*>>& automatic();
  /// Returns the one detector of a type and options, bound to all shapes.
  const ContactDetector* instance(const ObjectDef& object);

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  std::vector<const Shape*> shapes_;  ///< shapes that detectors are bound to
  std::map<std::string, ContactDetector*> instances_;
  std::map<const ContactDetector*, std::string> names_, types_;
  std::set<std::string> warned_;  ///< subjects of warnings that were given
  std::vector<std::pair<std::string, const ContactDetector*>> automatic_;
};

}  // namespace scree::detail
