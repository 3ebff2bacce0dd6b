#pragma once
/// \file Variations requested by `--vary` and `--seeds`: axes of choices, and all their combinations.

#include <string>
#include <vector>

#include "scree/plugin/registry.hpp"

namespace scree::cli {

/// One value of an axis.
struct Choice {
  std::string value;              ///< text in tables
  std::vector<std::string> sets;  ///< arguments of --set
};

struct Axis {
  std::string name;   ///< heads its column in tables: the pointer, "law", "seed"
  std::string label;  ///< short, for names of runs
  std::vector<Choice> choices;
  bool all_loaded = false;  ///< true if methods were not named: those that do not fit are left out
};

/// Reads the axes of one `--vary`:
///   /pointer=v1,v2      values of the scene (JSON or text); commas within brackets and quotes do not separate
///   /a,/b=v1,v2         the same values at several pointers
///   law=n1,n2           methods of a kind: law, detector or integrator; the others keep the options they share
///   law,integrator      all loaded methods of these kinds
/// \param scene     scene without --vary
/// \param with_own  true to put the scene's own methods first, whether they are named or not
/// \throws InputError
std::vector<Axis> read_vary(const std::string& text, const Scene& scene, const Registry& registry, bool with_own);

/// Returns the axis that adds 0, 1, ... to every seed of the scene, those with a default included.
/// \throws InputError for less than one
Axis seed_axis(int seeds, const Scene& scene);

/// Run of a sweep.
struct Combination {
  std::string name;                 ///< "friction=0.3,seed=2": a name of a folder
  std::vector<std::string> values;  ///< value of each axis
  std::vector<std::string> sets;
};

/// Returns all combinations, the last axis fastest. Their names are unique, and depend only on their values.
/// \throws InputError if two axes are the same, or there are too many runs
std::vector<Combination> combinations(std::vector<Axis> axes);

/// Returns a text as part of the name of a folder, without characters that have a meaning to shells and file systems.
std::string file_name_part(const std::string& text);

}  // namespace scree::cli
