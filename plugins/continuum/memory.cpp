#include "memory.hpp"

#include <cstring>
#include <type_traits>

#include "scree/base/error.hpp"

namespace scree::continuum {

namespace {

constexpr std::uint64_t kFormat = 2;

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
  [[noreturn]] static void refuse() {
    throw Error("the state of integrator \"granular-continuum\" in the checkpoint has another size");
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
  out.put(pore_cells);
  out.put(pore);
  out.put(contacts);
  out.put(contact_impulse);
  return out.bytes;
}

template <int D>
void Memory<D>::load(std::span<const std::byte> bytes) {
  Reader in(bytes);
  if (in.get<std::uint64_t>() != kFormat || in.get<std::uint64_t>() != D) Reader::refuse();
  for (int k = 0; k < D; ++k) origin[k] = in.get<double>();
  placed = in.get<std::uint64_t>() != 0;
  dt = in.get<double>();
  sweeps = static_cast<int>(in.get<std::int64_t>());
  in.get(nodes);
  in.get(stress);
  in.get(pore_cells);
  in.get(pore);
  in.get(contacts);
  in.get(contact_impulse);
  in.done();
  if (pore.size() != pore_cells.size()) Reader::refuse();
  if (stress.size() != nodes.size() || contact_impulse.size() != contacts.size()) Reader::refuse();
}

template struct Memory<2>;
template struct Memory<3>;

}  // namespace scree::continuum
