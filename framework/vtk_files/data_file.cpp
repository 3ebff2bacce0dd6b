#include "vtk_files/data_file.hpp"

#include <fmt/format.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "scree/output/atomic_file.hpp"

namespace scree::vtk {

namespace {

/// Compressed at a time [bytes].
constexpr std::size_t kBlock = std::size_t{1} << 18;

template <class Writer, class Data>
void write(const std::filesystem::path& file, Data& data) {
  vtkNew<Writer> writer;
  writer->SetInputData(&data);
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToZLib();  // a third less than by LZ4, for some 10 ms per megabyte
  writer->SetCompressionLevel(4);
  writer->SetBlockSize(kBlock);
  writer->SetHeaderTypeToUInt64();
  writer->SetWriteToOutputString(true);
  if (writer->Write() == 0) throw IoError(fmt::format("{}: VTK cannot encode the data.", file.string()));
  write_atomically(file, writer->GetOutputString());
}

}  // namespace

void write_file(const std::filesystem::path& file, vtkPolyData& data) { write<vtkXMLPolyDataWriter>(file, data); }

void write_file(const std::filesystem::path& file, vtkImageData& data) { write<vtkXMLImageDataWriter>(file, data); }

void write_file(const std::filesystem::path& file, vtkUnstructuredGrid& data) {
  write<vtkXMLUnstructuredGridWriter>(file, data);
}

}  // namespace scree::vtk
