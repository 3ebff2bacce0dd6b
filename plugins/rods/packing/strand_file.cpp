#include "packing/strand_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <istream>
#include <limits>
#include <numbers>
#include <set>

#include "packing/polyline.hpp"
#include "scree/base/csv_table.hpp"

namespace scree::rods {

namespace {

constexpr std::size_t kMostSegments = 1000000;  // as many as option "segments" may say

/// Points of one strand, and the lines of the file that they stand in.
struct PointList {
  std::string strand;
  std::vector<Vec3> points;
  std::vector<int> lines;
};

void check_columns(const CsvTable& table, int dimension) {
  std::vector<std::string> columns{"strand", "x", "y"};
  if (dimension == 3) columns.emplace_back("z");
  for (const std::string& column : columns)
    if (!table.has(column))
      table.fail(fmt::format("there is no column \"{}\". A file of strands has the columns {}.", column,
                             fmt::join(columns, ", ")));
  table.check_names(columns, dimension, "Remove the column.");
}

std::vector<PointList> read_points(CsvTable& table) {
  std::vector<PointList> lists;
  std::set<std::string, std::less<>> begun;
  while (table.next_row()) {
    const std::string_view strand = table.text("strand");
    if (lists.empty() || lists.back().strand != strand) {
      if (!begun.emplace(strand).second)
        table.fail(fmt::format("strand \"{}\" goes on after another one. Let its points follow each other.", strand));
      lists.push_back({std::string(strand), {}, {}});
    }
    PointList& list = lists.back();
    const Vec3 point(table.number("x"), table.number("y"), table.has("z") ? table.number("z") : 0);
    if (!list.points.empty() && list.points.back() == point)
      table.fail(fmt::format("repeats the point of strand \"{}\" before it. Take it away.", strand));
    list.points.push_back(point);
    list.lines.push_back(table.line());
  }
  if (lists.empty()) table.fail("there are no points below the column names. Give two or more for each strand.");
  return lists;
}

double length_of(const std::vector<Vec3>& line) {
  double length = 0;
  for (std::size_t k = 1; k < line.size(); ++k) length += (line[k] - line[k - 1]).norm();
  return length;
}

/// Curvature of two segments that follow each other in these directions: 2 tan(phi/2)/length, as the bond law has it.
double curvature_of(const Vec3& a, const Vec3& b, double length) {
  const double sum = 1 + a.dot(b);
  return sum > 0 ? 2 * a.cross(b).norm() / (sum * length) : std::numeric_limits<double>::infinity();
}

/// \throws InputError where a segment spans more of the line than half a circle, or two segments bend too sharply
void check_bends(const CsvTable& table, const PointList& list, const SegmentsOnLine& on, const Vec3& axis,
                 double length, double radius) {
  std::vector<double> along{0};  // way along the line to each of its points
  for (std::size_t k = 1; k < list.points.size(); ++k)
    along.push_back(along.back() + (list.points[k] - list.points[k - 1]).norm());
  const auto check_span = [&](std::size_t edge, double span) {
    if (span > std::numbers::pi / 2 * length)
      table.fail_at(list.lines[edge],
                    fmt::format("strand \"{}\" turns back from here on: {:.3g} m of its line would be one segment of "
                                "{:.3g} m. Smooth the line or take a shorter shape.",
                                list.strand, span, length));
  };
  Vec3 joint = list.points.front();
  double before = 0;
  std::size_t edge = 0;
  for (std::size_t k = 0; k < on.frames.size(); ++k) {
    joint += length * (on.frames[k] * axis);
    const double here = along[on.edges[k]] + (joint - list.points[on.edges[k]]).norm();
    check_span(edge, here - before);
    const double curvature = k > 0 ? curvature_of(on.frames[k - 1] * axis, on.frames[k] * axis, length) : 0;
    if (curvature * radius > 1)
      table.fail_at(list.lines[edge],
                    fmt::format("strand \"{}\" bends by {:.3g}/m here, between segments {} and {}; at most {:.3g}/m, "
                                "one over the radius, is possible. Smooth the line or take a thinner shape.",
                                list.strand, curvature, k - 1, k, 1 / radius));
    before = here;
    edge = on.edges[k];
  }
  check_span(edge, along.back() - before);
}

FileStrand fitted(const CsvTable& table, const PointList& list, int dimension, double length, double radius) {
  const int begin = list.lines.front();
  if (list.points.size() < 2)
    table.fail_at(begin, fmt::format("strand \"{}\" has one point; a line has two or more. Add points or remove it.",
                                     list.strand));
  std::vector<Vec3> line = list.points;
  // A line whose length is a whole number of segments but for rounding holds them all.
  line.back() += 1e-6 * length * (line.back() - line[line.size() - 2]).normalized();
  const Vec3 axis = axis_of(dimension);
  SegmentsOnLine on = fit_segments(line, frame_along(line[1] - line[0], dimension), axis, length, kMostSegments + 1);
  if (on.frames.empty())
    table.fail_at(begin, fmt::format("strand \"{}\" is a line of {:.3g} m that never gets {:.3g} m, the length of a "
                                     "segment, away from its first point. Lengthen it or take a shorter shape.",
                                     list.strand, length_of(list.points), length));
  if (on.frames.size() > kMostSegments)
    table.fail_at(begin, fmt::format("strand \"{}\" has room for more than {} segments of {:.3g} m, the most allowed. "
                                     "Coordinates are in metres; shorten the line or take a longer shape.",
                                     list.strand, kMostSegments, length));
  check_bends(table, list, on, axis, length, radius);
  return {list.points.front(), std::move(on.frames)};
}

}  // namespace

std::vector<FileStrand> read_strands(std::istream& in, const std::string& name, int dimension, double length,
                                     double radius) {
  CsvTable table(in, name, dimension == 2 ? "strand,x,y" : "strand,x,y,z");
  check_columns(table, dimension);
  std::vector<FileStrand> strands;
  for (const PointList& list : read_points(table)) strands.push_back(fitted(table, list, dimension, length, radius));
  return strands;
}

}  // namespace scree::rods
