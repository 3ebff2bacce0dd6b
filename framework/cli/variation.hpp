#pragma once
/// \file What `--vary` and `--seeds` ask for: axes of choices, and all their combinations.

#include <string>
#include <vector>

#include "scree/plugin/registry.hpp"

namespace scree::cli {

/// One value of an axis.
struct Choice {
  std::string value;              ///< as the table shows it
  std::vector<std::string> sets;  ///< that --set takes
};

struct Axis {
  std::string name;   ///< heads its column in tables: the pointer, "law", "seed"
  std::string label;  ///< short, for names of runs
  std::vector<Choice> choices;
  bool all_loaded = false;  ///< the methods were not named: those that do not fit are left out
};

/// Axes of one `--vary`:
///   /pointer=v1,v2      values of the scene (JSON or text); commas within brackets and quotes part nothing
///   /a,/b=v1,v2         the same values at several pointers
///   law=n1,n2           methods of a kind: law, detector or integrator; the others keep the options they share
///   law,integrator      all loaded methods of these kinds
/// \param scene     as it is without --vary
/// \param with_own  the scene's own methods come first, whether they are named or not
/// \throws InputError
std::vector<Axis> read_vary(const std::string& text, const Scene& scene, const Registry& registry, bool with_own);

/// Adds 0, 1, ... to every seed of the scene, those with a default included.
/// \throws InputError for less than one
Axis seed_axis(int seeds, const Scene& scene);

/// A run of a sweep.
struct Combination {
  std::string name;                 ///< "friction=0.3,seed=2": a name of a folder
  std::vector<std::string> values;  ///< of each axis
  std::vector<std::string> sets;
};

/// All combinations, the last axis fastest. Their names are unique, and depend on their values alone.
/// \throws InputError when two axes are the same, or there are too many runs
std::vector<Combination> combinations(std::vector<Axis> axes);

/// A text as part of the name of a folder, without what shells and file systems take for something else.
std::string file_name_part(const std::string& text);

}  // namespace scree::cli
