#include "scree/shape/detail/radial_field.hpp"

#include <algorithm>
#include <cmath>

#include "scree/base/lanes.hpp"

namespace scree::detail {

/// Indices of the coordinate that counts in a face of the cube, and of the two that follow it.
struct RadialField::FaceAxes {
  int major, second, third;
};

/// Place of a direction among the cells of the cube's faces.
struct RadialField::CellPlace {
  FaceAxes axes;
  const double *p, *w;  ///< the first of 4 x 4 control values
  double s, t;          ///< on the face, -1 to 1
  double f, g;          ///< through the cell
  double inverse;       ///< 1/|x| of the major coordinate x
};

RadialField::FaceAxes RadialField::axes_of(int major) { return {major, (major + 1) % 3, (major + 2) % 3}; }

namespace {

/// Weights of four control values within a cell.
Lanes spline_values(double f) {
  const double g = 1 - f, f2 = f * f, g2 = g * g;
  return Lanes{g2 * g / 6, 2.0 / 3 - f2 + 0.5 * f2 * f, 2.0 / 3 - g2 + 0.5 * g2 * g, f2 * f / 6};
}
/// Derivatives of the weights by the way through the cell.
Lanes spline_slopes(double f) {
  const double g = 1 - f;
  return Lanes{-0.5 * g * g, f * (1.5 * f - 2), g * (2 - 1.5 * g), 0.5 * f * f};
}
/// Second derivatives of the weights by the way through the cell.
Lanes spline_bends(double f) { return Lanes{1 - f, 3 * f - 2, 1 - 3 * f, f}; }

double dot(Lanes a, Lanes b) {
  const Lanes c = a * b;
  return (c[0] + c[1]) + (c[2] + c[3]);
}

/// Control values of the cubic spline near samples, c = f - d2 f/6 + d4 f/36 of their differences: it reproduces
/// quintic functions at the samples. \param f  the middle one of five  \param stride  from one to the next
RadialPart control(const RadialPart* f, std::ptrdiff_t stride) {
  const auto mixed = [&](double RadialPart::*of) {
    const double outer = f[-2 * stride].*of + f[2 * stride].*of, inner = f[-stride].*of + f[stride].*of;
    return (f->*of * 54 - inner * 10 + outer) / 36;
  };
  return {mixed(&RadialPart::p), mixed(&RadialPart::w)};
}

}  // namespace

RadialPart radial_part(double radius, const Vec3& slope) {
  const double w = radius / std::sqrt(radius * radius + slope.squaredNorm());
  return {w * radius, w};
}

RadialField::RadialField(const Part& part, int cells, double core) : cells_(cells), core_(core) {
  if (cells == 0) {
    part_ = part;
    return;
  }
  for (int face = 0; face < 6; ++face) fill_face(face, part);
}

void RadialField::fill_face(int face, const Part& part) {
  const int n = cells_ + 7, m = cells_ + 3;  // three rows of samples beyond each edge, and one of control values
  const FaceAxes axes = axes_of(face / 2);
  const auto place = [&](int i) { return 2.0 * (i - 3) / cells_ - 1; };
  std::vector<RadialPart> sample, along;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      Vec3 d;
      d[axes.major] = face % 2 == 0 ? 1 : -1;
      d[axes.second] = place(i);
      d[axes.third] = place(j);
      sample.push_back(part(d.normalized()));
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) along.push_back(control(&sample[static_cast<std::size_t>(j * n + i + 2)], 1));
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      const RadialPart knot = control(&along[static_cast<std::size_t>((j + 2) * m + i)], m);
      p_.push_back(knot.p), w_.push_back(knot.w);
    }
}

double RadialField::beyond_core(Vec3& at) const {
  const double rho = at.norm();
  if (rho >= core_) return rho;
  at = rho > 0 ? Vec3(core_ / rho * at) : Vec3(core_ * Vec3::UnitX());
  return rho;
}

RadialField::CellPlace RadialField::place(const Vec3& at) const {
  const double x = std::abs(at[0]), y = std::abs(at[1]), z = std::abs(at[2]);
  CellPlace c;
  c.axes = axes_of(x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2));
  const int m = cells_ + 3, face = 2 * c.axes.major + (at[c.axes.major] < 0 ? 1 : 0);
  c.inverse = 1 / std::abs(at[c.axes.major]);
  c.s = at[c.axes.second] * c.inverse;
  c.t = at[c.axes.third] * c.inverse;
  const double to_s = (c.s + 1) * 0.5 * cells_, to_t = (c.t + 1) * 0.5 * cells_;
  const int i = std::min(static_cast<int>(to_s), cells_ - 1), j = std::min(static_cast<int>(to_t), cells_ - 1);
  const std::ptrdiff_t first = (face * m + j) * m + i;
  c.p = p_.data() + first, c.w = w_.data() + first;
  c.f = to_s - i;
  c.g = to_t - j;
  return c;
}

double RadialField::depth_from_table(Vec3 at) const {
  const double rho = beyond_core(at);
  const CellPlace c = place(at);
  const Lanes b = spline_values(c.g), way = all_lanes(rho);
  Lanes u = {};
  for (int j = 0; j < 4; ++j) {
    const std::ptrdiff_t row = j * (cells_ + 3);
    u += all_lanes(b[j]) * (load_lanes(c.p + row) - way * load_lanes(c.w + row));
  }
  return dot(spline_values(c.f), u);
}

