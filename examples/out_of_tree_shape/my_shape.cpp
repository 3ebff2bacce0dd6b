// A third party's shape: a superellipse |x/a|^n + |y/b|^n = 1, written against the installed package alone.
// radius() is all the geometry there is; mass, outline, boundary nodes and signed distance are derived from it.

#include <scree/plugin/plugin.hpp>
#include <scree/shape/radial_shape.hpp>

#include <cmath>

namespace {

class Superellipse final : public scree::RadialShape2D {
 public:
  explicit Superellipse(const scree::Options& options)
      : a_(options.number("a")), b_(options.number("b")), n_(options.number("exponent")) {
    scree::RadialSettings settings;
    settings.thickness = options.number("thickness");
    derive(settings);
  }

  double radius(double theta) const override {
    return std::pow(std::pow(std::abs(std::cos(theta)) / a_, n_) + std::pow(std::abs(std::sin(theta)) / b_, n_), -1 / n_);
  }

 private:
  double a_, b_, n_;
};

}  // namespace

SCREE_PLUGIN(my_shape, "1.0.0") {
  registrar.shape("superellipse", [](const scree::Options& options) { return std::make_shared<Superellipse>(options); });
}
