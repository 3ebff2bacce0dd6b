#pragma once
/// \file Parts of a checkpoint that are no tables: each written as a few arrays, and read back with their lengths
/// checked. The meaning of numbers is checked later, against the scene: see check_snapshot().

#include <map>
#include <optional>
#include <string>

#include "scree/hooks/history_table.hpp"
#include "scree/output/container.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

void write_history(CheckpointWriter& out, const HistoryTable& history);
/// Reads the history. \throws IoError naming the array, like the other functions
HistoryTable read_history(const CheckpointReader& in);

/// Writes the contacts that a modifier is about to see; nothing if there is none.
void write_contacts(CheckpointWriter& out, const std::optional<ContactView>& contacts);
std::optional<ContactView> read_contacts(const CheckpointReader& in);

void write_prescribed(CheckpointWriter& out, const std::map<Id, World::Prescribed>& prescribed);
std::map<Id, World::Prescribed> read_prescribed(const CheckpointReader& in);

void write_surface_velocities(CheckpointWriter& out, const std::map<Id, Vec3>& velocities);
std::map<Id, Vec3> read_surface_velocities(const CheckpointReader& in);

/// Writes the edits of members that were not reported yet: attached and released bodies.
void write_member_edits(CheckpointWriter& out, const Snapshot& snapshot);
void read_member_edits(const CheckpointReader& in, Snapshot& snapshot);

void write_cell(CheckpointWriter& out, const std::string& name, const PeriodicCell& cell);
PeriodicCell read_cell(const CheckpointReader& in, const std::string& name);

void write_tolerated(CheckpointWriter& out, const std::vector<Bonds::Tolerated>& pairs);
std::vector<Bonds::Tolerated> read_tolerated(const CheckpointReader& in);

void write_states(CheckpointWriter& out, const MethodStates& states);
MethodStates read_states(const CheckpointReader& in);

/// Writes texts without line feeds.
void write_lines(CheckpointWriter& out, const std::string& name, const std::vector<std::string>& lines);
std::vector<std::string> read_lines(const CheckpointReader& in, const std::string& name);

/// Writes the current scene, its time steps, and the position of the run in its stages.
void write_stages(CheckpointWriter& out, const Snapshot& snapshot);
void read_stages(const CheckpointReader& in, Snapshot& snapshot);

}  // namespace scree::detail
