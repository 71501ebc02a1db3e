#include "opkit/spread/mpi_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "opkit/base/process/own_executable.h"

namespace opkit::spread {
namespace {

constexpr const char* kLibrary = "libopkit_mpi.so";

// Looks beside the libraries of the SDK or package, then beside the program (a build folder).
std::string library_file() {
  const std::filesystem::path folder = own_executable().parent_path();
  for (const char* place : {"../lib", "../lib/opkit", "../spread/mpi", "."}) {
    const auto file = folder / place / kLibrary;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file.lexically_normal().string();
  }
  return kLibrary;
}

}  // namespace

bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* ranks = std::getenv(name);
    if (ranks != nullptr && std::atoi(ranks) > 1) return true;
  }
  return false;
}

Result<const opkit_mpi_v1*> open_mpi() {
  // Makes MPI's symbols global: its own plugins look for them there.
  void* library = dlopen(library_file().c_str(), RTLD_NOW | RTLD_GLOBAL);
  const auto failed = [](const std::string& why) {
    return Error(
        "OPK-SPREAD-002",
        "mpirun has started this process as one of several, and opkit cannot join them: " + why,
        "install the component with libopkit_mpi.so (built where libboost-mpi-dev is), or "
        "start one process; --shard i/n needs no MPI");
  };
  if (library == nullptr) return failed(dlerror());
  auto* open = reinterpret_cast<const opkit_mpi_v1* (*)()>(dlsym(library, "opkit_mpi_open"));
  if (open == nullptr) return failed(dlerror());
  const opkit_mpi_v1* mpi = open();
  if (mpi == nullptr) return failed("MPI could not be started");
  return mpi;
}

}  // namespace opkit::spread
