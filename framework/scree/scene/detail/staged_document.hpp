#pragma once
/// \file Scene file with stages as documents of scenes without: one for the start, one for each stage.

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

  /// Returns the document without the changes of any stage.
  const Json& base() const { return base_; }
  using MakeScene = std::function<Scene(const Json& document, std::shared_ptr<const Scene::Positions> positions)>;
  /// Returns the stages, each with its scene.
  /// \throws InputError that lists the faults of all stages, at the values of the changes
  std::vector<StageDef> read(const MakeScene& scene) const;
  /// Returns the whole document as resolved.
  /// \param scene  scene of base(), with its stages
  Json resolved(const Scene& scene) const;
  /// Returns the parts of the document that decide the course of a run.
  Json decisive(const Scene& scene) const;

 private:
  struct Part {
    Json document;
    std::vector<std::pair<std::string, std::string>>
        moved;                    ///< moved values of all stages up to this one; see apply_change()
    std::size_t first_moved = 0;  ///< index of the first one of this stage
    std::vector<Fault> faults;
  };
  Json resolved_stages(const Scene& scene) const;

  Json base_, stages_;
  std::shared_ptr<const Scene::Positions> positions_;
  std::vector<Part> parts_;
};

}  // namespace scree
