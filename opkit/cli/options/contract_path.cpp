#include "opkit/cli/options/contract_path.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "registry/package_form.h"

namespace opkit::cli {
namespace fs = std::filesystem;

Result<std::string> contract_path(const std::string& given) {
  std::error_code ignored;
  if (!fs::is_directory(given, ignored)) return given;
  const std::array<fs::path, 2> places = {fs::path(given) / "op_contract.yaml",
                                          fs::path(given) / registry::kContractFile};
  for (const fs::path& place : places) {
    if (fs::exists(place, ignored)) return place.string();
  }
  return Error("OPK-FILE-001", fmt::format("{} holds no op_contract.yaml", given),
               "name a contract file, an op project or a package");
}

}  // namespace opkit::cli
