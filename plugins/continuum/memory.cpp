#include "memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "scree/base/error.hpp"

namespace scree::continuum {

namespace {

constexpr std::uint64_t kFormat = 3;

class Writer {
 public:
  template <class T>
  void put(const T* values, std::size_t count) {
    const auto* const from = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), from, from + count * sizeof(T));
  }
  template <class T>
  void put(const T& value) {
    put(&value, 1);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    put(values.data(), values.size());
  }
  std::vector<std::byte> bytes;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    T value;
    take(&value, 1);
    return value;
  }
  template <class T>
  void get(std::vector<T>& values) {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) refuse();
    values.resize(count);
    take(values.data(), count);
  }
  void done() const {
    if (!bytes_.empty()) refuse();
  }
  [[noreturn]] static void refuse(const char* what = "has another size") {
    throw InputError(std::string("the state of integrator \"granular-continuum\" in the checkpoint ") + what +
                     ". The checkpoint is damaged, or was not written by this scene's run.");
  }

 private:
  template <class T>
  void take(T* to, std::size_t count) {
    const std::size_t size = count * sizeof(T);
    if (size > bytes_.size()) refuse();
    if (size > 0) std::memcpy(static_cast<void*>(to), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::span<const std::byte> bytes_;
};

/// No solve takes so many.
constexpr std::int64_t kMostSweeps = 100'000'000;

template <class T>
bool ascends(const std::vector<T>& list) {
  return std::ranges::adjacent_find(list, std::greater_equal()) == list.end();
}

/// Checks the numbers of cells and nodes against the box. Along a periodic axis there is one node less.
template <int D>
bool fits(const FluidState<D>& fluid) {
  if (fluid.velocity.size() != fluid.viscous.size()) return false;
  double cells = 1, nodes = 1;
  for (const int n : fluid.count) {
    if (n < 0 || n > kKeyBias) return false;
    cells *= n, nodes *= n + 1;
  }
  const auto c = static_cast<double>(fluid.pressure.size()), v = static_cast<double>(fluid.velocity.size());
  return c == cells && (c == 0 ? v == 0 : v >= cells && v <= nodes);
}

}  // namespace

template <int D>
std::vector<std::byte> Memory<D>::save() const {
  Writer out;
  out.put(kFormat);
  out.put(std::uint64_t{D});
  out.put(origin.data(), D);
  out.put(std::uint64_t{placed});
  out.put(dt);
  out.put(std::int64_t{sweeps});
  out.put(nodes);
  out.put(stress);
  out.put(fluid.lower.data(), D);
  out.put(fluid.count.data(), D);
  out.put(fluid.velocity);
  out.put(fluid.viscous);
  out.put(fluid.pressure);
  out.put(contacts);
  out.put(contact_impulse);
  return out.bytes;
}

template <int D>
void Memory<D>::load(std::span<const std::byte> bytes) {
  Reader in(bytes);
  if (in.get<std::uint64_t>() != kFormat || in.get<std::uint64_t>() != D) Reader::refuse();
  Memory<D> saved;
  for (int k = 0; k < D; ++k) saved.origin[k] = in.get<double>();
  saved.placed = in.get<std::uint64_t>() != 0;
  saved.dt = in.get<double>();
  const auto count = in.get<std::int64_t>();
  in.get(saved.nodes);
  in.get(saved.stress);
  for (int& k : saved.fluid.lower) k = in.get<int>();
  for (int& k : saved.fluid.count) k = in.get<int>();
  in.get(saved.fluid.velocity);
  in.get(saved.fluid.viscous);
  in.get(saved.fluid.pressure);
  in.get(saved.contacts);
  in.get(saved.contact_impulse);
  in.done();
  if (!fits(saved.fluid)) Reader::refuse();
  if (saved.stress.size() != saved.nodes.size() || saved.contact_impulse.size() != saved.contacts.size())
    Reader::refuse();
  const auto all_finite = [](const auto& list) {
    return std::ranges::all_of(list, [](const auto& v) { return v.allFinite(); });
  };
  if (!saved.origin.allFinite() || !std::isfinite(saved.dt) || saved.dt < 0 || !all_finite(saved.stress) ||
      !std::ranges::all_of(saved.fluid.pressure, [](double p) { return std::isfinite(p); }) ||
      !all_finite(saved.fluid.velocity) || !all_finite(saved.fluid.viscous) || !all_finite(saved.contact_impulse))
    Reader::refuse("holds what is no number, or a negative time");
  if (count < 0 || count > kMostSweeps) Reader::refuse("has an impossible number of sweeps");
  if (!ascends(saved.nodes) || !ascends(saved.contacts)) Reader::refuse("names places that do not ascend");
  saved.sweeps = static_cast<int>(count);
  *this = std::move(saved);
}

template struct Memory<2>;
template struct Memory<3>;

}  // namespace scree::continuum
