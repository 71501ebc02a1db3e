// Plugins that earlier releases built (tests/abi/releases) load and compute what they did.
#include <algorithm>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<fs::path> packages() {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(OPKIT_RELEASES))
    if (entry.path().extension() == ".opkg") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

class EarlierReleases : public OpkitTest {};

TEST_F(EarlierReleases, TheirPluginsPassTheirTests) {
  ASSERT_GE(packages().size(), 2u);
  for (const fs::path& package : packages()) {
    SCOPED_TRACE(package.string());
    const std::string op = package.stem(), opp = package.parent_path().filename();
    const Shown installed = opkit({"install", package, "--opp", opp});
    // Another platform, another kind of build, older C libraries: not what is judged here.
    for (const char* code : {"OPK-FIT-003", "OPK-FIT-004", "OPK-FIT-005"})
      if (installed.err.find(code) != std::string::npos) GTEST_SKIP() << installed.err;
    ASSERT_EQ(installed.exit_code, 0);
    EXPECT_EQ(opkit({"verify", "--opp", opp}).exit_code, 0);
    const nlohmann::json tested = opkit_json({"test", op, "--opp", opp, "--tier", "smoke"});
    EXPECT_EQ(tested["verdict"], "PASSED");
    EXPECT_GT(tested["counts"]["PASSED"], 100);
  }
}

}  // namespace
}  // namespace opkit::e2e
