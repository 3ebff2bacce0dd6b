#include "scree/integrate/own_rows.hpp"

#include "scree/integrate/mechanics.hpp"

namespace scree {

OwnRows::~OwnRows() = default;

std::span<const RowRange> own_rows(Mechanics& mechanics) {
  if (void* const found = mechanics.ability(OwnRows::kName)) return static_cast<OwnRows*>(found)->own_rows();
  thread_local RowRange all;
  all = {0, mechanics.world().size()};
  return {&all, 1};
}

}  // namespace scree
