#include "writer/ledger_observer.hpp"

#include "scree/base/error.hpp"

namespace scree::culling {

StoredPictures::~StoredPictures() = default;

void LedgerObserver::begin(const World& world) {
  if (!culling_of(world))
    throw InputError(
        "writer culling-ledger: the scene has no hook \"granular-culling\", so nothing is stored. Add the "
        "hook or remove this writer.");
  if (wants_pictures_) pictures_ = make_stored_pictures();
}

void LedgerObserver::open(const std::string& directory) {
  folder_ = directory;
  if (pictures_) pictures_->open(folder_);
}

void LedgerObserver::resume(std::uint64_t first_frame) {
  if (pictures_) pictures_->resume(first_frame);
  continued_ = true;
}

std::vector<std::string> LedgerObserver::files() const {
  std::vector<std::string> names = {"culling.csv"};
  if (wants_pictures_) names.insert(names.end(), {"stored.pvd", "stored", "interface.pvd", "interface"});
  return names;
}

void LedgerObserver::observe(const World& world, const ContactView*, const Frame& frame) {
  const Culling& culling = *culling_of(world);
  if (pictures_ && !continued_) pictures_->start_anew();
  add_row(world, culling, frame);
  if (pictures_) pictures_->add(world, culling, frame);
  continued_ = true;
}

/// Seconds are those of this process, on the wall clock.
void LedgerObserver::add_row(const World& world, const Culling& culling, const Frame& frame) {
  if (!table_)
    table_.emplace(folder_ / "culling.csv",
                   std::vector<std::string>{"time_s", "active", "interface", "stored", "aggregates", "culls", "carves",
                                            "granules_stored", "granules_restored", "ledger_bytes", "sample_s",
                                            "carve_s", "cull_s"},
                   continued_ ? std::optional(frame.time) : std::nullopt, KeptRows::before);
  const auto& figures = world.metrics();
  const CullingCounts& c = culling.counts();
  std::vector<double> row = {frame.time};
  for (const char* const name :
       {"active", "interface", "stored", "aggregates", "culls", "carves", "granules_stored", "granules_restored"})
    row.push_back(figures.at(std::string("culling_") + name));
  row.insert(row.end(), {figures.at("culling_granule_bytes") + figures.at("culling_contact_bytes"), c.sample_seconds,
                         c.carve_seconds, c.cull_seconds});
  table_->append(row);
}

}  // namespace scree::culling
