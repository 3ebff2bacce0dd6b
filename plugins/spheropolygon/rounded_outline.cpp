#include "rounded_outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "edge_tree.hpp"

namespace scree::spheropolygon {

namespace {

using std::numbers::pi;

/// A point may be nearer to the skeleton than the radius by this part of the size and still be one of the boundary:
/// rounding. Where two offsets coincide (a slot as wide as the disc) both stay, and cancel.
constexpr double kTolerance = 1e-11;

Vec2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

OutlinePiece straight(const Vec2& from, const Vec2& to) { return {from, to}; }
OutlinePiece arc_of(const Vec2& centre, double radius, double begin, double end) {
  return {centre + radius * unit(begin), centre + radius * unit(end), centre, begin, end};
}

/// The part of a piece between two of its parameters, which run from 0 to 1.
OutlinePiece part(const OutlinePiece& piece, double radius, double s, double t) {
  if (piece.arc()) {
    const double sweep = piece.end - piece.begin;
    return arc_of(piece.centre, radius, piece.begin + s * sweep, piece.begin + t * sweep);
  }
  const Vec2 way = piece.to - piece.from;
  return straight(piece.from + s * way, piece.from + t * way);
}

Vec2 middle(const OutlinePiece& piece, double radius) {
  if (piece.arc()) return piece.centre + radius * unit((piece.begin + piece.end) / 2);
  return (piece.from + piece.to) / 2;
}

Box box_of_piece(const OutlinePiece& piece, double radius) {
  Box box;
  if (piece.arc()) {
    box.add(piece.centre);
    return box.grown(radius);
  }
  box.add(piece.from);
  box.add(piece.to);
  return box;
}

/// Parameter of a point on a piece, if the piece has it.
void add_parameter(const OutlinePiece& piece, const Vec2& p, std::vector<double>& cuts) {
  double t;
  if (piece.arc()) {
    const Vec2 from = p - piece.centre;
    const double beyond = std::fmod(std::atan2(from.y(), from.x()) - piece.begin, 2 * pi);
    t = (beyond < 0 ? beyond + 2 * pi : beyond) / (piece.end - piece.begin);
  } else {
    const Vec2 way = piece.to - piece.from;
    t = (p - piece.from).dot(way) / way.squaredNorm();
  }
  if (t > 0 && t < 1) cuts.push_back(t);
}

/// The points that the lines or circles of two pieces have in common; at most two.
std::vector<Vec2> common_points(const OutlinePiece& a, const OutlinePiece& b, double radius) {
  if (a.arc() && b.arc()) {
    const Vec2 way = b.centre - a.centre;
    const double d2 = way.squaredNorm(), h2 = radius * radius - d2 / 4;
    if (d2 == 0 || h2 < 0) return {};
    const Vec2 across = std::sqrt(h2 / d2) * Vec2(-way.y(), way.x()), m = (a.centre + b.centre) / 2;
    return {m + across, m - across};
  }
  if (a.arc()) return common_points(b, a, radius);
  const Vec2 way = a.to - a.from;
  if (b.arc()) {
    const Vec2 foot = a.from + (b.centre - a.from).dot(way) / way.squaredNorm() * way;
    const double h2 = radius * radius - (foot - b.centre).squaredNorm();
    if (h2 < 0) return {};
    const Vec2 along = std::sqrt(h2) * way.normalized();
    return {foot + along, foot - along};
  }
  const Vec2 other = b.to - b.from;
  const double det = cross(way, other);
  if (det == 0) return {};
  return {a.from + cross(b.from - a.from, other) / det * way};
}

/// The angle by which the way around turns at a vertex, left positive; back on itself is a left turn by pi.
double turn_at(const Vec2& in, const Vec2& out) {
  const double angle = std::atan2(cross(in, out), in.dot(out));
  return angle <= -pi ? pi : angle;
}

/// The offset curve of a closed way of vertices: a straight piece beside each edge, an arc about each convex vertex.
/// Beside hollow vertices the two straight pieces end where they meet, which keeps cuts between nearly parallel lines
/// exact; where one is too short for that they stay whole.
std::vector<OutlinePiece> offset_curve(const std::vector<Vec2>& way, double radius) {
  const std::size_t n = way.size();
  std::vector<OutlinePiece> pieces;
  const auto edge = [&](std::size_t k) { return Vec2(way[(k + 1) % n] - way[k % n]); };
  const auto trim = [&](std::size_t k) {  // at vertex k
    const Vec2 in = edge(k + n - 1), out = edge(k);
    const double turn = turn_at(in, out), length = turn < 0 ? radius * std::tan(-turn / 2) : 0;
    return length < 0.5 * std::min(in.norm(), out.norm()) ? length : 0;
  };
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 along = edge(k).normalized(), out(along.y(), -along.x());
    const double turn = turn_at(edge(k + n - 1), edge(k));
    if (turn > 0 && radius > 0) {
      const double end = std::atan2(out.y(), out.x());
      pieces.push_back(arc_of(way[k], radius, end - turn, end));
    }
    pieces.push_back(
        straight(way[k] + radius * out + trim(k) * along, way[(k + 1) % n] + radius * out - trim((k + 1) % n) * along));
  }
  return pieces;
}

/// 16-point Gauss-Legendre on [-1, 1], positive half.
constexpr double kNode[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
                             0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499};
constexpr double kGauss[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
                              0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541};

/// Integrals over the area of 1, x, y, x^2, y^2 about a point near the body.
struct Sums {
  double area = 0, x = 0, y = 0, xx = 0, yy = 0;

