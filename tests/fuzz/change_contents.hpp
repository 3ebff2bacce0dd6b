#pragma once
/// \file Changes what a checkpoint holds, by HDF5 itself: arrays that are missing, longer, shorter, of another type, or
/// with values that runs do not have.

#include <hdf5.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "mutate.hpp"

namespace scree::fuzz {

struct Array {
  std::string name;
  std::size_t at, bytes;  ///< in the file
};

inline std::vector<Array> arrays_in(hid_t file) {
  std::vector<Array> arrays;
  const auto visit = [](hid_t of, const char* name, const H5O_info_t* info, void* out) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    const hid_t array = H5Dopen2(of, name, H5P_DEFAULT);
    const haddr_t at = H5Dget_offset(array);
    if (at != HADDR_UNDEF)
      static_cast<std::vector<Array>*>(out)->push_back({name, at, H5Dget_storage_size(array)});
    else
      static_cast<std::vector<Array>*>(out)->push_back({name, 0, 0});
    H5Dclose(array);
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &arrays);
  return arrays;
}

/// A value that runs do not have, or seldom.
inline void put_odd_value(hid_t array, hid_t type, hsize_t count, Random& random) {
  if (count == 0) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double odd[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 1e308, -1, 0, 1e-320, 3};
  const std::uint64_t whole[] = {~std::uint64_t{0}, std::uint64_t{1} << 63, 1, 0, 1000, 13, 14, 0xffffffff};
  const std::size_t size = H5Tget_size(type);
  std::vector<char> values(count * size);
  H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  char* const to = values.data() + random.below(count) * size;
  if (size == 1 && count >= sizeof(double)) {  // states of methods: numbers one behind the other
    const std::size_t at = random.below(count - sizeof(double) + 1);
    char* const number = values.data() + (random.below(4) ? at / sizeof(double) * sizeof(double) : at);
    if (random.below(2))
      std::memcpy(number, &odd[random.below(std::size(odd))], sizeof(double));
    else
      std::memcpy(number, &whole[random.below(std::size(whole))], sizeof(double));
    H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return;
  }
  if (H5Tget_class(type) == H5T_FLOAT)
    std::memcpy(to, &odd[random.below(std::size(odd))], size);
  else
    std::memcpy(to, &whole[random.below(std::size(whole))], size);
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// Another array in the place of one.
inline void replace_array(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& extents) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  const hid_t array = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t count = 1;
  for (const hsize_t extent : extents) count *= extent;
  std::vector<char> zeros(count * H5Tget_size(type));
  H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
}

inline void change_attribute(hid_t file, Random& random) {
  const char* names[] = {"step", "time", "next_id", "bodies", "rebuilds", "layout", "contacts", "version"};
  const char* name = names[random.below(std::size(names))];
  const std::int64_t values[] = {-1, 0, 1, 3, std::numeric_limits<std::int64_t>::max()};
  const std::int64_t value = values[random.below(std::size(values))];
  H5Adelete(file, name);
  if (random.below(4) == 0) return;
  const hid_t attribute = H5Acreate2(file, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &value);
}

/// Changes what the file holds, by HDF5 itself.
inline void change_contents(hid_t file, const std::vector<Array>& arrays, Random& random) {
  const Array& chosen = arrays[random.below(arrays.size())];
  const char* const name = chosen.name.c_str();
  const hid_t array = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(array);
  if (array < 0) return;  // it is gone already
  hsize_t extents[8] = {};
  const int rank = H5Sget_simple_extent_dims(H5Dget_space(array), extents, nullptr);
  std::vector<hsize_t> shape(extents, extents + rank);
  hsize_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  switch (random.below(7)) {
    case 0:
      H5Ldelete(file, name, H5P_DEFAULT);
      return;
    case 1:
      if (!shape.empty()) shape[random.below(shape.size())] += 1 + random.below(3);
      return replace_array(file, name, type, shape);
    case 2:
      if (!shape.empty())
        if (hsize_t& extent = shape[random.below(shape.size())]; extent > 0) extent -= 1;
      return replace_array(file, name, type, shape);
    case 3:
      return replace_array(file, name, random.below(2) ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, shape);
    case 4:
      return change_attribute(file, random);
    default:
      put_odd_value(array, type, count, random);
  }
}

}  // namespace scree::fuzz
