// change_checkpoint FILE NUMBER OUT: a checkpoint with one to three changes, which depend on the number alone, sealed
// again.
#include <cstdio>
#include <cstdlib>

#include "change_contents.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/seal.hpp"

using namespace scree;

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: change_checkpoint FILE NUMBER OUT\n");
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::string out = argv[3];
  write_atomically(out, std::string_view(read_file(argv[1])).substr(kSealBytes));
  fuzz::Random random(std::strtoull(argv[2], nullptr, 10));
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t file = H5Fopen(out.c_str(), H5F_ACC_RDWR, access);
  if (file < 0) return 4;
  const std::vector<fuzz::Array> arrays = fuzz::arrays_in(file);
  for (std::size_t k = 0; k <= random.below(3); ++k) fuzz::change_contents(file, arrays, random);
  H5Fclose(file);
  H5Pclose(access);
  std::string bytes = std::string(kSealBytes, '\0') + read_file(out);
  bytes.replace(0, kSealBytes, seal_of(std::as_bytes(std::span<const char>(bytes)).subspan(kSealBytes)));
  write_atomically(out, bytes);
  return 0;
}
