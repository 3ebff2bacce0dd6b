#include "incremental/bond_term.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "beam/modes.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

namespace {

/// Groups of four bonds from which threads are worth their start.
constexpr std::ptrdiff_t kFoursFrom = 400, kClampFrom = 20, kBondRowsFrom = 1000;

Versor<Wide> versors(const Quat& a, const Quat& b, const Quat& c, const Quat& d) {
  const WideQuat q = pack(a, b, c, d);
  return {q.w(), q.vec()};
}

/// a b by components.
Versor<Wide> product(const Versor<Wide>& a, const Versor<Wide>& b) {
  return {a.w * b.w - a.v.dot(b.v), a.w * b.v + b.w * a.v + a.v.cross(b.v)};
}

[[noreturn]] void reject(std::size_t bond, const std::string& what) {
  throw std::invalid_argument("bond " + std::to_string(bond) + ": " + what);
}

void check(const BondColumns& c, std::size_t bodies) {
  const std::size_t n = c.size();
  for (const std::size_t size : {c.b.size(), c.stretch.size(), c.shear.size(), c.twist.size(), c.bend.size(),
                                 c.rest_length.size(), c.rest.size()})
    if (size != n) throw std::invalid_argument("BondColumns: every column has one entry per bond");
  if (c.made_a.size() != c.made_b.size() || (!c.made_a.empty() && c.made_a.size() != n))
    throw std::invalid_argument("BondColumns: made_a and made_b have one entry per bond each, or are both empty");
  std::vector<BodyPair> seen(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (c.a[k] >= bodies || c.b[k] >= bodies)
      reject(k, "joins bodies " + std::to_string(c.a[k]) + " and " + std::to_string(c.b[k]) + ", there are " +
                    std::to_string(bodies));
    if (c.a[k] == c.b[k]) reject(k, "joins body " + std::to_string(c.a[k]) + " with itself");
    if (!(c.rest_length[k] > 0))
      reject(k, "has a rest length of " + std::to_string(c.rest_length[k]) + " m; needs > 0");
    if (!(std::abs(c.rest[k].squaredNorm() - 1) < 1e-9)) reject(k, "has a rest direction that is not a unit vector");
    for (const double s : {c.stretch[k], c.shear[k], c.twist[k], c.bend[k]})
      if (!(s >= 0)) reject(k, "has a stiffness of " + std::to_string(s) + "; needs >= 0");
    seen[k] = std::minmax(c.a[k], c.b[k]);
  }
  std::sort(seen.begin(), seen.end());
  if (const auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end())
    throw std::invalid_argument("BondColumns: bodies " + std::to_string(twice->first) + " and " +
                                std::to_string(twice->second) + " have two bonds; one bond joins a pair");
}

/// Negative eigenvalues to 0. Translations stay without stiffness, so that the blocks keep their form.
BondHessian<double> clamped(const BondHessian<double>& h) {
  const Modes modes = modes_of(whole(h));
  if (modes.values[0] >= 0) return h;
  const Matrix12 c = modes.vectors * modes.values.cwiseMax(0).asDiagonal() * modes.vectors.transpose();
  return {c.block<3, 3>(6, 6), c.block<3, 3>(6, 3), c.block<3, 3>(6, 9),
          c.block<3, 3>(3, 3), c.block<3, 3>(3, 9), c.block<3, 3>(9, 9)};
}

}  // namespace

BondTerm::BondTerm(const BondColumns& c, std::size_t bodies) : bonds_(c.size()), bodies_(bodies), broken_(c.size(), 0) {
  check(c, bodies);
  four_.resize((bonds_ + 3) / 4);
  pair_.resize(4 * four_.size());
  end_start_.assign(bodies + 1, 0);
  if (!c.made_a.empty()) unmade_a_.resize(pair_.size()), unmade_b_.resize(pair_.size());
  for (std::size_t slot = 0; slot < pair_.size(); ++slot) {
    const std::size_t k = std::min(slot, bonds_ - 1);
    const int lane = static_cast<int>(slot % 4);
    Four& f = four_[slot / 4];
    const double stiff = slot < bonds_ ? 1 : 0;
    f.stiffness.stretch.v[lane] = stiff * c.stretch[k];
    f.stiffness.shear.v[lane] = stiff * c.shear[k];
    f.stiffness.twist.v[lane] = stiff * c.twist[k];
    f.stiffness.bend.v[lane] = stiff * c.bend[k];
    f.rest_length.v[lane] = c.rest_length[k];
    for (int x = 0; x < 3; ++x) f.rest[x].v[lane] = c.rest[k][x];
    pair_[slot] = {c.a[k], c.b[k]};
    if (!c.made_a.empty()) unmade_a_[slot] = c.made_a[k].conjugate(), unmade_b_[slot] = c.made_b[k].conjugate();
  }
  for (std::size_t k = 0; k < bonds_; ++k) ++end_start_[c.a[k] + 1], ++end_start_[c.b[k] + 1];
  for (std::size_t i = 0; i < bodies; ++i) end_start_[i + 1] += end_start_[i];
  end_.resize(2 * bonds_);
  std::vector<std::size_t> next(end_start_.begin(), end_start_.end() - 1);
  for (std::size_t k = 0; k < bonds_; ++k) {
    end_[next[c.a[k]]++] = {static_cast<std::uint32_t>(2 * k)};
    end_[next[c.b[k]]++] = {static_cast<std::uint32_t>(2 * k + 1)};
  }
}

