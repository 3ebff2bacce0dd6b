#include "grid/quadrature.hpp"

#include "grid/shape_functions.hpp"

namespace scree::continuum {

template <int D>
CellGradients<D> whole_cell(double width) {
  CellGradients<D> g;
  const double face = std::pow(width, D - 1);
  for (int j = 0; j < kCorners<D>; ++j)
    for (int i = 0; i < kCorners<D>; ++i)
      for (int k = 0; k < D; ++k) {
        double integral = (i >> k & 1 ? 0.5 : -0.5) * face;
        for (int l = 0; l < D; ++l)
          if (l != k) integral *= (i >> l & 1) == (j >> l & 1) ? 1 / 3. : 1 / 6.;
        g[j][i][k] = integral;
      }
  return g;
}

template <int D>
Vec<D> sample(int number) {
  Vec<D> x;
  for (int k = 0; k < D; ++k) x[k] = (number / power(kAlong<D>, k) % kAlong<D> + 0.5) / kAlong<D>;
  return x;
}

template <int D>
CellGradients<D> cut_cell(double width, std::span<const double> free) {
  CellGradients<D> g;
  for (auto& row : g) row.fill(Vec<D>::Zero());
  const double volume = std::pow(width / kAlong<D>, D);
  for (int s = 0; s < kSamples<D>; ++s) {
    if (free[s] == 0) continue;
    const ShapeFunctions<D> shapes(sample<D>(s), width);
    for (int j = 0; j < kCorners<D>; ++j) {
      const double weight = volume * free[s] * shapes.weight(j);
      for (int i = 0; i < kCorners<D>; ++i) g[j][i] += weight * shapes.gradient(i);
    }
  }
  return g;
}

template CellGradients<2> whole_cell<2>(double);
template CellGradients<3> whole_cell<3>(double);
template Vec<2> sample<2>(int);
template Vec<3> sample<3>(int);
template CellGradients<2> cut_cell<2>(double, std::span<const double>);
template CellGradients<3> cut_cell<3>(double, std::span<const double>);

}  // namespace scree::continuum
