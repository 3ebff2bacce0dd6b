#pragma once
/// \file What a prepared run computes with on the host: tests look closer than any engine lets others.

#include "scree/host/host_engine.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

inline HostMechanics& mechanics_of(Prepared& prepared) {
  return dynamic_cast<HostEngine&>(*prepared.engine).mechanics();
}

}  // namespace scree