  /// Adds what a small way (dx, dy) of the boundary at (px, py) contributes: Green's theorem.
  void add(double px, double py, double dx, double dy) {
    area += (px * dy - py * dx) / 2;
    x += px * px * dy / 2;
    y -= py * py * dx / 2;
    xx += px * px * px * dy / 3;
    yy -= py * py * py * dx / 3;
  }
};

/// Polynomials of degree 3 along straight pieces, of degree 4 in sine and cosine along arcs of at most pi: 16 points
/// are exact to rounding for both.
void add_piece(const OutlinePiece& piece, const Vec2& origin, Sums& sums) {
  for (int k = 0; k < 8; ++k)
    for (const double node : {-kNode[k], kNode[k]}) {
      const double w = kGauss[k] / 2, t = (1 + node) / 2;
      if (piece.arc()) {
        const double sweep = piece.end - piece.begin, radius = (piece.from - piece.centre).norm();
        const Vec2 e = unit(piece.begin + t * sweep), p = piece.centre - origin + radius * e;
        sums.add(p.x(), p.y(), -w * sweep * radius * e.y(), w * sweep * radius * e.x());
      } else {
        const Vec2 way = piece.to - piece.from, p = piece.from - origin + t * way;
        sums.add(p.x(), p.y(), w * way.x(), w * way.y());
      }
    }
}

}  // namespace

std::vector<OutlinePiece> rounded_outline(const Skeleton& polygon, double radius) {
  const std::vector<OutlinePiece> curve = offset_curve(polygon.vertices, radius);
  if (radius == 0) return curve;
  const EdgeTree skeleton(segments_of(polygon));
  std::vector<Box> boxes;
  Box all;
  for (const OutlinePiece& piece : curve) all.add(boxes.emplace_back(box_of_piece(piece, radius)));
  const double least = radius - kTolerance * (all.high - all.low).norm(), short_of = least * least;
  std::vector<OutlinePiece> boundary;
  std::vector<double> cuts;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    cuts = {0, 1};
    for (std::size_t j = 0; j < curve.size(); ++j)
      if (i != j && boxes[i].meets(boxes[j]))
        for (const Vec2& p : common_points(curve[i], curve[j], radius)) add_parameter(curve[i], p, cuts);
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      if (cuts[k] == cuts[k - 1]) continue;
      const OutlinePiece piece = part(curve[i], radius, cuts[k - 1], cuts[k]);
      if (skeleton.nearest(middle(piece, radius)).foot.d2 >= short_of) boundary.push_back(piece);
    }
  }
  return boundary;
}

std::vector<OutlinePiece> chain_outline(const Skeleton& chain, double radius) {
  std::vector<Vec2> way = chain.vertices;
  for (std::size_t k = chain.vertices.size() - 1; k-- > 1;) way.push_back(chain.vertices[k]);
  return offset_curve(way, radius);
}

AreaMoments moments(const std::vector<OutlinePiece>& boundary) {
  Box box;
  for (const OutlinePiece& piece : boundary) box.add(piece.from);
  const Vec2 origin = (box.low + box.high) / 2;
  Sums s;
  for (const OutlinePiece& piece : boundary) add_piece(piece, origin, s);
  const Vec2 c = Vec2(s.x, s.y) / s.area;
  return {s.area, origin + c, s.xx - s.area * c.x() * c.x(), s.yy - s.area * c.y() * c.y()};
}

std::vector<Vec2> outline_points(const std::vector<OutlinePiece>& boundary, double spacing, double angle) {
  std::vector<bool> used(boundary.size(), false);
  std::vector<Vec2> best;
  double best_area = 0;
  for (std::size_t first = 0; first < boundary.size(); ++first) {
    if (used[first]) continue;
    std::vector<Vec2> points;
    Sums area;
    for (std::size_t k = first; k < boundary.size() && !used[k];) {
      used[k] = true;
      const OutlinePiece& piece = boundary[k];
      add_piece(piece, boundary[first].from, area);
      const double radius = (piece.from - piece.centre).norm(), sweep = piece.end - piece.begin;
      const double parts =
          piece.arc() ? std::max(sweep / angle, radius * sweep / spacing) : (piece.to - piece.from).norm() / spacing;
      const int count = std::max(1, static_cast<int>(std::ceil(parts - 1e-9)));
      for (int i = 0; i < count; ++i) points.push_back(part(piece, radius, static_cast<double>(i) / count, 1).from);
      // The piece that goes on from here: nearly always the next one.
      std::size_t next = boundary.size();
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t j = 1; j <= boundary.size(); ++j) {
        const std::size_t candidate = (k + j) % boundary.size();
        const double gap = (boundary[candidate].from - piece.to).squaredNorm();
        if (gap < nearest) nearest = gap, next = candidate;
        if (gap == 0) break;
      }
      k = next;
    }
    if (area.area > best_area) best_area = area.area, best = std::move(points);
  }
  return best;
}

}  // namespace scree::spheropolygon
