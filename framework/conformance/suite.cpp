#include "conformance/suite.hpp"

#include <fmt/format.h>

#include "conformance/catalogue.hpp"
#include "conformance/checks.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

using Check = Rows (*)(const Registry&, const std::string&);

/// Returns the check of a kind's methods alone, without a run.
Check check_of(const std::string& kind) {
  if (kind == "shape") return check_shape;
  if (kind == "detector") return check_detector;
  if (kind == "law") return check_law;
  if (kind == "bond-law") return check_bond_law;
  if (kind == "integrator") return check_integrator;
  if (kind == "packing") return check_packing;
  return nullptr;
}

/// Returns the author's scene if it uses the method, else one that is made.
/// \param steps  steps of a made scene; 0: for trials of options, which must be in the scene
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
    const std::string text = e.what();
    if (text.find(fmt::format("{} \"{}\" (plugin {})", info.kind, info.name, info.plugin)) != std::string::npos)
      return {failed(name, text)};
    if (info.kind == "packing") return {failed(name, "no scene takes the bodies that it places: " + text)};
    return {not_applicable(name, "no scene was found that it runs in; give one with --scene. " + text)};
  }
  trial.library = info.library;
  return check(registry, trial);
}

/// Makes a method from its examples, and calls its first functions. Its exceptions are found again later.
void make(const Registry& registry, const FactoryInfo& info) {
  const MaterialEntry material{"m", 2500, 5e6, 0.3};
  for (const Json& example : examples(registry, info.kind, info.name)) try {
      const Options options = made_of(registry, info.kind, example);
      if (info.kind == "shape")
        for (const int dimension : {2, 3}) registry.shape(info.name)(options, ShapeContext{dimension})->surface();
      if (info.kind == "detector") registry.detector(info.name)(options)->traits();
      if (info.kind == "law") registry.law(info.name)(options, {3, material, material, 5e-3})->range();
      if (info.kind == "bond-law") registry.bond_law(info.name)(options, {3, material, material})->traits();
      if (info.kind == "integrator") registry.integrator(info.name)(options)->traits();
    } catch (const std::exception&) {
    }
}

/// Checks whether a group of checks was ended by a limit of time.
bool timed_out(const Rows& rows) {
  return rows.size() == 1 && rows[0].verdict == Verdict::failed &&
         (rows[0].reason.starts_with("did not end") || rows[0].reason.starts_with("stands still"));
}

void excuse(Rows& rows, const FactoryInfo& info) {
  const Json reasons = Json::parse(info.schema).value("x-scree-not-checked", Json::object());
  for (Row& row : rows)
    if (const auto reason = reasons.find(row.check); reason != reasons.end()) {
      row.verdict = Verdict::not_applicable;
      row.reason = "its schema says: " + reason->get<std::string>();
    }
}

/// Checks whether a method of the plugin can be made at all. One that crashes then is left out of all scenes.
bool can_be_made(const Registry& registry, const FactoryInfo& info, const SuiteOptions& options,
                 const std::function<void(const Rows&)>& show) {
  const std::string check = "is made from its examples";
  const Rows rows = isolated(
      info.kind + "/" + info.name, check, [&] { return make(registry, info), Rows{}; }, options.limits);
  if (rows.empty()) return true;
  leave_out(info.kind, info.name);
  show(rows);
  return false;
}

}  // namespace

void test_plugin(const Registry& registry, const SuiteOptions& options,
                 const std::function<void(const std::string&)>& start, const std::function<void(const Rows&)>& show) {
  std::vector<FactoryInfo> methods;
  for (const FactoryInfo& info : registry.list()) {
    if (info.library != options.library) continue;
    const std::string method = info.kind + "/" + info.name;
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
    start(method + ": made");
    if (can_be_made(registry, info, options, show)) methods.push_back(info);
  }
  for (const FactoryInfo& info : methods) {
    const std::string method = info.kind + "/" + info.name;
    bool endless = false;
    const auto group = [&](const std::string& name, const std::function<Rows()>& check) {
      if (endless) return show({{method, name, Verdict::not_applicable, "left out, as the checks before did not end"}});
      start(method + ": " + name);
      Rows rows = isolated(method, name, check, options.limits);
      endless = timed_out(rows);
      excuse(rows, info);
      show(rows);
    };
    if (const Check check = check_of(info.kind)) group("alone", [&] { return check(registry, info.name); });
    group("options", [&] { return in_a_scene(registry, info, options, 0, check_options, "options"); });
    group("runs", [&] {
      return in_a_scene(registry, info, options, options.steps > 0 ? options.steps : 60, check_runs, "runs");
    });
  }
}

}  // namespace scree::conformance
