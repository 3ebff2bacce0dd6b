#include "bench/grains.hpp"

#include "plugins/compliant/law_models.hpp"

namespace scree::device {

void meet_as_grains(Packing& p, double modulus, double ratio) {
  const auto model = std::make_shared<compliant::HertzMindlinModel>();
  model->planar = false;
  model->p.elasticity = compliant::elasticity(modulus, ratio, modulus, ratio);
  model->p.damping_ratio = 0.2;
  model->p.friction = 0.5;
  static const char nothing = 0;
  p.methods->model = model;
  p.methods->law = {{"compliant", "hertz-mindlin", model.get()}, false, "hertz-mindlin-of-spheres"};
  p.methods->channel.curvature = true;
  p.methods->interaction.history = model->rolling_column();
  p.methods->interaction.needs = {.mass = true, .radius = true, .turn = true};
  p.define({"spheres", "sphere-sphere", &nothing}, 1, p.members.size() == 1, true);
}

}  // namespace scree::device
