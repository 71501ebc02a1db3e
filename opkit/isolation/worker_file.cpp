#include "opkit/isolation/worker_file.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "opkit/base/process/own_executable.h"

namespace opkit::isolation {
namespace fs = std::filesystem;
namespace {

constexpr const char* kName = "opkit-worker";

std::vector<fs::path> candidates() {
  std::vector<fs::path> all;
  std::error_code ignored;
  const fs::path program = own_executable();
  if (!program.empty()) all.push_back(program.parent_path() / kName);
  // Counts the levels from a test to its build folder.
  constexpr int kLevels = 4;
  fs::path above = program.parent_path();
  for (int level = 0; level < kLevels && above.has_relative_path(); ++level) {
    above = above.parent_path();
    all.push_back(above / "opkit" / "cli" / kName);
  }
  Dl_info here = {};
  if (dladdr(reinterpret_cast<const void*>(&worker_file), &here) != 0 && here.dli_fname) {
    const fs::path folder = fs::canonical(here.dli_fname, ignored).parent_path();
    all.push_back(folder / kName);
    all.push_back(folder.parent_path() / "bin" / kName);
    all.push_back(folder / "cli" / kName);  // lies in a build folder
    // Looks beside Python packages: lib/opkit/python, and in a build folder.
    all.push_back(folder.parent_path().parent_path().parent_path() / "bin" / kName);
    all.push_back(folder.parent_path() / "cli" / kName);
  }
  return all;
}

}  // namespace

Result<fs::path> worker_file() {
  std::vector<std::string> tried;
  const char* said = std::getenv("OPKIT_WORKER");
  const std::vector<fs::path> all = said && *said ? std::vector<fs::path>{said} : candidates();
  for (const fs::path& file : all) {
    if (::access(file.c_str(), X_OK) == 0) return file;
    tried.push_back(file.string());
  }
  return Error("OPK-WORKER-001",
               fmt::format("there is no program {} to run plugins in; looked for {}", kName,
                           fmt::join(tried, ", ")),
               "install opkit again, or name the program in OPKIT_WORKER");
}

}  // namespace opkit::isolation
