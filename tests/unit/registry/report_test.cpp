#include "registry/report.h"

#include "opkit/base/json.h"
#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class ReportTest : public OppTest {
 protected:
  void SetUp() override {
    setenv("OPKIT_CACHE_DIR", (folder_.path() / "cache").c_str(), 1);
    write_text(opp_ / "vendors/config.ini", "load_priority=acme\n");
  }
  Registry registry() const { return Registry(make_search_path(opp_, {}), this_host()); }
};

TEST_F(ReportTest, AnInspectionShowsManifestLibraryAndTables) {
  const fs::path root = write_installed(opp_);
  const Inspection inspection = inspect(root, this_host(), true);
  EXPECT_TRUE(inspection.ok()) << inspection.to_string();
  const std::string text = inspection.to_string();
  for (const char* part : {"AddRelu 1.0.0 of acme", "plugin ABI 1", "Ascend910B, Ascend310B4",
                           "add_relu column 1 tiling key 18446744073709551614 aiv",
                           "opkit_plugin_query", "infer shape: by contract", "fits this host"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const auto json = to_json(inspection);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["manifest"]["kernels"][0]["tiling_key"], 18446744073709551614u);
  EXPECT_EQ(json["plugin"]["op"], "AddRelu");
  EXPECT_EQ(json["elf"]["platform"], "linux-x86_64");
}

TEST_F(ReportTest, VerifyFindsWhatWasDamaged) {
  write_installed(opp_);
  const fs::path other = write_installed(opp_, {.op = "MulAdd", .plugin = "mul_add"});
  write_text(other / "op_proto/op_contract.yaml", "x");
  const std::vector<Inspection> result = verify(registry(), true);
  ASSERT_EQ(result.size(), 2u);
  EXPECT_TRUE(result[0].ok()) << result[0].to_string();
  EXPECT_FALSE(result[1].ok());
  const auto json = to_json(result[1]);
  EXPECT_EQ(json["findings"][size_t{0}]["code"], "OPK-PKG-002");
  EXPECT_EQ(json["findings"][0]["defect"], "broken");
  EXPECT_EQ(json["plugin"], nullptr);
}

// A package that was copied under another vendor's name is intact but lies in the wrong place.
TEST_F(ReportTest, VerifyComparesWithThePlace) {
  write_package(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0", {.vendor = "other"});
  EXPECT_EQ(to_json(verify(registry(), false).at(0))["findings"][size_t{0}]["code"], "OPK-PKG-003");
}

TEST_F(ReportTest, VerifyTriesAQuarantinedPluginAgain) {
  write_installed(opp_, {.plugin = "crash"});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(to_json(verify(registry(), true).at(0))["probe_error"]["code"], "OPK-PLUGIN-010");
  }
}

// A probe does not run the kernel that crashed.
TEST_F(ReportTest, VerifyRefusesWhatIsInQuarantine) {
  write_installed(opp_);
  EXPECT_TRUE(verify(registry(), true).at(0).ok());
  const std::string digest = verify(registry(), false).at(0).check.package.manifest.library_sha256;
  for (uint32_t i = 0; i < Quarantine::kMost; ++i)
    Quarantine(default_cache_dir()).add(digest, Error("OPK-PLUGIN-010", "it crashed"));
  const Registry with_cache(make_search_path(opp_, {}), this_host(), default_cache_dir());
  const Inspection inspection = verify(with_cache, true).at(0);
  EXPECT_FALSE(inspection.ok());
  EXPECT_NE(inspection.to_string().find("OPK-PLUGIN-014"), std::string::npos);
  EXPECT_EQ(to_json(inspection)["quarantine"]["code"], "OPK-PLUGIN-014");
}

TEST_F(ReportTest, TheTraceAsJsonHoldsEveryCandidate) {
  write_installed(opp_);
  const auto json = to_json(registry().explain({"AddRelu", "Ascend910B1"}));
  EXPECT_EQ(json["query"]["soc"], "Ascend910B1");
  EXPECT_EQ(json["searched"][size_t{0}]["candidates"][size_t{0}]["verdict"], "chosen");
  EXPECT_EQ(json["chosen"]["version"], "1.0.0");
  EXPECT_EQ(json["error"], nullptr);
  const auto failed = to_json(registry().explain({"AddRely"}));
  EXPECT_EQ(failed["chosen"], nullptr);
  EXPECT_EQ(failed["error"]["code"], "OPK-REG-001");
  EXPECT_EQ(failed["error"]["action"], "did you mean 'AddRelu'?");
}

TEST_F(ReportTest, AListEntryAndAnInstallationAsJson) {
  const fs::path source = write_package(folder_.path() / "p");
  const auto report = install({.source = source, .opp = opp_}, this_host());
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(to_json(*report)["load_priority"][size_t{0}], "acme");
  const auto entry = to_json(registry().list().at(0));
  EXPECT_EQ(entry["verdict"], "chosen");
  EXPECT_EQ(entry["origin"], "vendor");
  EXPECT_EQ(entry["socs"][1], "Ascend310B4");
  const auto removed = uninstall({.opp = opp_, .op = "AddRelu"});
  EXPECT_EQ(to_json(*removed)["removed"][size_t{0}]["vendor"], "acme");
}

}  // namespace
}  // namespace opkit::registry