FieldValue RadialField::from_table(Vec3 at) const {
  const double rho = beyond_core(at);
  const CellPlace c = place(at);
  const Lanes a = spline_values(c.f), b = spline_values(c.g), b_slope = spline_slopes(c.g), way = all_lanes(rho);
  Lanes sum_w = {}, sum_u = {}, sum_t = {};
  for (int j = 0; j < 4; ++j) {
    const std::ptrdiff_t row = j * (cells_ + 3);
    const Lanes of_w = load_lanes(c.w + row), of_u = load_lanes(c.p + row) - way * of_w;
    sum_w += all_lanes(b[j]) * of_w;
    sum_u += all_lanes(b[j]) * of_u;
    sum_t += all_lanes(b_slope[j]) * of_u;
  }
  const double w = dot(a, sum_w), u = dot(a, sum_u), by_s = dot(spline_slopes(c.f), sum_u), by_t = dot(a, sum_t);
  const double scale = 0.5 * cells_ * c.inverse, towards = at[c.axes.major] < 0 ? 1 : -1;
  FieldValue value{u, -w / std::max(rho, core_) * at};
  value.gradient[c.axes.second] += scale * by_s;
  value.gradient[c.axes.third] += scale * by_t;
  value.gradient[c.axes.major] += towards * scale * (c.s * by_s + c.t * by_t);
  return value;
}

/// Chain rule for U(s, t, rho) = p(s, t) - rho w(s, t), with s = y/|x| and t = z/|x| on the face of the coordinate x.
DepthCurvature RadialField::from_splines(Vec3 at) const {
  const double rho = beyond_core(at);
  const CellPlace c = place(at);
  const Lanes a = spline_values(c.f), a_slope = spline_slopes(c.f), a_bend = spline_bends(c.f);
  const Lanes b = spline_values(c.g), b_slope = spline_slopes(c.g), b_bend = spline_bends(c.g), way = all_lanes(rho);
  Lanes w = {}, w_by_t = {}, u = {}, u_by_t = {}, u_by_tt = {};  // along s, summed over rows in t
  for (int j = 0; j < 4; ++j) {
    const std::ptrdiff_t row = j * (cells_ + 3);
    const Lanes of_w = load_lanes(c.w + row), of_u = load_lanes(c.p + row) - way * of_w;
    w += all_lanes(b[j]) * of_w;
    w_by_t += all_lanes(b_slope[j]) * of_w;
    u += all_lanes(b[j]) * of_u;
    u_by_t += all_lanes(b_slope[j]) * of_u;
    u_by_tt += all_lanes(b_bend[j]) * of_u;
  }
  const double per = 0.5 * cells_;  // cells per unit of s and t
  const double by_s = per * dot(a_slope, u), by_t = per * dot(a, u_by_t), by_ss = per * per * dot(a_bend, u),
               by_tt = per * per * dot(a, u_by_tt), by_st = per * per * dot(a_slope, u_by_t), of_w = dot(a, w);
  const double sign = at[c.axes.major] < 0 ? -1 : 1, r = std::max(rho, core_);
  Vec3 major = Vec3::Zero(), s_gradient = Vec3::Zero(), t_gradient = Vec3::Zero();
  major[c.axes.major] = sign * c.inverse;  // gradient of log |x|
  s_gradient[c.axes.second] = c.inverse;
  t_gradient[c.axes.third] = c.inverse;
  s_gradient -= c.s * major;
  t_gradient -= c.t * major;
  const Vec3 out = at / r, w_gradient = per * (dot(a_slope, w) * s_gradient + dot(a, w_by_t) * t_gradient);
  const Vec3 across = by_s * s_gradient + by_t * t_gradient;  // of U at constant rho

  DepthCurvature found{dot(a, u), across - of_w * out, Mat3()};
  // Second derivatives of s and t: -(grad s grad log|x| + grad log|x| grad s).
  const Vec3 of_s = by_ss * s_gradient + by_st * t_gradient, of_t = by_st * s_gradient + by_tt * t_gradient;
  found.second = of_s * s_gradient.transpose() + of_t * t_gradient.transpose();
  found.second -= across * major.transpose() + major * across.transpose();
  found.second -= w_gradient * out.transpose() + out * w_gradient.transpose();
  found.second -= of_w / r * (Mat3::Identity() - out * out.transpose());
  return found;
}

DepthCurvature RadialField::direct_curvature(const Vec3& at) const {
  const double h = 1e-4 * std::max(at.norm(), core_);
  const FieldValue here = direct(at);
  DepthCurvature found{here.depth, here.gradient, Mat3()};
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    found.second.col(k) = (direct(at + step).gradient - direct(at - step).gradient) / (2 * h);
  }
  found.second = (0.5 * (found.second + found.second.transpose())).eval();
  return found;
}

FieldValue RadialField::direct(Vec3 at) const {
  constexpr double kStep = 5e-4;  // fourth order: truncation is about 1e-11, rounding less
  const double rho = beyond_core(at), length = std::max(rho, core_);
  const Vec3 e = at / length, u = e.unitOrthogonal(), v = e.cross(u);
  const auto here = [&](const Vec3& d) {
    const RadialPart part = part_(d);
    return part.p - part.w * rho;
  };
  const auto along = [&](const Vec3& axis) {
    const auto difference = [&](double h) {
      return (here(std::cos(h) * e + std::sin(h) * axis) - here(std::cos(h) * e - std::sin(h) * axis)) / (2 * h);
    };
    return (4 * difference(kStep) - difference(2 * kStep)) / 3;
  };
  const RadialPart part = part_(e);
  return {part.p - part.w * rho, (along(u) * u + along(v) * v) / length - part.w * e};
}

}  // namespace scree::detail
