/// \file Columns of contacts and bodies that a law names: see LawInputs.

#include <array>

#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

void ContactPipeline::add_inputs(const Chunk& chunk, const detail::ContactBlock& c, LawColumns& columns,
                                 Scratch& s) const {
  const Channel& channel = methods_.channels[c.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  for (std::size_t k = 0; k < channel.quantity.size() && channel.quantity[k] >= 0; ++k)
    columns.in.quantity[k] = c.contacts->quantity(channel.quantity[k]) + c.first;
  s.inputs.resize(2 * LawInputs::kMost * Scratch::kStride);
  double* next = s.inputs.data();
  for (std::size_t k = 0; k < interaction.body_columns.size(); ++k) {
    const auto of = interaction.body_columns[k].read();
    double* const a = std::exchange(next, next + Scratch::kStride);
    double* const b = std::exchange(next, next + Scratch::kStride);
    for (std::size_t i = 0; i < c.count; ++i) {
      const Pair& pair = c.pair(i);
      a[i] = of[chunk.rows[pair.a]];
      b[i] = of[chunk.rows[pair.b]];
    }
    columns.in.of_a[k] = a;
    columns.in.of_b[k] = b;
  }
}

}  // namespace scree
