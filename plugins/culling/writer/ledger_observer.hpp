#pragma once
/// \file The observer `culling-ledger`: culling.csv, and stored.pvd and interface.pvd for ParaView.

#include <filesystem>
#include <memory>
#include <optional>

#include "cull/culling.hpp"
#include "scree/output/metrics.hpp"

namespace scree::culling {

/// Time series of the granules that are stored and of the surfaces about them; there are none without VTK.
class StoredPictures {
 public:
  virtual ~StoredPictures();
  virtual void open(const std::filesystem::path& folder) = 0;
  virtual void start_anew() = 0;
  virtual void resume(std::uint64_t first_frame) = 0;
  virtual void add(const World& world, const Culling& culling, const Frame& frame) = 0;
};
/// \throws InputError where scree was built without VTK
std::unique_ptr<StoredPictures> make_stored_pictures();

class LedgerObserver final : public Observer {
 public:
  explicit LedgerObserver(bool pictures) : wants_pictures_(pictures) {}

  /// \throws InputError for a scene without the hook "granular-culling", or pictures without VTK
  void begin(const World& world) override;
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override;

 private:
  void add_row(const World& world, const Culling& culling, const Frame& frame);

  bool wants_pictures_, continued_ = false;
  std::filesystem::path folder_;
  std::optional<MetricsWriter> table_;
  std::unique_ptr<StoredPictures> pictures_;
};

}  // namespace scree::culling
