#pragma once
/// \file A step of StarDEM on a GPU as Schreck et al. (2024) describe it, sections 3 and 4: a grid of linked lists
/// filled with atomics, nodes of one side of each pair, distances from a sprite, no history. They do not say how forces
/// are added up: here with atomics. The number of a star decides which side's nodes are taken: the lower one's.
///
/// For comparison alone. Sums depend on the order of threads, and contacts of nodes of the other side are lost.

#include <cmath>

#include "bench/paper/atomics.hpp"
#include "bench/paper/data.hpp"

namespace scree::paper {

struct ClearGrid {
  static constexpr const char* kName = "clear-grid";
  Grid grid;
  SCREE_HD void operator()(std::uint32_t cell) const { grid.first[cell] = kNobody; }
};

struct FillGrid {
  static constexpr const char* kName = "fill-grid";
  Stars stars;
  Grid grid;
  SCREE_HD void operator()(std::uint32_t i) const {
    const Planar p = stars.place[i];
    grid.next[i] = exchange(grid.first + grid.row(p) * grid.columns + grid.column(p), i);
    stars.wrench[i] = {0, 0, 0};
  }
};

/// A star whose nodes are tested, and one whose sprite they are looked up in.
struct Sides {
  Planar own, other;
  float back_c, back_s;  ///< of the other's turn
  float c, s;            ///< of the turn of the own frame within the other's
  float x, y;            ///< the own centre in the other's frame [m]

  SCREE_HD Sides(const Planar& own_place, const Planar& other_place) : own(own_place), other(other_place) {
    const auto turn = static_cast<float>(own.turn - other.turn), back = static_cast<float>(other.turn);
    c = std::cos(turn), s = std::sin(turn);
    back_c = std::cos(back), back_s = std::sin(back);
    const auto dx = static_cast<float>(own.x - other.x), dy = static_cast<float>(own.y - other.y);
    x = back_c * dx + back_s * dy, y = back_c * dy - back_s * dx;
  }
  SCREE_HD Node seen(const Node& n) const { return {x + (c * n.x - s * n.y), y + (s * n.x + c * n.y)}; }
};

/// Contacts of one star with all of higher numbers nearby.
struct Collide {
  static constexpr const char* kName = "collide";
  Stars stars;
  Grid grid;
  Outline outline;
  Penalty law;

  SCREE_HD void operator()(std::uint32_t i) const {
    const Planar own = stars.place[i];
    const std::uint32_t column = grid.column(own), row = grid.row(own);
    Planar sum{0, 0, 0};
    std::uint32_t contacts = 0;
    for (std::uint32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < grid.rows; ++r)
      for (std::uint32_t c = column > 0 ? column - 1 : 0; c <= column + 1 && c < grid.columns; ++c)
        for (std::uint32_t j = grid.first[r * grid.columns + c]; j != kNobody; j = grid.next[j])
          if (j > i) contacts += meet(i, own, j, sum);
    stars.contacts[i] = contacts;
    add(i, sum);
  }

  /// \param sum  wrench on star i  \return contacts
  SCREE_HD std::uint32_t meet(std::uint32_t i, const Planar& own, std::uint32_t j, Planar& sum) const {
    const Planar other = stars.place[j];
    const double dx = other.x - own.x, dy = other.y - own.y, squared = dx * dx + dy * dy;
    if (!(squared < 4.0 * outline.radius * outline.radius)) return 0;

    // The nodes between the points where the bounding circles meet.
    constexpr float kTurn = 6.28318531f;
    const float step = kTurn / static_cast<float>(outline.nodes);
    const float towards = std::atan2(static_cast<float>(dy), static_cast<float>(dx)) - static_cast<float>(own.turn);
    const float half = std::acos(std::fmin(1.0f, static_cast<float>(std::sqrt(squared)) / (2 * outline.radius)));
    const int first = static_cast<int>(std::ceil((towards - half) / step));
    const int last = static_cast<int>(std::floor((towards + half) / step));
    const int nodes = static_cast<int>(outline.nodes);
    int node = first % nodes;
    if (node < 0) node += nodes;

    const Sides sides(own, other);
    std::uint32_t contacts = 0;
    int deepest = -1;
    float least = 0;
    for (int k = first; k <= last; ++k) {
      const Node p = sides.seen(outline.node[node]);
      Sprite::Place at;
      const float distance = outline.sprite.place(p.x, p.y, at) ? outline.sprite.between(at, &Texel::distance) : 1;
      if (distance < least) least = distance, deepest = node;
      if (deepest >= 0 && (distance >= 0 || k == last)) {
        push(i, j, sides, deepest, sum);
        ++contacts;
        deepest = -1, least = 0;
      }
      if (++node == nodes) node = 0;
    }
    return contacts;
  }

  /// The force of one contact. \param node  the deepest of star i within star j
  SCREE_HD void push(std::uint32_t i, std::uint32_t j, const Sides& sides, int node, Planar& sum) const {
    const Node p = sides.seen(outline.node[node]);
    Sprite::Place at;
    if (!outline.sprite.place(p.x, p.y, at)) return;
    const double depth = -outline.sprite.between(at, &Texel::distance);
    const float lx = outline.sprite.between(at, &Texel::nx), ly = outline.sprite.between(at, &Texel::ny);
    const double c = sides.back_c, s = sides.back_s;
    const double scale = 1 / std::sqrt(static_cast<double>(lx * lx + ly * ly));
    const double nx = scale * (c * lx - s * ly), ny = scale * (s * lx + c * ly);
    // From both centres to the node.
    const double bx = c * p.x - s * p.y, by = s * p.x + c * p.y;
    const double ax = bx + sides.other.x - sides.own.x, ay = by + sides.other.y - sides.own.y;

    const Planar v = stars.rate[i], w = stars.rate[j];
    const double ux = v.x - v.turn * ay - w.x + w.turn * by, uy = v.y + v.turn * ax - w.y - w.turn * bx;
    const double away = ux * nx + uy * ny, slip = ny * ux - nx * uy;  // along (ny, -nx)
    double normal = law.stiffness * depth - law.damping * away;
    normal = normal > 0 ? normal : 0;
    double tangential = law.tangential * law.dt * std::fabs(slip);
    tangential = tangential < law.friction * normal ? tangential : law.friction * normal;
    const double along = slip > 0 ? -tangential : tangential;
    const double fx = normal * nx + along * ny, fy = normal * ny - along * nx;
    sum.x += fx, sum.y += fy, sum.turn += ax * fy - ay * fx;
    add(j, {-fx, -fy, by * fx - bx * fy});
  }

  SCREE_HD void add(std::uint32_t i, const Planar& wrench) const {
    add_to(&stars.wrench[i].x, wrench.x);
    add_to(&stars.wrench[i].y, wrench.y);
    add_to(&stars.wrench[i].turn, wrench.turn);
  }
};

/// Semi-implicit Euler.
struct Move {
  static constexpr const char* kName = "move";
  Stars stars;
  double dt;  ///< [s]
  SCREE_HD void operator()(std::uint32_t i) const {
    Planar v = stars.rate[i], p = stars.place[i];
    const Planar f = stars.wrench[i];
    v.x += dt * f.x / stars.mass, v.y += dt * f.y / stars.mass, v.turn += dt * f.turn / stars.moment;
    p.x += dt * v.x, p.y += dt * v.y, p.turn += dt * v.turn;
    stars.rate[i] = v, stars.place[i] = p;
  }
};

}  // namespace scree::paper
