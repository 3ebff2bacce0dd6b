// Problem files of FCLib. An input is a list of datasets in words, "name i numbers..." or "name r numbers...", from which
// the file is written: HDF5 1.10 itself crashes on damaged bytes, which fclib_solve meets in a child process.
#include <sstream>

#include "solvers/fclib/output_file.hpp"
#include "solvers/fclib/read.hpp"
#include "target.hpp"
#include "temporary_folder.hpp"

namespace {

template <class T>
std::vector<T> numbers(std::istringstream& line) {
  std::vector<T> values;
  for (T value; line >> value;) values.push_back(value);
  return values;
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  return {"fclib_local/spacedim i 2\nfclib_local/W/m i 4\nfclib_local/W/n i 4\nfclib_local/W/nz i -2\n"
          "fclib_local/W/nzmax i 7\nfclib_local/W/p i 0 3 4 5 7\nfclib_local/W/i i 0 1 3 1 2 1 3\n"
          "fclib_local/W/x r 2 1 3 4 5 6 7\nfclib_local/vectors/q r -1 2 -3 4\nfclib_local/vectors/mu r 0.5 0.25\n"
          "guesses/number_of_guesses i 1\nguesses/1/r r 1 2 3 4\nsolution/u r 1 2 3 4\n",
          "fclib_global/spacedim i 3\nfclib_global/M/m i 6\nfclib_global/M/n i 6\nfclib_global/M/nz i 6\n"
          "fclib_global/M/nzmax i 6\nfclib_global/M/p i 0 1 2 3 4 5\nfclib_global/M/i i 0 1 2 3 4 5\n"
          "fclib_global/M/x r 2 2 2 4 4 4\nfclib_global/H/m i 6\nfclib_global/H/n i 3\nfclib_global/H/nz i 6\n"
          "fclib_global/H/nzmax i 6\nfclib_global/H/p i 0 0 1 1 2 2\nfclib_global/H/i i 0 3 1 4 2 5\n"
          "fclib_global/H/x r -1 1 -1 1 -1 1\nfclib_global/vectors/f r 0 0 0 -8 4 0\n"
          "fclib_global/vectors/w r 0.5 0 0\nfclib_global/vectors/mu r 0.5\n"};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scree::test::TemporaryFolder folder;
  const auto path = folder / "problem.hdf5";
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  try {
    scree::fclib::OutputFile file(path);
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      std::string name, kind;
      words >> name >> kind;
      try {
        if (kind == "i") file.integers(name, numbers<int>(words));
        if (kind == "r") file.reals(name, numbers<double>(words));
      } catch (const scree::fclib::Error&) {  // no name, or there twice
      }
    }
    file.commit();
    scree::fclib::read(path);
  } catch (const scree::fclib::Error&) {
  }
  return 0;
}
