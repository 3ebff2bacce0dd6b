#pragma once
/// \file Second derivatives into the rows of free bodies.

#include "solvers/newton/configuration.hpp"

namespace scree::solvers {

class BlockSink final : public HessianSink {
 public:
  BlockSink(const Unknowns& unknowns, BlockMatrix& matrix) : unknowns_(unknowns), matrix_(matrix) {}
  Block* block(std::uint32_t a, std::uint32_t b) const override {
    const std::uint32_t row = unknowns_.row[a], column = unknowns_.row[b];
    if (row == Unknowns::kNone || column == Unknowns::kNone) return nullptr;
    return a == b ? &matrix_.diagonal(row) : &matrix_.block(matrix_.pattern().slot(row, column));
  }

 private:
  const Unknowns& unknowns_;
  BlockMatrix& matrix_;
};

}  // namespace scree::solvers
