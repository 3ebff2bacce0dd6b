#pragma once
/// \file All stages of a scene made before the first step, so that nothing can be found wrong in the middle of a run.

#include <string>
#include <vector>

#include "scree/run/course.hpp"

namespace scree {

struct RehearsedStage {
  std::string name;  ///< "" for a scene without stages
  double dt = 0;     ///< [s]
  std::vector<StepLimit> limits;
  std::vector<std::string> warnings, changes;
  std::vector<std::string> files;  ///< that its observers write
  double bytes = 0;                ///< that these take in the whole run, as far as they can say
};

/// Each stage as a scene of its own, from the bodies of the start.
/// \param first  what was made for the first stage, or for a scene without
/// \throws InputError
std::vector<RehearsedStage> rehearse_stages(const Scene& scene, const Registry& registry, const std::string& device,
                                            const Prepared& first);

}  // namespace scree
