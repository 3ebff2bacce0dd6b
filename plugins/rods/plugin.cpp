#include <scree/plugin/plugin.hpp>

#include "bond/elastic_rod.hpp"
#include "contact/segment_faces.hpp"
#include "contact/segment_segment.hpp"
#include "contact/segment_sphere.hpp"
#include "packing/strands.hpp"
#include "shape/capsule.hpp"

SCREE_PLUGIN(rods, "1.0.0") {
  using namespace scree;
  registrar.shape("capsule", SceneShapeFactory(rods::make_capsule));
  registrar.packing("strands", rods::pack_strands);
  registrar.bond_law("elastic-rod", rods::make_elastic_rod);
  registrar.detector("segment-segment", [](const Options&) { return std::make_unique<rods::SegmentSegment>(); });
  registrar.detector("segment-sphere", [](const Options&) { return std::make_unique<rods::SegmentSphere>(); });
  registrar.detector("segment-faces", [](const Options&) { return std::make_unique<rods::SegmentFaces>(); });
}
