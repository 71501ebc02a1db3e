#include "opkit/build/project/vendor_files.h"

#include <fmt/format.h>

#include "opkit/build/project/nn_header.h"
#include "opkit/build/project/sdk.h"
#include "opkit/contract/names.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// A vendor's package says of which toolkit's compiler it is; those from 6.3 to 7.7 serve beside
// CANN 8.1 (its required_opp_abi_version).
constexpr const char* kCompilerVersion = "7.7.0";

std::optional<std::string> headers_of(const std::vector<fs::path>& contracts) {
  std::vector<NnHeader> all;
  for (const fs::path& path : contracts) {
    const auto contract = OpContract::load(path);
    if (!contract.ok()) continue;
    if (auto header = nn_header(*contract); header.ok()) add_header(std::move(*header), all);
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all.front().text));
}

}  // namespace

registry::LayoutMaker layout_maker() {
  registry::LayoutMaker maker;
  maker.header_name = [](const std::string& op) {
    return fmt::format("aclnn_{}.h", snake_name(op));
  };
  maker.header = headers_of;
  if (const auto sdk = find_sdk(); sdk.ok()) maker.runtime = fs::absolute(sdk->runtime);
  maker.version_info = fmt::format("custom_opp_compiler_version={}\nopkit_version={}\n",
                                   kCompilerVersion, kit_version());
  return maker;
}

}  // namespace opkit::project
