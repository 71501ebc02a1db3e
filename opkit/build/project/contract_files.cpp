#include "opkit/build/project/contract_files.h"

#include <algorithm>
#include <string_view>

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kOnly = "op_contract.yaml", kEnding = "_contract.yaml";

}  // namespace

std::vector<fs::path> contracts_of(const fs::path& project) {
  std::error_code failure;
  const fs::path only = project / kOnly;
  if (fs::exists(only, failure)) return {only};
  std::vector<fs::path> found;
  for (fs::directory_iterator at(project, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().filename().string().ends_with(kEnding)) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string package_name(const fs::path& contract) {
  const std::string file = contract.filename().string();
  return file == kOnly ? std::string() : file.substr(0, file.size() - kEnding.size());
}

}  // namespace opkit::project
