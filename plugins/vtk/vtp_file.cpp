#include "vtp_file.hpp"

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>

#include "scree/output/atomic_file.hpp"

namespace scree::vtk {

void write_vtp(const std::filesystem::path& file, vtkPolyData& data) {
  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetInputData(&data);
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToLZ4();
  writer->SetCompressionLevel(1);
  writer->SetHeaderTypeToUInt64();
  writer->SetWriteToOutputString(true);
  if (writer->Write() == 0) throw IoError(fmt::format("{}: VTK cannot encode the data.", file.string()));
  write_atomically(file, writer->GetOutputString());
}

}  // namespace scree::vtk
