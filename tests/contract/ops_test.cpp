// Every sample op, tested from its contract: the packages that `make ops` built and installed, or
// those in ASCEND_OPP_PATH. OPKIT_TEST_TIER picks the tier (default: smoke). Under a sanitizer
// every eighth problem of each op runs: OPKIT_TEST_SHARDS=1 runs all, OPKIT_TEST_SHARD=1 to 7 the
// others.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "opkit/base/digest.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/verify/test_run.h"
#include "opkit_test_paths.h"
#include "registry/plugin.h"
#include "registry/registry.h"
#include "tests/installed_opp.h"

namespace opkit::verify {
namespace {

Tier tier() {
  const char* given = std::getenv("OPKIT_TEST_TIER");
  return tier_from_name(given != nullptr ? given : "smoke").value_or(Tier::kSmoke);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kShards = 8;
#else
constexpr size_t kShards = 1;
#endif

size_t number_from(const char* variable, size_t otherwise) {
  const char* given = std::getenv(variable);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

std::vector<std::filesystem::path> contracts() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path ops = std::filesystem::path(OPKIT_SOURCE_DIR) / "ops";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ops)) {
    if (entry.path().filename().string().ends_with("_contract.yaml")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class SampleOps : public testing::TestWithParam<std::filesystem::path> {
 protected:
  // Makes each launch also replay what it has recorded, and compare every byte.
  static void SetUpTestSuite() { ::setenv("OPKIT_REPLAY", "compare", 1); }
};

TEST_P(SampleOps, DoWhatTheirContractsPromise) {
  if (!std::filesystem::exists(opp_path() / "vendors/config.ini"))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const auto source = OpContract::load(GetParam());
  ASSERT_TRUE(source.ok()) << source.error().to_string();
  const auto registry = registry::Registry::open(opp_path());
  const auto resolution = registry.resolve({source->op, "", "", ""});
  ASSERT_TRUE(resolution.ok()) << resolution.error().to_string();
  const auto plugin = registry::Plugin::load(resolution->package, registry.host());
  ASSERT_TRUE(plugin.ok()) << plugin.error().to_string();
  const auto contract = OpContract::load(resolution->package.contract_path());
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();

  const auto digest = sha256_file(resolution->package.library_path());
  ASSERT_TRUE(digest.ok()) << digest.error().to_string();
  InProcess executor(&plugin->op(), *digest);
  TestRequest request;
  request.contract = &*contract;
  request.executor = &executor;
  request.tier = tier();
  request.shards = number_from("OPKIT_TEST_SHARDS", kShards);
  request.shard = number_from("OPKIT_TEST_SHARD", 0);
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(report->verdict, Verdict::kPassed) << report_text(*report);
  std::puts(report_text(*report).c_str());
}

INSTANTIATE_TEST_SUITE_P(Each, SampleOps, testing::ValuesIn(contracts()), [](const auto& info) {
  const std::string file = info.param.stem().string();  // op_contract, exp_contract
  return file == "op_contract" ? info.param.parent_path().filename().string()
                               : file.substr(0, file.rfind('_'));
});

}  // namespace
}  // namespace opkit::verify
