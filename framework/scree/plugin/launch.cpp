#define BOOST_DLL_USE_STD_FS
#include "scree/plugin/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/plugin/detail/library.hpp"

namespace scree {

namespace {

/// Returns a number in the environment, or `otherwise`.
int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  if (!text) return otherwise;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end ? number : otherwise;
}

std::filesystem::path transport_folder() {
  if (const char* const folder = std::getenv("SCREE_TRANSPORT_PATH")) return folder;
  return std::filesystem::path(boost::dll::this_line_location().string()).parent_path() / "scree" / "transports";
}

/// Returns the first library of the folder by name; empty if there is none.
std::string transport_file(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
    if (entry.path().extension() == ".so") files.push_back(entry.path().string());
  return files.empty() ? "" : *std::ranges::min_element(files);
}

}  // namespace

Launch launch_of_environment() {
  struct Names {
    const char *size, *rank, *both;
  };
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE and OMPI_COMM_WORLD_RANK"},
        Names{"PMI_SIZE", "PMI_RANK", "PMI_SIZE and PMI_RANK"}})
    if (const Launch launch{number_of(names.size, 1), number_of(names.rank, 0), names.both}; launch.size > 1)
      return launch;
  return {};
}

std::unique_ptr<Transport> open_transport(const Launch& launch) {
  const std::filesystem::path folder = transport_folder();
  const std::string file = transport_file(folder);
  if (file.empty())
    throw InputError(
        fmt::format("mpirun has started {} processes, and this scree has nothing by which they could share a run: no "
                    "transport is in {}. Build scree where MPI is installed (Debian: libopenmpi-dev, openmpi-bin), or "
                    "start it without mpirun: --threads uses the cores of this machine.",
                    launch.size, folder.string()));
  std::unique_ptr<Transport> transport = start_transport(file);
  if (transport->size() != launch.size)
    throw InputError(
        fmt::format("mpirun has started {} processes, but {} connects {}: this mpirun is that of another MPI. Use the "
                    "one that scree was built with.",
                    launch.size, file, transport->size()));
  return transport;
}

}  // namespace scree
