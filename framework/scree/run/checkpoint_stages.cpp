/// \file Stages in a checkpoint: the current scene, and the position of the run in its stages.

#include <fmt/format.h>

#include "scree/base/error.hpp"
#include "scree/run/detail/checkpoint_tables.hpp"
#include "scree/scene/detail/json.hpp"

namespace scree::detail {

namespace {

std::string read_text(const CheckpointReader& in, const std::string& name) {
  const auto bytes = in.read<std::byte>(name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_text(CheckpointWriter& out, const std::string& name, const std::string& text) {
  out.write<std::byte>(name, std::as_bytes(std::span<const char>(text)));
}

Json to_json(const StageState& state) {
  Json json = {{"number", state.number},
               {"name", state.name},
               {"first_step", state.first_step},
               {"first_time", state.first_time},
               {"held_since", state.held_since ? Json(*state.held_since) : Json()},
               {"ended", state.ended},
               {"before", Json::array()}};
  for (const StageRecord& r : state.before)
    json["before"].push_back({r.name, r.first_step, r.steps, r.start, r.end, r.ended});
  return json;
}

StageState from_json(const Json& json) {
  StageState state;
  state.number = json.at("number");
  state.name = json.at("name");
  state.first_step = json.at("first_step");
  state.first_time = json.at("first_time");
  if (!json.at("held_since").is_null()) state.held_since = json.at("held_since").get<std::uint64_t>();
  state.ended = json.at("ended");
  for (const Json& r : json.at("before"))
    state.before.push_back({r.at(0), r.at(1), r.at(2), r.at(3), r.at(4), r.at(5)});
  return state;
}

[[noreturn]] void damaged(const CheckpointReader& in, const char* array, const char* what) {
  throw IoError(fmt::format("{}: array \"{}\" {}. The checkpoint is damaged.", in.file().string(), array, what));
}

}  // namespace

void write_lines(CheckpointWriter& out, const std::string& name, const std::vector<std::string>& lines) {
  write_text(out, name, lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n")));
}

std::vector<std::string> read_lines(const CheckpointReader& in, const std::string& name) {
  std::vector<std::string> lines;
  const std::string text = read_text(in, name);
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

void write_stages(CheckpointWriter& out, const Snapshot& s) {
  out.attribute("dt", s.clock.dt);
  out.attribute("origin_step", static_cast<std::int64_t>(s.clock.origin.step));
  out.attribute("origin_time", s.clock.origin.time);
  write_text(out, "stages/scene", s.scene);
  write_lines(out, "stages/interactions", s.interactions);
  write_text(out, "stages/stage", to_json(s.stage).dump());
}

void read_stages(const CheckpointReader& in, Snapshot& s) {
  s.clock.dt = in.number("dt");
  const std::int64_t step = in.integer("origin_step");
  if (step < 0) throw IoError(fmt::format("{}: attribute \"origin_step\" is {}.", in.file().string(), step));
  s.clock.origin = {static_cast<std::uint64_t>(step), in.number("origin_time")};
  s.scene = read_text(in, "stages/scene");
  if (!s.scene.empty() && !extent_fault(s.scene).empty()) damaged(in, "stages/scene", "is too much to take apart");
  if (!s.scene.empty() && !Json::accept(s.scene)) damaged(in, "stages/scene", "is no scene");
  s.interactions = read_lines(in, "stages/interactions");
  try {
    const std::string text = read_text(in, "stages/stage");
    if (!extent_fault(text).empty()) damaged(in, "stages/stage", "is too much to take apart");
    s.stage = from_json(Json::parse(text));
  } catch (const Json::exception&) {
    damaged(in, "stages/stage", "does not say where the run is");
  }
}

}  // namespace scree::detail