Deformation<Wide> BondTerm::deformation_of(const Configuration& x, std::size_t four) const {
  const BodyPair* of = &pair_[4 * four];
  const auto position = [&](int lane) -> Vec3 { return x.branch(of[lane].first, of[lane].second); };
  const auto a = [&](int lane) -> const Quat& { return x.orientation[of[lane].first]; };
  const auto b = [&](int lane) -> const Quat& { return x.orientation[of[lane].second]; };
  Versor<Wide> turn_a = versors(a(0), a(1), a(2), a(3)), turn_b = versors(b(0), b(1), b(2), b(3));
  if (!unmade_a_.empty()) {
    const Quat *before_a = &unmade_a_[4 * four], *before_b = &unmade_b_[4 * four];
    turn_a = product(turn_a, versors(before_a[0], before_a[1], before_a[2], before_a[3]));
    turn_b = product(turn_b, versors(before_b[0], before_b[1], before_b[2], before_b[3]));
  }
  return deformation<Wide>(pack(position(0), position(1), position(2), position(3)), turn_a, turn_b, four_[four].rest);
}

BondHessian<double> BondTerm::hessian_of(const Configuration& x, std::size_t bond) const {
  BondHessian<double> four[4];
  unpack(bond_hessian(deformation_of(x, bond / 4), four_[bond / 4].stiffness, four_[bond / 4].rest_length), four);
  return four[bond % 4];
}

void BondTerm::energies(const Configuration& x, std::span<double> out) const {
  parallel_for(
      static_cast<std::ptrdiff_t>(four_.size()),
      [&](std::ptrdiff_t f) {
        const auto k = static_cast<std::size_t>(f);
        const Wide v = bond_energy(deformation_of(x, k), four_[k].stiffness, four_[k].rest_length).total();
        for (std::size_t lane = 0; lane < std::min<std::size_t>(4, bonds_ - 4 * k); ++lane)
          out[4 * k + lane] = v[static_cast<int>(lane)];
      },
      kFoursFrom);
}

void BondTerm::gather_gradient(const Configuration& x, double sign, std::span<Wrench> out) const {
  // Per bond: dV/de, dV/dth_a, dV/dth_b, each as a group of four with a zero.
  struct PerBond {
    double branch[4], turn[2][4];
  };
  static thread_local std::vector<PerBond> scratch;
  scratch.resize(4 * four_.size());
  PerBond* const per_bond = scratch.data();
  const auto rows_of = [](const Vector<Wide>& v) { return transposed({{v[0].v, v[1].v, v[2].v, all_lanes(0)}}); };
  parallel_for(
      static_cast<std::ptrdiff_t>(four_.size()),
      [&](std::ptrdiff_t f) {
        const auto k = static_cast<std::size_t>(f);
        const auto g = bond_gradient(deformation_of(x, k), four_[k].stiffness, four_[k].rest_length);
        const LaneBlock branch = rows_of(g.branch), turn_a = rows_of(g.turn_a), turn_b = rows_of(g.turn_b);
        for (std::size_t lane = 0; lane < 4; ++lane) {
          PerBond& to = per_bond[4 * k + lane];
          store_lanes(to.branch, branch.v[lane]);
          store_lanes(to.turn[0], turn_a.v[lane]);
          store_lanes(to.turn[1], turn_b.v[lane]);
        }
      },
      kFoursFrom);
  parallel_for(
      static_cast<std::ptrdiff_t>(bodies_),
      [&](std::ptrdiff_t body) {
        const auto i = static_cast<std::size_t>(body);
        const auto ends = ends_of(i);
        if (ends.empty()) return;
        Lanes force = all_lanes(0), torque = all_lanes(0);
        for (const End end : ends) {
          const PerBond& from = per_bond[end.bond()];
          const Lanes branch = load_lanes(from.branch);
          force = end.is_b() ? force + branch : force - branch;
          torque += load_lanes(from.turn[end.is_b()]);
        }
        force *= sign;
        torque *= sign;
        out[i].force += Vec3(force[0], force[1], force[2]);
        out[i].torque += Vec3(torque[0], torque[1], torque[2]);
      },
      kBondRowsFrom);
}

void BondTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const { gather_gradient(x, 1, out); }
void BondTerm::add_wrenches(const Configuration& x, std::span<Wrench> out) const { gather_gradient(x, -1, out); }

void BondTerm::add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const {
  static thread_local std::vector<BondHessian<double>> scratch;
  scratch.resize(4 * four_.size());
  BondHessian<double>* const per_bond = scratch.data();
  parallel_for(
      static_cast<std::ptrdiff_t>(four_.size()),
      [&](std::ptrdiff_t f) {
        const auto k = static_cast<std::size_t>(f);
        unpack(bond_hessian(deformation_of(x, k), four_[k].stiffness, four_[k].rest_length), per_bond + 4 * k);
        if (curvature == Curvature::clamped)
          for (std::size_t lane = 0; lane < 4; ++lane) per_bond[4 * k + lane] = clamped(per_bond[4 * k + lane]);
      },
      curvature == Curvature::clamped ? kClampFrom : kFoursFrom);
  // A row is written by its own body alone.
  parallel_for(
      static_cast<std::ptrdiff_t>(bodies_),
      [&](std::ptrdiff_t i) {
        const auto body = static_cast<std::uint32_t>(i);
        Block* const own_block = ends_of(body).empty() ? nullptr : out.block(body, body);
        if (!own_block) return;
        Block& diagonal = *own_block;
        for (const End end : ends_of(body)) {
          const BondHessian<double>& h = per_bond[end.bond()];
          const Mat3& own = end.is_b() ? h.eb : h.ea;
          const Mat3& others = end.is_b() ? h.ea : h.eb;
          // Row a: p_a is -e.
          const double sign = end.is_b() ? 1 : -1;
          diagonal.topLeftCorner<3, 3>() += h.ee;
          diagonal.topRightCorner<3, 3>() += sign * own;
          diagonal.bottomLeftCorner<3, 3>() += sign * own.transpose();
          diagonal.bottomRightCorner<3, 3>() += end.is_b() ? h.bb : h.aa;
          const BodyPair& pair = pair_[end.bond()];
          Block* const coupled = out.block(body, end.is_b() ? pair.first : pair.second);
          if (!coupled) continue;
          Block& coupling = *coupled;
          coupling.topLeftCorner<3, 3>() -= h.ee;
          coupling.topRightCorner<3, 3>() += sign * others;
          coupling.bottomLeftCorner<3, 3>() -= sign * own.transpose();
          if (end.is_b())
            coupling.bottomRightCorner<3, 3>() += h.ab.transpose();
          else
            coupling.bottomRightCorner<3, 3>() += h.ab;
        }
      },
      kBondRowsFrom);
}

void BondTerm::list_pairs(std::vector<BodyPair>& out) const {
  out.insert(out.end(), pair_.begin(), pair_.begin() + static_cast<std::ptrdiff_t>(bonds_));
}

void BondTerm::break_bond(std::size_t bond) {
  Stiffness<Wide>& k = four_[bond / 4].stiffness;
  const auto lane = bond % 4;
  for (Wide* s : {&k.stretch, &k.shear, &k.twist, &k.bend}) s->v[lane] = 0;
  broken_count_ += broken_[bond] == 0;
  broken_[bond] = 1;
}

void BondTerm::section_forces(const Configuration& x, std::span<SectionForces<double>> out) const {
  parallel_for(
      static_cast<std::ptrdiff_t>(four_.size()),
      [&](std::ptrdiff_t f) {
        const auto k = static_cast<std::size_t>(f);
        const auto s = bonded::section_forces(deformation_of(x, k), four_[k].stiffness, four_[k].rest_length);
        for (std::size_t lane = 0; lane < std::min<std::size_t>(4, bonds_ - 4 * k); ++lane) {
          const int l = static_cast<int>(lane);
          out[4 * k + lane] = {s.normal[l], s.shear[l], s.twist[l], s.bend[l]};
        }
      },
      kFoursFrom);
}

}  // namespace scree::bonded
