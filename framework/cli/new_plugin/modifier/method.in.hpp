#pragma once

#include <scree/hooks/hook.hpp>

namespace @name@ {

/// Takes away bodies below a height, and counts them in a column of metrics.csv.
class Remover final : public scree::Modifier {
 public:
  /// \param height  [m], of centres: along z in 3D, along y in 2D
  explicit Remover(double height) : height_(height) {}
  void begin(scree::World& world) override;
  void apply(scree::World& world, const scree::ContactView* contacts, scree::HistoryStore& history) override;

 private:
  double height_;
};

}  // namespace @name@
