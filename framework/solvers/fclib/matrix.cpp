#include "solvers/fclib/matrix.hpp"

#include <fmt/format.h>

#include <limits>

namespace scree::fclib {
namespace {

using Index = std::int64_t;
using Entry = Eigen::Triplet<double>;

enum Storage : Index { kCompressedColumns = -1, kCompressedRows = -2 };  // nz >= 0: that many triplets

/// A group as it is stored.
struct Stored {
  Index rows, columns, nz;
  std::vector<Index> p, i;
  std::vector<double> x;
};

Index size(const InputFile& file, const std::string& name) {
  const Index n = file.integer(name);
  if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
    file.fail(name, fmt::format("is {}; a matrix has 0 to {} rows and columns.", n,
                                std::numeric_limits<std::int32_t>::max()));
  if (n > file.most_numbers())
    file.fail(name,
              fmt::format("is {}, more rows and columns than the file has numbers. It is damaged; fetch or write it "
                          "anew.",
                          n));
  return n;
}

Stored load(const InputFile& file, const std::string& group) {
  if (!file.has(group)) file.fail(group, "is missing; this form of problem needs it.");
  return {size(file, group + "/m"),    size(file, group + "/n"),    file.integer(group + "/nz"),
          file.integers(group + "/p"), file.integers(group + "/i"), file.reals(group + "/x")};
}

void check_length(const InputFile& file, const std::string& name, std::size_t length, Index needed) {
  if (static_cast<Index>(length) < needed)
    file.fail(name, fmt::format("has {} numbers, but {} entries are stored. The file is incomplete; write it anew.",
                                length, needed));
}

void check_index(const InputFile& file, const std::string& name, std::size_t place, Index index, Index bound) {
  if (index < 0 || index >= bound)
    file.fail(name, fmt::format("number {} is {}; indices begin at 0 and must be below {}.", place, index, bound));
}

std::vector<Entry> triplets(const InputFile& file, const std::string& group, const Stored& m) {
  check_length(file, group + "/p", m.p.size(), m.nz);
  check_length(file, group + "/i", m.i.size(), m.nz);
  check_length(file, group + "/x", m.x.size(), m.nz);
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(m.nz));
  for (std::size_t k = 0; k < static_cast<std::size_t>(m.nz); ++k) {
    check_index(file, group + "/i", k, m.i[k], m.rows);
    check_index(file, group + "/p", k, m.p[k], m.columns);
    entries.emplace_back(static_cast<int>(m.i[k]), static_cast<int>(m.p[k]), m.x[k]);
  }
  return entries;
}

/// \param lines  rows or columns, whichever is compressed
/// \param bound  of the indices along a line
void check_compressed(const InputFile& file, const std::string& group, const Stored& m, Index lines, Index bound) {
  if (static_cast<Index>(m.p.size()) != lines + 1)
    file.fail(group + "/p", fmt::format("has {} numbers; {} compressed {} need {}. Is nz = {} right?", m.p.size(),
                                        lines, m.nz == kCompressedRows ? "rows" : "columns", lines + 1, m.nz));
  if (m.p[0] != 0) file.fail(group + "/p", fmt::format("begins with {}; it must begin with 0.", m.p[0]));
  for (std::size_t k = 1; k < m.p.size(); ++k)
    if (m.p[k] < m.p[k - 1])
      file.fail(group + "/p", fmt::format("number {} is {}, below {} before it; where lines begin cannot descend.", k,
                                          m.p[k], m.p[k - 1]));
  check_length(file, group + "/i", m.i.size(), m.p.back());
  check_length(file, group + "/x", m.x.size(), m.p.back());
  for (std::size_t k = 0; k < static_cast<std::size_t>(m.p.back()); ++k)
    check_index(file, group + "/i", k, m.i[k], bound);
}

std::vector<Entry> decompressed(const Stored& m) {
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(m.p.back()));
  for (std::size_t line = 0; line + 1 < m.p.size(); ++line)
    for (Index k = m.p[line]; k < m.p[line + 1]; ++k) {
      const int along = static_cast<int>(m.i[static_cast<std::size_t>(k)]), across = static_cast<int>(line);
      const double value = m.x[static_cast<std::size_t>(k)];
      entries.push_back(m.nz == kCompressedRows ? Entry(across, along, value) : Entry(along, across, value));
    }
  return entries;
}

std::vector<Entry> entries_of(const InputFile& file, const std::string& group, const Stored& m) {
  if (m.nz >= 0) return triplets(file, group, m);
  if (m.nz != kCompressedColumns && m.nz != kCompressedRows)
    file.fail(group + "/nz", fmt::format("is {}; allowed: -2 compressed rows, -1 compressed columns, 0 or more: the "
                                         "number of triplets.",
                                         m.nz));
  const bool rows = m.nz == kCompressedRows;
  check_compressed(file, group, m, rows ? m.rows : m.columns, rows ? m.columns : m.rows);
  return decompressed(m);
}

}  // namespace

SparseMatrix read_matrix(const InputFile& file, const std::string& group) {
  const Stored stored = load(file, group);
  const std::vector<Entry> entries = entries_of(file, group, stored);
  SparseMatrix matrix(static_cast<int>(stored.rows), static_cast<int>(stored.columns));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace scree::fclib
