#include "page/parts.hpp"

#include <vtkBase64Utilities.h>
#include <vtkNew.h>
#include <vtkZLibDataCompressor.h>

namespace scree::render {

std::string compressed(const std::string& bytes) {
  vtkNew<vtkZLibDataCompressor> zlib;
  zlib->SetCompressionLevel(9);
  std::vector<unsigned char> small(zlib->GetMaximumCompressionSpace(bytes.size()));
  small.resize(
      zlib->Compress(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), small.data(), small.size()));
  std::string text(4 * ((small.size() + 2) / 3), '\0');
  vtkBase64Utilities::Encode(small.data(), small.size(), reinterpret_cast<unsigned char*>(text.data()));
  return text;
}

std::string Parts::add(const std::string& bytes) {
  parts_.emplace_back("part" + std::to_string(parts_.size()), compressed(bytes));
  return parts_.back().first;
}

}  // namespace scree::render
