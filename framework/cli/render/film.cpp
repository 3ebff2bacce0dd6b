#include "film.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "display.hpp"
#include "gif.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace fs = std::filesystem;

namespace {

/// Name of the file until it is whole; its end stays, which tells programs the format.
fs::path unfinished(const fs::path& file) {
  return file.parent_path() / fmt::format(".{}.part{}", file.stem().string(), file.extension().string());
}

class Gif final : public Film {
 public:
  Gif(fs::path file, int rate, const std::vector<Bitmap>& samples)
      : file_(std::move(file)),
        writer_(samples.at(0).width, samples.at(0).height, std::max(2, (100 + rate / 2) / rate), pixels_of(samples)) {}
  void add(const Bitmap& frame) override { writer_.add(bytes_of(frame, 3)); }
  void finish() override { write_atomically(file_, writer_.finish()); }

 private:
  static std::vector<Pixels> pixels_of(const std::vector<Bitmap>& samples) {
    std::vector<Pixels> all;
    for (const Bitmap& sample : samples) all.push_back(bytes_of(sample, 3));
    return all;
  }
  fs::path file_;
  GifWriter writer_;
};

class Theora final : public Film {
 public:
  Theora(fs::path file, int rate) : file_(std::move(file)) {
    writer_->SetFileName(unfinished(file_).c_str());
    writer_->SetRate(rate);
    writer_->SetQuality(2);
    writer_->SubsamplingOff();
  }
  ~Theora() override {
    std::error_code ignored;
    fs::remove(unfinished(file_), ignored);
  }
  void add(const Bitmap& frame) override {
    const auto bytes = bytes_of(frame, 3);
    vtkNew<vtkImageData> image;
    image->SetDimensions(frame.width, frame.height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    const std::size_t row = 3 * static_cast<std::size_t>(frame.width);
    auto* const to = static_cast<unsigned char*>(image->GetScalarPointer());
    for (std::size_t y = 0; y < static_cast<std::size_t>(frame.height); ++y)
      std::copy_n(bytes.data() + y * row, row, to + (static_cast<std::size_t>(frame.height) - 1 - y) * row);
    writer_->SetInputData(image);
    if (!begun_) writer_->Start(), begun_ = true;
    writer_->Write();
    if (writer_->GetError() != 0) throw io_error(file_, "cannot write", errno);
  }
  void finish() override {
    writer_->End();
    if (writer_->GetError() != 0) throw io_error(file_, "cannot write", errno);
    fs::rename(unfinished(file_), file_);
  }

 private:
  fs::path file_;
  vtkNew<vtkOggTheoraWriter> writer_;
  bool begun_ = false;
};

/// Pictures given to ffmpeg, which writes the film.
class Mp4 final : public Film {
 public:
  Mp4(fs::path file, int rate, const Bitmap& first) : file_(std::move(file)) {
    std::signal(SIGPIPE, SIG_IGN);  // ffmpeg's end is told by its exit code
    const std::vector<std::string> words = {"ffmpeg",
                                            "-y",
                                            "-loglevel",
                                            "error",
                                            "-f",
                                            "rawvideo",
                                            "-pix_fmt",
                                            "rgb24",
                                            "-s",
                                            fmt::format("{}x{}", first.width, first.height),
                                            "-r",
                                            std::to_string(rate),
                                            "-i",
                                            "-",
                                            "-c:v",
                                            "libx264",
                                            "-crf",
                                            "18",
                                            "-pix_fmt",
                                            "yuv420p",
                                            "-movflags",
                                            "+faststart",
                                            fs::absolute(unfinished(file_)).string()};
    int ends[2];
    if (::pipe(ends) != 0) throw io_error(file_, "cannot start ffmpeg", errno);
    child_ = ::fork();
    if (child_ < 0) throw io_error(file_, "cannot start ffmpeg", errno);
    if (child_ == 0) {
      ::dup2(ends[0], 0);
      ::close(ends[0]);
      ::close(ends[1]);
      std::vector<char*> arguments;
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(ends[0]);
    to_ = ends[1];
  }
  ~Mp4() override {
    if (to_ >= 0) wait();
    std::error_code ignored;
    fs::remove(unfinished(file_), ignored);
  }
  void add(const Bitmap& frame) override {
    const auto bytes = bytes_of(frame, 3);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = ::write(to_, bytes.data() + done, bytes.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw IoError(fmt::format("{}: ffmpeg ended before the film did.", file_.string()));
      done += static_cast<std::size_t>(written);
    }
  }
  void finish() override {
    if (const int status = wait(); status != 0)
      throw IoError(fmt::format("{}: ffmpeg ended with code {}.", file_.string(), status));
    fs::rename(unfinished(file_), file_);
  }

 private:
  int wait() {
    ::close(to_);
    to_ = -1;
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  fs::path file_;
  int to_ = -1;
  ::pid_t child_ = -1;
};

}  // namespace

void check_film(const fs::path& file) {
  const std::string end = file.extension().string();
  if (end != ".gif" && end != ".ogv" && end != ".mp4")
    throw InputError(fmt::format("scree render: --film is \"{}\"; a film ends in .mp4, .ogv or .gif.", file.string()));
  if (end == ".mp4" && !on_path("ffmpeg"))
    throw InputError(
        "scree render: --film: .mp4 needs ffmpeg, which is not installed (apt install ffmpeg). Files .ogv and .gif "
        "need nothing more.");
}

std::unique_ptr<Film> begin_film(const fs::path& file, int frames_per_second, const std::vector<Bitmap>& samples) {
  const std::string end = file.extension().string();
  if (end == ".gif") return std::make_unique<Gif>(file, frames_per_second, samples);
  if (end == ".ogv") return std::make_unique<Theora>(file, frames_per_second);
  return std::make_unique<Mp4>(file, frames_per_second, samples.at(0));
}

}  // namespace scree::render
