/// \file Times the star detector on the settled pile of crosses: counts, ms per detection of all pairs, ns per node
/// test.
///
///     star_bench <file of the pile> [circle|cross|butterfly] [repetitions [motion]]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

#include "extremal/extremal_detector.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"
#include "taubin/star_detector.hpp"

namespace {

using namespace scree;
using namespace scree::star;

constexpr std::size_t kChunk = 1024;

/// Pairs with their own copy of the bodies they need, as the core hands them to a detector.
struct BenchChunk {
  std::vector<std::uint32_t> rows;
  TestBodies bodies;
  std::vector<Vec3> settled;  ///< places at rest [m]
  std::vector<Pair> pairs;
  PairCache cache;
};

std::vector<BenchChunk> cut(const TestBodies& all, const std::vector<Pair>& pairs) {
  std::vector<BenchChunk> chunks;
  for (std::size_t first = 0; first < pairs.size(); first += kChunk) {
    BenchChunk& chunk = chunks.emplace_back();
    std::vector<std::int64_t> local(all.id.size(), -1);
    const auto row = [&](std::uint32_t r) {
      if (local[r] < 0) {
        local[r] = static_cast<std::int64_t>(chunk.rows.size());
        chunk.rows.push_back(r);
      }
      return static_cast<std::uint32_t>(local[r]);
    };
    for (std::size_t i = first; i < std::min(pairs.size(), first + kChunk); ++i)
      chunk.pairs.push_back({row(pairs[i].a), row(pairs[i].b)});
    chunk.bodies = {};
    for (const std::uint32_t r : chunk.rows) {
      chunk.bodies.add(all.position[r].x(), all.position[r].y(), 0, all.shape[r], all.id[r]);
      chunk.bodies.orientation.back() = all.orientation[r];
    }
    chunk.settled = chunk.bodies.position;
  }
  return chunks;
}

/// Puts every body at step k of its way along a straight line through where it settled: `step` per step, four steps to
/// either side. Longer ways, or ways that add up, would lead outlines to each other's centres.
void move(std::vector<BenchChunk>& chunks, double step, int k) {
  const int at = k % 16, away = at < 4 ? at + 1 : at < 12 ? 7 - at : at - 15;
  for (BenchChunk& chunk : chunks) {
    for (std::size_t i = 0; i < chunk.rows.size(); ++i) {
      const double direction = 2.4 * chunk.rows[i];
      chunk.bodies.position[i] = chunk.settled[i] + away * step * Vec3(std::cos(direction), std::sin(direction), 0);
    }
  }
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Half the arc of a's circle that lies in b's (specs: three cases).
double half_arc(double d, double ra, double rb) {
  if (d >= ra + rb) return -1;
  if (d <= rb) return std::numbers::pi;
  if (d * d >= ra * ra + rb * rb) return std::acos((d * d + ra * ra - rb * rb) / (2 * d * ra));
  return std::asin(rb / d);
}

/// Nodes of the first bodies on arcs towards the second, and one beyond at either end: what a plain implementation
/// tests.
std::size_t node_tests(const TestBodies& bodies, const std::vector<Pair>& pairs, double radius, int nodes) {
  std::size_t tests = 0;
  for (const Pair& pair : pairs) {
    const Vec3 d = bodies.position[pair.b] - bodies.position[pair.a];
    const Quat& q = bodies.orientation[pair.a];
    const double towards = std::atan2(d.y(), d.x()) - 2 * std::atan2(q.z(), q.w());
    const double arc = half_arc(d.norm(), radius, radius);
    if (arc >= 0 && arc < std::numbers::pi) tests += 2;
    for (int i = 0; i < nodes; ++i)
      tests += std::abs(std::remainder(2 * std::numbers::pi * i / nodes - towards, 2 * std::numbers::pi)) <= arc;
  }
  return tests;
}

struct Timing {
  double best_ms, median_ms;
};

template <class Run>
Timing time(int repetitions, Run&& run) {
  std::vector<double> samples;
  for (int k = 0; k < repetitions; ++k) samples.push_back(run(k));
  std::sort(samples.begin(), samples.end());
  return {1e3 * samples.front(), 1e3 * samples[samples.size() / 2]};
}

/// Detects chunk by chunk into one buffer, as the core does; `look` sees the contacts of each.
template <class Look>
double detect_all(const ContactDetector& detector, std::vector<BenchChunk>& chunks, ContactBuffer& contacts,
                  Look&& look) {
  const double start = seconds();
  for (BenchChunk& chunk : chunks) {
    contacts.clear();
    detector.detect(chunk.bodies.view(), chunk.pairs, chunk.cache, 0, contacts);
    look(contacts);
  }
  return seconds() - start;
}

void report(const char* what, Timing t, std::size_t tests) {
  fmt::print("{:34} {:8.4f} ms (best {:.4f})   {:6.2f} ns per S1 node test\n", what, t.median_ms, t.best_ms,
             1e6 * t.median_ms / static_cast<double>(tests));
}

/// Times of every chunk, repetition by repetition: a chunk is short enough to be left alone on a busy machine.
class ChunkTimes {
 public:
  void add(const ContactDetector& detector, std::vector<BenchChunk>& chunks, ContactBuffer& contacts) {
    seconds_.resize(chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const double start = seconds();
      contacts.clear();
      detector.detect(chunks[i].bodies.view(), chunks[i].pairs, chunks[i].cache, 0, contacts);
      seconds_[i].push_back(seconds() - start);
    }
  }
  /// Sum over the chunks of the value at `part` of the way from the shortest to the longest time [s].
  double quantile(double part) {
    double sum = 0;
    for (std::vector<double>& times : seconds_) {
      std::sort(times.begin(), times.end());
      sum += times[static_cast<std::size_t>(part * static_cast<double>(times.size()))];
    }
    return sum;
  }

 private:
  std::vector<std::vector<double>> seconds_;
};

/// Two detectors on the same pile, step by step in turn, so that both see the same machine.
/// \param only  the motion to time, negative = all
void compare(const ContactDetector& first, std::vector<BenchChunk>& first_chunks, const ContactDetector& second,
             std::vector<BenchChunk>& second_chunks, int repetitions, double radius, std::size_t pairs, double only) {
  ContactBuffer buffer;
  for (const double part : {0.0, 1e-4, 1e-3, 1e-2}) {
    if (only >= 0 && only != part) continue;
    ChunkTimes times[2];
    for (int k = 0; k < repetitions; ++k) {
      move(first_chunks, part * radius, k);
      move(second_chunks, part * radius, k);
      times[0].add(first, first_chunks, buffer);
      times[1].add(second, second_chunks, buffer);
    }
    fmt::print("moving by {:<6g} R, ns per pair:", part);
    for (const auto& [what, q] : {std::pair{"median", 0.5}, std::pair{"fastest tenth", 0.1}}) {
      const double a = 1e9 * times[0].quantile(q) / static_cast<double>(pairs),
                   b = 1e9 * times[1].quantile(q) / static_cast<double>(pairs);
      fmt::print("  {}: deepest node {:6.1f}, extremal {:6.1f}, ratio {:.2f}", what, a, b, b / a);
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: star_bench FILE [circle|cross|butterfly] [repetitions [motion]]\n");
    return 2;
  }
  const std::string kind = argc > 2 ? argv[2] : "cross";
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 300;
  const double radius = kind == "circle" ? 3.09e-3 : kind == "butterfly" ? 4.86e-3 : 4.37e-3;
  const auto shape = kind == "circle" ? circle(radius) : kind == "butterfly" ? butterfly(radius) : cross(radius);
  const TestBodies bodies = read_pile(argv[1]);
  const std::vector<Pair> pairs = near_pairs(bodies, 2 * radius);
  const std::size_t tests = node_tests(bodies, pairs, radius, 100);
  const Shape* shapes[] = {shape.get()};
  TaubinDetector detector;
  detector.bind(shapes);
  std::vector<BenchChunk> chunks = cut(bodies, pairs);

  std::size_t contacts = 0, touching = 0;
  ContactBuffer buffer;
  detect_all(detector, chunks, buffer, [&](const ContactBuffer& found) {
    contacts += found.size();
    touching += std::set<std::uint32_t>(found.pair(), found.pair() + found.size()).size();
  });
  const auto detect = [&](int) { return detect_all(detector, chunks, buffer, [](const ContactBuffer&) {}); };
  fmt::print("{} bodies, {} pairs, {} S1 node tests, {} touching pairs, {} contacts\n", bodies.id.size(), pairs.size(),
             tests, touching, contacts);

  report("settled, caches warm", time(repetitions, detect), tests);
  const DetectCounts counts = TaubinDetector::last_counts();
  fmt::print(
      "  last chunk: {} pairs, {} candidates ({} decided in double), {} deep nodes of {} contacts, {} plain pairs\n",
      chunks.back().pairs.size(), counts.candidates, counts.doubtful, counts.deep, buffer.size(), counts.reference);
  ExtremalDetector extremal;
  extremal.bind(shapes);
  std::vector<BenchChunk> extremal_chunks = cut(bodies, pairs);
  compare(detector, chunks, extremal, extremal_chunks, repetitions, radius, pairs.size(),
          argc > 4 ? std::atof(argv[4]) : -1);
  if (argc > 4) return 0;  // enough for a profile
  for (const double part : {1e-4, 1e-3, 1e-2}) {
    const Timing t = time(repetitions, [&](int k) {
      move(chunks, part * radius, k);
      return detect(0);
    });
    report(fmt::format("moving by {:g} R per step", part).c_str(), t, tests);
  }
  report("caches cold",
         time(repetitions / 4 + 1,
              [&](int) {
                for (BenchChunk& chunk : chunks) chunk.cache = {};
                return detect(0);
              }),
         tests);
  report("plain path",
         time(repetitions / 30 + 1,
              [&](int) {
                const double start = seconds();
                for (BenchChunk& chunk : chunks) {
                  buffer.clear();
                  detector.detect_plain(chunk.bodies.view(), chunk.pairs, 0, buffer);
                }
                return seconds() - start;
              }),
         tests);
}
