// The packing "csv".
#include <sstream>

#include "csv.hpp"
#include "scree/base/error.hpp"
#include "target.hpp"

std::vector<std::string> fuzz_seeds() {
  return {"# made by hand\n y , x,theta,id,vx,vy,omega\r\n2,1,0.5,7,3,4,5\r\n\n-2e-3,.1,0,9,0,0,0\n",
          "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,scale\n1,2,3,0,0,0,2,4,5,6,7,8,9,1\n0,0,0,1,0,0,0,0,0,0,0,0,0,2.5\n"};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const int dimension : {2, 3}) {
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try {
      scree::packings::read_csv(in, "grains.csv", dimension);
    } catch (const scree::InputError&) {
    }
  }
  return 0;
}
