#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::servo {

namespace {

void read_target(const Options& o, Settings& s) {
  const bool force = o.has("force"), pressure = o.has("pressure");
  if (force == pressure)
    throw OptionError("", force ? "servo-wall: \"force\" and \"pressure\" are both given. Remove one."
                                : "servo-wall: no target is given. Give a \"force\" [N] or a \"pressure\" [Pa].");
  s.target = o.number(force ? "force" : "pressure");
  if (o.has("area")) s.area = o.number("area");
  if (o.has("spans"))
    for (const Options& span : o.objects("spans")) {
      const auto ends = span.objects("between");
      s.spans.push_back({ends[0].as_text(), ends[1].as_text()});
    }
  if (force && (s.area || !s.spans.empty()))
    throw OptionError(s.area ? "/area" : "/spans",
                      "servo-wall: a \"force\" acts on the whole wall and needs no area. "
                      "Remove this, or give a \"pressure\".");
  if (pressure && !s.area && s.spans.empty())
    throw OptionError("/pressure",
                      "servo-wall: a pressure needs the area that it acts on. Give \"area\" [m^2], or "
                      "\"spans\" between walls.");
}

void read_load(const Options& o, Settings& s) {
  if (!o.has("load")) return;
  for (const Options& row : o.objects("load")) s.load.push_back({row.number("time"), row.number("factor")});
  for (std::size_t k = 1; k < s.load.size(); ++k)
    if (!(s.load[k].time > s.load[k - 1].time))
      throw OptionError(
          fmt::format("/load/{}/time", k),
          fmt::format("servo-wall: {:.6g} s is not after the {:.6g} s of the row before. Give the rows in "
                      "order of time, each time once.",
                      s.load[k].time, s.load[k - 1].time));
}

}  // namespace

Settings read_settings(const Options& o) {
  Settings s;
  s.bodies = o.text("bodies");
  s.direction = o.vector("direction");
  if (s.direction.isZero(0))
    throw OptionError("/direction", "servo-wall: is the zero vector. Give the direction in which the wall pushes.");
  s.direction.normalize();
  read_target(o, s);
  read_load(o, s);
  s.max_speed = o.number("max_speed");
  if (o.has("gain")) s.gain = o.number("gain");
  s.shortest = o.number_or("shortest", s.shortest);
  s.longest = o.number_or("longest", s.longest);
  if (!(s.shortest < s.longest))
    throw OptionError("/longest", fmt::format("servo-wall: is {:.6g} m, not above \"shortest\", {:.6g} m. Exchange the "
                                              "two.",
                                              s.longest, s.shortest));
  s.interval = o.number_or("interval", 0);
  if (!(s.interval > 0))
    throw OptionError("",
                      "servo-wall: has no \"interval\", so the wall would be set once. Give the time between "
                      "corrections of its speed [s], about ten time steps.");
  return s;
}

double load_at(const Settings& s, double t) {
  if (s.load.empty()) return 1;
  const auto next =
      std::upper_bound(s.load.begin(), s.load.end(), t, [](double time, const auto& row) { return time < row.time; });
  if (next == s.load.begin()) return next->factor;
  if (next == s.load.end()) return s.load.back().factor;
  const auto before = next - 1;
  return before->factor + (t - before->time) / (next->time - before->time) * (next->factor - before->factor);
}

}  // namespace scree::servo
