#include "grid/transfers.hpp"

#include "grid/shape_functions.hpp"

namespace scree::continuum {

namespace {

template <int D>
void add(NodeValues<D>& to, const NodeValues<D>& from) {
  to.mass += from.mass;
  to.volume += from.volume;
  to.friction += from.friction;
  to.expansion += from.expansion;
  to.packed += from.packed;
  to.momentum += from.momentum;
  to.force += from.force;
}

/// Rows from their cells. \param of_cell  (cell, corner j, corner i)
template <int D, class OfCell>
void collect(const Grid<D>& grid, std::vector<StrainRow<D>>& out, const OfCell& of_cell) {
  out.resize(grid.nodes().size());
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < out.size(); ++j) {
    StrainRow<D>& row = out[j];
    row.node = grid.neighbours()[j];
    row.g.fill(Vec<D>::Zero());
    for (int corner = 0; corner < kCorners<D>; ++corner) {
      const std::uint32_t c = grid.cells_of_node()[j][corner];
      if (c == kNoNode) continue;
      for (int i = 0; i < kCorners<D>; ++i) row.g[neighbour_of_corner<D>(corner, i)] += of_cell(c, corner, i);
    }
  }
}

}  // namespace

template <int D>
void Transfers<D>::to_nodes(const Grid<D>& grid, const Points& points, std::vector<NodeValues<D>>& out) {
  const auto cells = grid.cells();
  const double h = grid.lattice().width;
  of_cell_.resize(cells.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto& tile = of_cell_[c];
    tile.fill({});
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const std::size_t p = grid.order()[k];
      const Vec<D>& local = grid.local()[k];
      const ShapeFunctions<D> shapes(local, h);
      const Vec<D> v = points.velocity[p].template head<D>(), f = points.force[p].template head<D>();
      const Mat<D> affine = h * points.affine[p].template topLeftCorner<D, D>();
      for (int corner = 0; corner < kCorners<D>; ++corner) {
        const double n = shapes.weight(corner);
        NodeValues<D>& node = tile[corner];
        node.mass += n * points.mass[p];
        node.volume += n * points.volume[p];
        node.friction += n * points.volume[p] * points.friction[p];
        node.expansion += n * points.volume[p] * points.expansion[p];
        node.packed += n * points.volume[p] / (1 + points.expansion[p]);
        node.momentum += n * points.mass[p] * (v + affine * arm<D>(local, corner));
        node.force += n * f;
      }
    }
  }
  out.assign(grid.nodes().size(), {});
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int corner = 0; corner < kCorners<D>; ++corner)
      if (const std::uint32_t c = grid.cells_of_node()[i][corner]; c != kNoNode) add(out[i], of_cell_[c][corner]);
}

template <int D>
void Transfers<D>::find_gradients(const Grid<D>& grid, std::span<const double> volume,
                                  std::span<const CellGradients<D>* const> known, std::span<const double> part) {
  const auto cells = grid.cells();
  const double h = grid.lattice().width;
  gradients_.resize(cells.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto& tile = gradients_[c];
    if (!known.empty() && known[c]) {
      tile = *known[c];
      if (!part.empty())
        for (auto& row : tile)
          for (Vec<D>& g : row) g *= part[c];
      continue;
    }
    for (auto& row : tile) row.fill(Vec<D>::Zero());
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const ShapeFunctions<D> shapes(grid.local()[k], h);
      const double v = volume[grid.order()[k]];
      std::array<Vec<D>, kCorners<D>> slope;
      for (int i = 0; i < kCorners<D>; ++i) slope[i] = shapes.gradient(i);
      for (int j = 0; j < kCorners<D>; ++j) {
        const double weight = v * shapes.weight(j);
        for (int i = 0; i < kCorners<D>; ++i) tile[j][i] += weight * slope[i];
      }
    }
  }
}

template <int D>
void Transfers<D>::gradients(const Grid<D>& grid, std::span<const double> volume,
                             std::span<const CellGradients<D>* const> known, std::span<const double> part,
                             std::vector<StrainRow<D>>& out) {
  find_gradients(grid, volume, known, part);
  collect(grid, out, [&](std::size_t c, int j, int i) { return gradients_[c][j][i]; });
}

template <int D>
void Transfers<D>::count_gradients(const Grid<D>& grid, std::span<const double> volume,
                                   std::vector<StrainRow<D>>& out) {
  find_gradients(grid, volume, {}, {});
  collect(grid, out, [&](std::size_t c, int j, int i) { return Vec<D>(-gradients_[c][i][j]); });
}

template <int D>
PointMotion<D> motion_of(const Grid<D>& grid, const typename Grid<D>::Cell& cell, std::size_t k,
                         std::span<const Vec<D>> u) {
  const ShapeFunctions<D> shapes(grid.local()[k], grid.lattice().width);
  PointMotion<D> motion{Vec<D>::Zero(), Mat<D>::Zero()};
  for (int i = 0; i < kCorners<D>; ++i) {
    const Vec<D>& of_node = u[cell.node[i]];
    motion.velocity += shapes.weight(i) * of_node;
    motion.gradient += of_node * shapes.gradient(i).transpose();
  }
  return motion;
}

template <int D>
double value_of(const Grid<D>& grid, const typename Grid<D>::Cell& cell, std::size_t k,
                std::span<const double> values) {
  const ShapeFunctions<D> shapes(grid.local()[k], grid.lattice().width);
  double sum = 0;
  for (int i = 0; i < kCorners<D>; ++i) sum += shapes.weight(i) * values[cell.node[i]];
  return sum;
}

template class Transfers<2>;
template class Transfers<3>;
template PointMotion<2> motion_of<2>(const Grid<2>&, const Grid<2>::Cell&, std::size_t, std::span<const Vec<2>>);
template PointMotion<3> motion_of<3>(const Grid<3>&, const Grid<3>::Cell&, std::size_t, std::span<const Vec<3>>);
template double value_of<2>(const Grid<2>&, const Grid<2>::Cell&, std::size_t, std::span<const double>);
template double value_of<3>(const Grid<3>&, const Grid<3>::Cell&, std::size_t, std::span<const double>);

}  // namespace scree::continuum
