#pragma once
/// \file A scene file with stages as documents of scenes without: one for the start, one for each stage.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scree/scene/detail/reading.hpp"

namespace scree {

class StagedDocument {
 public:
  /// \param document  valid by the schema, with "stages"
  StagedDocument(Json document, std::shared_ptr<const Scene::Positions> positions);

  /// What holds before any stage changes it.
  const Json& base() const { return base_; }
  using MakeScene = std::function<Scene(const Json& document, std::shared_ptr<const Scene::Positions> positions)>;
  /// The stages, each with the scene that holds in it.
  /// \throws InputError that lists the faults of all stages, at the values of the changes
  std::vector<StageDef> read(const MakeScene& scene) const;
  /// \param scene  of base(), with its stages
  /// \return the whole document as resolved, and what of it decides the course of a run
  Json resolved(const Scene& scene) const;
  Json decisive(const Scene& scene) const;

 private:
  struct Part {
    Json document;
    std::vector<std::pair<std::string, std::string>> moved;  ///< see apply_change(); of all stages up to this one
    std::size_t first_moved = 0;                             ///< of this stage
    std::vector<Fault> faults;
  };
  Json resolved_stages(const Scene& scene) const;

  Json base_, stages_;
  std::shared_ptr<const Scene::Positions> positions_;
  std::vector<Part> parts_;
};

}  // namespace scree
