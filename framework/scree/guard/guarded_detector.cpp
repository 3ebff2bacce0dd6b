#include <fmt/format.h>

#include <cmath>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/guarded.hpp"

namespace scree {

namespace {

/// Tolerance of the squared length of a normal.
constexpr double kUnit = 1e-6;

/// Tolerance of a gap beyond the margin, relative to margin and body.
constexpr double kRounding = 1e-6;

/// Limit of a row in a detector's cache [bytes]: it should be a few lines of memory.
constexpr std::size_t kMostCache = std::size_t{1} << 20;

/// Contacts that detect() returned, and its input.
struct Contacts {
  const ContactBuffer& columns;
  const BodyView& bodies;
  std::span<const Pair> pairs;
  bool central, weighted;

  double numbers(std::size_t i) const {
    double sum = columns.overlap()[i] + columns.point(0)[i] + columns.point(1)[i] + columns.point(2)[i];
    if (central) sum += columns.arm_a()[i] + columns.arm_b()[i];
    if (weighted) sum += columns.energy_weight()[i] + columns.force_weight()[i];
    return sum;
  }
  bool good(std::size_t i) const { return std::isfinite(numbers(i)) && std::abs(length2(i) - 1) <= kUnit; }
  /// Checks whether the gap of a contact exceeds the margin [m] by more than rounding.
  bool too_far(std::size_t i, double margin) const {
    const Pair& pair = this->pairs[columns.pair()[i]];
    const double size = std::min(bodies.row[pair.a].radius, bodies.row[pair.b].radius);
    return -columns.overlap()[i] > margin + kRounding * (margin + (std::isfinite(size) ? size : 0));
  }
  double length2(std::size_t i) const {
    const double x = columns.normal(0)[i], y = columns.normal(1)[i], z = columns.normal(2)[i];
    return x * x + y * y + z * z;
  }

  /// Checks whether pairs are in order, and exist.
  bool in_order() const {
    const std::size_t size = columns.size();
    const std::uint32_t* const pair = columns.pair();
    std::uint32_t back = 0;
#pragma omp simd reduction(| : back)
    for (std::size_t i = 1; i < size; ++i) back |= pair[i] < pair[i - 1] ? 1u : 0u;
    return back == 0 && (size == 0 || pair[size - 1] < pairs.size());
  }

  /// Checks whether every number is finite, every normal of unit length, and no gap beyond the margin [m].
  bool sound(double margin) const {
    const std::size_t size = columns.size();
    const double *const overlap = columns.overlap(), *const px = columns.point(0), *const py = columns.point(1),
                        *const pz = columns.point(2), *const nx = columns.normal(0), *const ny = columns.normal(1),
                        *const nz = columns.normal(2);
    double zero = 0, furthest = 0, widest = 0;
#pragma omp simd reduction(+ : zero) reduction(max : furthest, widest)
    for (std::size_t i = 0; i < size; ++i) {
      const double length = nx[i] * nx[i] + ny[i] * ny[i] + nz[i] * nz[i];
      const double off = std::abs(length - 1);
      furthest = off > furthest ? off : furthest;
      widest = -overlap[i] > widest ? -overlap[i] : widest;
      zero += detail::zero_if_finite(overlap[i] + px[i] + py[i] + pz[i] + length);
    }
    bool good = zero == 0 && furthest <= kUnit && widest <= margin;
    if (central) good = good && detail::all_finite(columns.arm_a(), size) && detail::all_finite(columns.arm_b(), size);
    if (weighted)
      good =
          good && detail::all_finite(columns.energy_weight(), size) && detail::all_finite(columns.force_weight(), size);
    return good;
  }
};

class GuardedDetector final : public ContactDetector {
 public:
  GuardedDetector(const Method& method, std::unique_ptr<ContactDetector> detector)
      : method_(method), detector_(detail::not_null(method, std::move(detector))) {
    const DetectorTraits t = traits();
    if (t.dimension != 0 && t.dimension != 2 && t.dimension != 3)
      fail_contract(method_, "traits()",
                    fmt::format("dimension is {}; allowed are 2, 3, and 0 for both.", t.dimension));
    if (t.cache_row > kMostCache)
      fail_contract(method_, "traits()",
                    fmt::format("cache_row is {} bytes; allowed are {}.", t.cache_row, kMostCache));
    weighted_ = t.weighted;
  }
  ~GuardedDetector() override { destroy(method_, detector_); }

