#include "scree/engine/step_clock.hpp"

#include <vector>

#include "catch.hpp"

namespace scree {

namespace {

std::vector<std::uint64_t> steps_of(const StepClock& clock, const Schedule& schedule, std::uint64_t from,
                                    std::uint64_t to) {
  std::vector<std::uint64_t> steps;
  for (std::uint64_t s = from; s <= to; ++s)
    if (clock.output_due(schedule, s)) steps.push_back(s);
  return steps;
}

}  // namespace

TEST_CASE("output comes at the steps nearest to its times: no drift, and the last of whole intervals is the end") {
  const StepClock clock{0.03, {}};  // 3.33 steps an interval
  CHECK(steps_of(clock, {0, 0.1, 1e300}, 0, 33) == std::vector<std::uint64_t>{0, 3, 7, 10, 13, 17, 20, 23, 27, 30, 33});
  CHECK(static_cast<std::uint64_t>(clock.step_at(1.0)) == 33);
}

TEST_CASE("output begins at its start, ends at its stop, and comes once without an interval") {
  const StepClock clock{0.03, {}};
  CHECK(steps_of(clock, {0.25, 0.1, 0.5}, 0, 40) == std::vector<std::uint64_t>{8, 12, 15});
  CHECK(steps_of(clock, {0.25, 0, 1e300}, 0, 40) == std::vector<std::uint64_t>{8});
}

TEST_CASE("output at shorter intervals than steps comes after each step, and at whole numbers of them as hooks do") {
  const StepClock clock{0.03, {}};
  CHECK(steps_of(clock, {0, 0.001, 1e300}, 0, 4).size() == 5);
  for (std::uint64_t s = 0; s < 100000; ++s)
    REQUIRE(clock.output_due({0.06, 0.09, 1e300}, s) == clock.due({0.06, 0.09, 1e300}, s));
}

TEST_CASE("before a run it is known how often output comes in it") {
  CHECK(Schedule{0, 0.1, 1e300}.times_until(1.0, 0.03) == 11);
  CHECK(Schedule{0.25, 0.1, 0.5}.times_until(1.0, 0.03) == 3);
  CHECK(Schedule{0.25, 0, 1e300}.times_until(1.0, 0.03) == 1);
  CHECK(Schedule{2, 0.1, 1e300}.times_until(1.0, 0.03) == 0);
  CHECK(Schedule{0, 0.001, 1e300}.times_until(1.0, 0.02) == 51);
}

TEST_CASE("output keeps its times where the step has changed on the way") {
  const StepClock clock{0.02, {10, 0.305}};  // ten steps of 0.0305 s, then those of 0.02 s
  CHECK(steps_of(clock, {0, 0.1, 1e300}, 10, 30) == std::vector<std::uint64_t>{10, 15, 20, 25, 30});
}

}  // namespace scree
