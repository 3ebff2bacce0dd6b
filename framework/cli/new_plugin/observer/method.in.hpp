#pragma once

#include <scree/hooks/hook.hpp>

namespace @name@ {

/// Mean height of the bodies that move [m]: along z in 3D, along y in 2D.
double mean_height(const scree::World& world);

/// Writes time and mean height to @name@.csv, a line per frame.
class Heights final : public scree::Observer {
 public:
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const scree::World& world, const scree::ContactView* contacts, const scree::Frame& frame) override;
  std::vector<std::string> files() const override { return {"@name@.csv"}; }

 private:
  std::string file_;
};

}  // namespace @name@
