#pragma once
/// \file "grid-images/1": fields on grids of an integrator, for files and pictures.

#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/grid_image.hpp"

namespace scree {

/// A face of integrators. Asked only when somebody looks, between steps.
class SCREE_API GridImages {
 public:
  static constexpr std::string_view kName = "grid-images/1";
  virtual ~GridImages();
  /// As of the last step; none before the first one of a run, or of a resumed run.
  virtual std::vector<GridImage> images() const = 0;
};

}  // namespace scree
