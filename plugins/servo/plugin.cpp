#include "scree/plugin/plugin.hpp"

#include "servo_wall.hpp"

SCREE_PLUGIN(servo, "1.0.0") {
  using namespace scree;
  registrar.modifier("servo-wall", [](const Options& options) {
    return std::make_unique<servo::ServoWall>(servo::read_settings(options));
  });
}
