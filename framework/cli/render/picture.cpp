#include "picture.hpp"

#include <vtkImageShrink3D.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

namespace scree::render {

std::string png_of(vtkRenderWindow& window, int supersampling) {
  vtkNew<vtkWindowToImageFilter> grab;
  grab->SetInput(&window);
  grab->ReadFrontBufferOff();
  vtkNew<vtkImageShrink3D> average;
  average->SetInputConnection(grab->GetOutputPort());
  average->SetShrinkFactors(supersampling, supersampling, 1);
  average->AveragingOn();
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputConnection(average->GetOutputPort());
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray& bytes = *writer->GetResult();
  return {reinterpret_cast<const char*>(bytes.GetPointer(0)), static_cast<std::size_t>(bytes.GetNumberOfValues())};
}

}  // namespace scree::render
