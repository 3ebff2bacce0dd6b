#include "scree/output/summary.hpp"

#include <nlohmann/json.hpp>

#include "scree/output/atomic_file.hpp"
#include "scree/output/time_text.hpp"

namespace scree {

std::string to_json(const Summary& s) {
  using Json = nlohmann::ordered_json;  // readers look for the fields in the documented order
  const StageSeconds& seconds = s.stage_seconds;
  Json json = {
      {"scene", s.scene},
      {"status", s.status},
      {"steps", s.steps},
      {"simulated_time", time_in_files(s.simulated_time)},
      {"dt", s.dt},
      {"wall_seconds", s.wall_seconds},
      {"stage_seconds",
       {{"grid", seconds.grid},
        {"detect", seconds.detect},
        {"law", seconds.law},
        {"integrate", seconds.integrate},
        {"output", seconds.output}}},
      {"bodies", s.bodies},
      {"particle_steps_per_second", s.particle_steps_per_second},
      {"candidate_pairs_mean", s.candidate_pairs_mean},
      {"touching_pairs_mean", s.touching_pairs_mean},
      {"contacts_mean", s.contacts_mean},
      {"history_hits_mean", s.history_hits_mean},
      {"rebuilds", s.rebuilds},
      {"max_overlap_ratio", s.max_overlap_ratio},
      {"peak_overlap_ratio", s.peak_overlap_ratio},
      {"kinetic_energy_initial", s.kinetic_energy_initial},
      {"kinetic_energy_final", s.kinetic_energy_final},
      {"energy_drift", s.energy_drift},
      {"momentum", {s.momentum.x(), s.momentum.y(), s.momentum.z()}},
      {"threads", s.threads},
      {"device", s.device},
      {"state_hash", s.state_hash},
      {"version", s.version},
  };
  if (s.fewest_steps_of_a_contact > 0) json["fewest_steps_of_a_contact"] = s.fewest_steps_of_a_contact;
  if (s.ranks > 1) {
    json["ranks"] = s.ranks;
    json["rank_waiting_seconds"] = {{"mean", s.sharing.mean_waiting}, {"most", s.sharing.most_waiting}};
    json["divided_steps"] = static_cast<std::uint64_t>(s.sharing.divided_steps);
  }
  json["plugins"] = Json::array();
  for (const PluginRecord& p : s.plugins)
    json["plugins"].push_back({{"name", p.name}, {"version", p.version}, {"hash", p.hash}});
  for (const StageRecord& stage : s.stages)
    json["stages"].push_back({{"name", stage.name},
                              {"first_step", stage.first_step},
                              {"steps", stage.steps},
                              {"start", time_in_files(stage.start)},
                              {"end", time_in_files(stage.end)},
                              {"ended", stage.ended.empty() ? Json() : Json(stage.ended)}});
  json["warnings"] = s.warnings;
  if (!s.changes.empty()) json["changes"] = s.changes;
  if (!s.reason.empty()) json["reason"] = s.reason;
  if (!s.figures.empty()) json["figures"] = s.figures;
  // Names come from the user's file system: bytes that are not UTF-8 are replaced instead of losing the summary.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::filesystem::path& file, const Summary& summary) {
  write_atomically(file, to_json(summary), true);
}

}  // namespace scree
