/// \file Pairs of slender bodies: by boxes around their paths, then by the distance of the segments.

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/contacts/lists/slender_bodies.hpp"
#include "scree/grid/box_tree.hpp"
#include "scree/shape/segment_distance.hpp"

namespace scree {

namespace {

/// Number of bodies per unit of parallel work: a constant, so that the order of pairs does not depend on threads.
constexpr std::size_t kUnit = 256;
/// Number of times that a time interval in which two segments may meet is halved before they count as meeting.
constexpr int kHalvings = 3;

}  // namespace

class SlenderBodies::PairSearch {
 public:
  PairSearch(const SlenderBodies& bodies, const Search& search) : b_(bodies), s_(search) {
    if (s_.paths.any()) {
      velocity_ = s_.paths.velocity(), turning_ = s_.paths.turning(), slack_ = s_.paths.slack();
      horizon_ = s_.paths.horizon();
    }
    axis_.resize(s_.radius.size());
    for (const std::uint32_t row : s_.rows) {
      (slender(row) ? slender_ : others_).push_back(row);
      axis_[row] = b_.axis_of(s_.poses.orientation[row]);
    }
  }

  std::vector<ImagePair> pairs() const {
    std::vector<ImagePair> all;
    PeriodicPairs().find(s_.poses.cell, s_.poses.position, s_.grown, others_, s_.reach, all);
    for (ImagePair& p : all) p = in_order(p.i, p.j, p.image);
    if (slender_.empty()) return all;
    std::vector<MovingBox> boxes;
    for (const std::uint32_t row : slender_) boxes.push_back(box_of(row));
    const BoxTree tree(boxes);
    const std::size_t alike = (slender_.size() + kUnit - 1) / kUnit, unlike = (others_.size() + kUnit - 1) / kUnit;
    std::vector<std::vector<ImagePair>> found(alike + unlike);
#pragma omp parallel for schedule(dynamic, 1) if (found.size() > 1)
    for (std::size_t u = 0; u < found.size(); ++u)
      u < alike ? among_slender(tree, boxes, u, found[u]) : with_others(tree, u - alike, found[u]);
    for (const auto& of_unit : found) all.insert(all.end(), of_unit.begin(), of_unit.end());
    return all;
  }

  /// Returns how far a body reaches beyond its place on its path [m]: laws included, and half of further reaches.
  double grown(std::uint32_t row) const {
    const double at_rest = s_.grown[row] - s_.radius[row] + s_.reach / 2;
    return slender(row) && horizon_ > 0 ? at_rest - s_.skin / 2 + slack_[row] : at_rest;
  }
  /// Returns the length of a path [m].
  double length(std::uint32_t row) const {
    return slender(row) && horizon_ > 0 ? horizon_ * (velocity_[row].norm() + turning_[row].norm()) : 0;
  }

 private:
  bool slender(std::uint32_t row) const { return b_.half_length_[row] > 0; }
  double core(std::uint32_t row) const { return b_.core_[row] + grown(row); }
  static ImagePair in_order(std::uint32_t i, std::uint32_t j, const Image& image) {
    return i < j ? ImagePair{i, j, image} : ImagePair{j, i, -image};
  }

  /// Returns the middle of a body on its path. \param time  from the beginning [s]
  Vec3 middle(std::uint32_t row, double time) const {
    const Vec3& x = s_.poses.position[row];
    return slender(row) && horizon_ > 0 ? Vec3(x + time * velocity_[row]) : x;
  }
  Vec3 half(std::uint32_t row, double time) const {
    if (!slender(row)) return Vec3::Zero();
    const Vec3 half = b_.half_length_[row] * axis_[row];
    return horizon_ > 0 ? Vec3(half + time * turning_[row]) : half;
  }

  MovingBox box_of(std::uint32_t row) const {
    MovingBox box;
    for (int t = 0; t < 2; ++t) {
      const Vec3 x = middle(row, t * horizon_);
      // Rounding must not lose a pair.
      const Vec3 extent = half(row, t * horizon_).cwiseAbs() + Vec3::Constant(core(row) * (1 + 1e-12));
      box.low[t] = x - extent;
      box.high[t] = x + extent;
    }
    return box;
  }

  /// Calls each(image) for the images in which boxes of the tree may meet this one.
  template <class Each>
  void for_images(const BoxTree& tree, const MovingBox& box, const Each& each) const {
    const PeriodicCell& cell = s_.poses.cell;
    if (!cell.any()) return each(Image(Image::Zero()));
    const MovingBox all = tree.whole();
    for_each_image(cell, box.low[0].cwiseMin(box.low[1]) - all.high[0].cwiseMax(all.high[1]),
                   box.high[0].cwiseMax(box.high[1]) - all.low[0].cwiseMin(all.low[1]), each);
  }

