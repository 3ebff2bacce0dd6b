#include "conformance/suite.hpp"

#include "conformance/catalogue.hpp"
#include "conformance/checks.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

using Check = Rows (*)(const Registry&, const std::string&);

/// What kinds of methods are asked by themselves, without a run.
Check check_of(const std::string& kind) {
  if (kind == "shape") return check_shape;
  if (kind == "detector") return check_detector;
  if (kind == "law") return check_law;
  if (kind == "bond-law") return check_bond_law;
  if (kind == "packing") return check_packing;
  return nullptr;
}

/// The author's scene where it uses the method, else one that is made.
/// \param steps  of one that is made; 0: for trials of options, which must stand in the scene
TrialScene trial_of(const Registry& registry, const FactoryInfo& info, const SuiteOptions& options, int steps) {
  if (!options.scene.empty())
    if (auto trial =
            authors_scene(registry, info.kind, info.name, options.scene, options.steps > 0 ? options.steps : 1000);
        trial && (steps > 0 || !trial->pointer.empty()))
      return *trial;
  return small_scene(registry, info.kind, info.name, steps);
}

Rows in_a_scene(const Registry& registry, const FactoryInfo& info, const SuiteOptions& options, int steps,
                Rows (*check)(const Registry&, const TrialScene&), const std::string& name) {
  TrialScene trial;
  try {
    trial = trial_of(registry, info, options, steps);
  } catch (const InputError& e) {
    return {
        not_applicable(name, std::string("no scene was found that it runs in; give one with --scene. ") + e.what())};
  }
  trial.library = info.library;
  return check(registry, trial);
}

void excuse(Rows& rows, const FactoryInfo& info) {
  const Json reasons = Json::parse(info.schema).value("x-scree-not-checked", Json::object());
  for (Row& row : rows)
    if (const auto reason = reasons.find(row.check); reason != reasons.end()) {
      row.verdict = Verdict::not_applicable;
      row.reason = "its schema says: " + reason->get<std::string>();
    }
}

}  // namespace

void test_plugin(const Registry& registry, const SuiteOptions& options,
                 const std::function<void(const std::string&)>& start, const std::function<void(const Rows&)>& show) {
  for (const FactoryInfo& info : registry.list()) {
    if (info.library != options.library) continue;
    const std::string method = info.kind + "/" + info.name;
    const auto group = [&](const std::string& name, const std::function<Rows()>& check) {
      start(method + ": " + name);
      Rows rows = isolated(method, name, check, options.limits);
      excuse(rows, info);
      show(rows);
    };
    if (info.taken_twice) {
      show({{method, "its name is its own", Verdict::failed, "another plugin registers it too: it cannot be used."}});
      continue;
    }
    if (info.kind == "engine") {
      show({{method, "runs", Verdict::not_applicable, "engines are compared by runs with --device"}});
      continue;
    }
    try {
      examples(registry, info.kind, info.name);
    } catch (const Error& e) {
      show(
          {{method, "has examples", Verdict::not_applicable, std::string(e.what()) + ": nothing else can be tested."}});
      continue;
    }
    if (const Check check = check_of(info.kind)) group("alone", [&] { return check(registry, info.name); });
    group("options", [&] { return in_a_scene(registry, info, options, 0, check_options, "options"); });
    group("runs", [&] {
      return in_a_scene(registry, info, options, options.steps > 0 ? options.steps : 60, check_runs, "runs");
    });
  }
}

}  // namespace scree::conformance