  DetectorTraits traits() const override {
    return guarded(method_, "traits()", [&] { return detector_->traits(); });
  }
  bool sees_orientation() const noexcept override { return detector_->sees_orientation(); }
  bool central() const noexcept override { return detector_->central(); }
  std::span<const std::string_view> quantities() const noexcept override { return detector_->quantities(); }

  const void* face(std::string_view name) const noexcept override { return detector_->face(name); }
  void bind(std::span<const Shape* const> shapes) override {
    guarded_set_up(method_, "bind()", [&] { detector_->bind(shapes); });
  }

  void prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
               PairCache& cache) const override {
    guarded(method_, "prepare()", [&] { detector_->prepare(bodies, pairs, skin, margin, cache); });
  }

  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override {
    guarded(method_, "detect()", [&] { detector_->detect(bodies, pairs, cache, margin, out); });
    const Contacts contacts{out, bodies, pairs, central(), weighted_};
    if (!contacts.in_order()) fail_order(contacts);
    if (!contacts.sound(margin)) look_closely(contacts, margin);
  }

  void match(const ContactMatch& contacts) const override {
    guarded(method_, "match()", [&] { detector_->match(contacts); });
    const auto check = [&](const std::int32_t* index, std::size_t size, std::size_t limit, const char* what) {
      for (std::size_t i = 0; i < size; ++i)
        if (index[i] < -1 || index[i] >= static_cast<std::int64_t>(limit))
          fail_contract(method_, "match()",
                        fmt::format("named {} {}; allowed are 0 to {}, and -1 for none.", what, index[i],
                                    static_cast<std::int64_t>(limit) - 1));
    };
    check(contacts.source, contacts.new_count, contacts.old_count, "as a source contact");
    if (contacts.successor)
      check(contacts.successor, contacts.old_count, contacts.new_count, "as an successor contact");
  }

 private:
  [[noreturn]] void fail_order(const Contacts& contacts) const {
    const std::uint32_t* const pair = contacts.columns.pair();
    for (std::size_t i = 0; i < contacts.columns.size(); ++i)
      if (pair[i] >= contacts.pairs.size())
        fail_contract(
            method_, "detect()",
            fmt::format("returned a contact of pair {}; it was given {} pairs.", pair[i], contacts.pairs.size()));
    fail_contract(method_, "detect()", "returned contacts in another order than that of its pairs.");
  }

  /// Fails, unless the only fault is a gap that rounding has made a little wider than the margin.
  void look_closely(const Contacts& c, double margin) const {
    for (std::size_t i = 0; i < c.columns.size(); ++i) {
      if (!c.good(i)) fail_numbers(c, i);
      if (!c.too_far(i, margin)) continue;
      const Pair& pair = c.pairs[c.columns.pair()[i]];
      fail_contract(
          method_, "detect()",
          fmt::format("returned a contact of bodies {} and {} across a gap of {:.6g} m; it was asked for gaps "
                      "up to {:.6g} m.",
                      c.bodies.row[pair.a].id, c.bodies.row[pair.b].id, -c.columns.overlap()[i], margin));
    }
  }

  [[noreturn]] void fail_numbers(const Contacts& c, std::size_t i) const {
    const Pair& pair = c.pairs[c.columns.pair()[i]];
    const BodyRow &a = c.bodies.row[pair.a], &b = c.bodies.row[pair.b];
    for (const BodyRow* body : {&a, &b})
      if (!body->position.allFinite() || !body->orientation.coeffs().allFinite())
        throw NumericalError(
            fmt::format("body {}: its position or orientation became NaN or infinite. Lower dt or the "
                        "stiffness.",
                        body->id));
    const Vec3 n = c.columns.normal_at(i), x = c.columns.point_at(i);
    const std::string contact = fmt::format(
        "the contact of bodies {} and {} has overlap {:.6g} m, normal ({:.6g}, {:.6g}, {:.6g}) and point ({:.6g}, "
        "{:.6g}, {:.6g}) m; ",
        a.id, b.id, c.columns.overlap()[i], n[0], n[1], n[2], x[0], x[1], x[2]);
    if (std::isfinite(c.numbers(i)) && n.allFinite())
      fail_contract(method_, "detect()", contact + fmt::format("the normal's length is {:.9g}, not 1.", n.norm()));
    scree::fail_numbers(method_, "detect()", contact + "these, its arms and its weights must be finite.");
  }

  Method method_;
  std::unique_ptr<ContactDetector> detector_;
  bool weighted_ = false;
};

}  // namespace

std::unique_ptr<ContactDetector> guarded(const Method& method, std::unique_ptr<ContactDetector> detector) {
  return std::make_unique<GuardedDetector>(method, std::move(detector));
}

}  // namespace scree