  /// Finds pairs of each body with those behind it along the tree, and with all in images that are ahead.
  void among_slender(const BoxTree& tree, std::span<const MovingBox> boxes, std::size_t unit,
                     std::vector<ImagePair>& found) const {
    for (std::size_t k = unit * kUnit; k < std::min(tree.size(), (unit + 1) * kUnit); ++k) {
      const std::uint32_t row = slender_[tree.at(k)];
      const MovingBox& box = boxes[tree.at(k)];
      for_images(tree, box, [&](const Image& image) {
        const int ahead = image[2] != 0 ? image[2] : image[1] != 0 ? image[1] : image[0];
        if (ahead >= 0) look(tree, row, box, image, ahead > 0 ? 0 : k + 1, found);
      });
    }
  }

  void with_others(const BoxTree& tree, std::size_t unit, std::vector<ImagePair>& found) const {
    for (std::size_t k = unit * kUnit; k < std::min(others_.size(), (unit + 1) * kUnit); ++k) {
      const MovingBox box = box_of(others_[k]);
      for_images(tree, box, [&](const Image& image) { look(tree, others_[k], box, image, 0, found); });
    }
  }

  void look(const BoxTree& tree, std::uint32_t row, const MovingBox& box, const Image& image, std::size_t from,
            std::vector<ImagePair>& found) const {
    tree.find(box.shifted(-s_.poses.cell.shift(image)), from, [&](std::size_t k) {
      const std::uint32_t other = slender_[tree.at(k)];
      if (other == row) return;
      const ImagePair pair = in_order(row, other, image);
      if (meet(pair)) found.push_back(pair);
    });
  }

  /// Returns two segments, or a segment and a sphere, at a time on their paths.
  SegmentPair at(const ImagePair& p, double time) const {
    const Vec3 between = middle(p.j, time) + s_.poses.cell.shift(p.image) - middle(p.i, time);
    if (horizon_ == 0) return {between, axis_[p.i], axis_[p.j], b_.half_length_[p.i], b_.half_length_[p.j]};
    const Vec3 a = half(p.i, time), b = half(p.j, time);
    const double length_a = a.norm(), length_b = b.norm();
    const Vec3 axis_a = length_a > 0 ? Vec3(a / length_a) : Vec3::UnitX();
    const Vec3 axis_b = length_b > 0 ? Vec3(b / length_b) : Vec3::UnitX();
    return {between, axis_a, axis_b, length_a, length_b};
  }

  bool meet(const ImagePair& p) const {
    const double most = core(p.i) + core(p.j);
    if (horizon_ == 0) return nearer(at(p, 0), most, most) == Nearer::yes;
    const auto rate = [&](const std::span<const Vec3>& of, std::uint32_t row) {
      return slender(row) ? of[row] : Vec3(Vec3::Zero());
    };
    const Vec3 velocity = rate(velocity_, p.j) - rate(velocity_, p.i);
    const Vec3 turn_a = rate(turning_, p.i), turn_b = rate(turning_, p.j);
    const Vec3 alike = turn_b - turn_a, unlike = turn_b + turn_a;
    // |v + x|^2 or |v - x|^2, of the pair of ends that separate fastest
    const double speed2 = velocity.squaredNorm() + std::max(alike.squaredNorm() + 2 * std::abs(velocity.dot(alike)),
                                                            unlike.squaredNorm() + 2 * std::abs(velocity.dot(unlike)));
    return meet(p, most, std::sqrt(speed2), 0, horizon_, kHalvings);
  }

  enum class Nearer { no, perhaps, yes };
  /// Checks whether two segments are nearer than one distance, or may be nearer than the other.
  static Nearer nearer(const SegmentPair& segments, double surely, double perhaps) {
    if (beside(segments, perhaps) || lines_apart(segments, perhaps)) return Nearer::no;
    const double square = nearest_points(segments).square;
    return square < surely * surely ? Nearer::yes : square < perhaps * perhaps ? Nearer::perhaps : Nearer::no;
  }

  /// Checks whether two segments come nearer to each other than `most` between two times; true also if that is not
  /// ruled out.
  /// \param speed  largest speed of approach [m/s]
  bool meet(const ImagePair& p, double most, double speed, double from, double to, int halvings) const {
    const double time = (from + to) / 2;
    const Nearer now = nearer(at(p, time), most, most + speed * (to - from) / 2);
    if (now != Nearer::perhaps) return now == Nearer::yes;
    if (halvings == 0) return true;
    return meet(p, most, speed, from, time, halvings - 1) || meet(p, most, speed, time, to, halvings - 1);
  }

  const SlenderBodies& b_;
  const Search& s_;
  double horizon_ = 0;
  std::span<const Vec3> velocity_, turning_;  ///< by row; empty without paths
  std::span<const double> slack_;
  std::vector<Vec3> axis_;                       ///< by row
  std::vector<std::uint32_t> slender_, others_;  ///< rows
};

std::vector<ImagePair> SlenderBodies::pairs(const Search& search) const { return PairSearch(*this, search).pairs(); }

std::vector<double> SlenderBodies::reaches_of_paths(const Search& search) const {
  std::vector<double> reaches(search.radius.size());
  const PairSearch pairs(*this, search);
  for (const std::uint32_t row : search.rows)
    reaches[row] = search.radius[row] + std::max(0.0, pairs.grown(row)) + pairs.length(row);
  return reaches;
}

}  // namespace scree
