#include "registry/registry.h"

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class RegistryTest : public OppTest {
 protected:
  void priority(const std::string& vendors) {
    write_text(opp_ / "vendors/config.ini", "load_priority=" + vendors + "\n");
  }
  Registry registry(const Environment& environment) const {
    return Registry(make_search_path({}, environment), this_host());
  }
  Registry registry() const { return Registry(make_search_path(opp_, {}), this_host()); }
  // "vendor version" or the error's code.
  std::string resolve(const Query& query) const { return answer(registry().resolve(query)); }
  static std::string answer(const Result<Resolution>& result) {
    if (!result) return result.error().code;
    return result->package.manifest.vendor + " " + result->package.manifest.version;
  }
};

TEST_F(RegistryTest, TheFirstVendorWinsWithItsHighestVersion) {
  write_installed(opp_, {.vendor = "a", .version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.vendor = "a", .version = "1.10.0", .plugin = "good_1_10"});
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "b", .version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.vendor = "built-in"});
  priority("b,a");
  EXPECT_EQ(resolve({"AddRelu", "Ascend910B1"}), "b 1.2.0");
  EXPECT_EQ(resolve({"AddRelu", "", "", "a"}), "a 1.10.0");
  EXPECT_EQ(resolve({"AddRelu", "", "1.0.0", ""}), "a 1.0.0");
  EXPECT_EQ(resolve({"AddRelu", "", "1.2.0", "a"}), "a 1.2.0");
  EXPECT_EQ(resolve({"AddRelu", "", "", "built-in"}), "built-in 1.0.0");
  priority("a,b");
  EXPECT_EQ(resolve({"AddRelu"}), "a 1.10.0");
  priority("");
  EXPECT_EQ(resolve({"AddRelu"}), "built-in 1.0.0");
}

TEST_F(RegistryTest, CustomPathsComeBeforeVendorsLeftToRight) {
  write_installed(opp_, {.vendor = "a"});
  priority("a");
  const fs::path x = folder_.path() / "x", y = folder_.path() / "y";
  write_package(y / "op_pkg/AddRelu/1.2.0",
                {.vendor = "why", .version = "1.2.0", .plugin = "good_1_2"});
  const Environment environment{x.string() + ":" + y.string(), opp_.string()};
  EXPECT_EQ(answer(registry(environment).resolve({"AddRelu"})), "why 1.2.0");
  write_package(x / "op_pkg/AddRelu/1.0.0", {.vendor = "ex"});
  EXPECT_EQ(answer(registry(environment).resolve({"AddRelu"})), "ex 1.0.0");
  EXPECT_EQ(answer(registry({{}, opp_.string()}).resolve({"AddRelu"})), "a 1.0.0");
}

TEST_F(RegistryTest, ContractAndLibraryComeFromOnePackage) {
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "b", .version = "1.2.0", .plugin = "good_1_2"});
  priority("b,a");
  const auto result = registry().resolve({"AddRelu"});
  ASSERT_TRUE(result.ok());
  const fs::path root = opp_ / "vendors/b/op_pkg/AddRelu/1.2.0";
  EXPECT_EQ(result->package.contract_path(), root / "op_proto/op_contract.yaml");
  EXPECT_EQ(result->package.library_path(), root / "op_impl/libadd_relu.so");
}

TEST_F(RegistryTest, AnUnknownOpGetsTheNearestName) {
  write_installed(opp_, {.vendor = "a"});
  priority("a");
  const auto result = registry().resolve({"AddRely"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-REG-001");
  EXPECT_NE(result.error().message.find("no package of AddRely in 2 searched directories"),
            std::string::npos);
  EXPECT_EQ(result.error().action, "did you mean 'AddRelu'?");
}

TEST_F(RegistryTest, ANameThatIsNoOpTypeNeverLeavesTheDirectory) {
  write_installed(opp_, {.vendor = "a"});
  priority("a");
  for (const char* op : {"", "..", "../op_pkg/AddRelu", "AddRelu/", "addrelu"}) {
    EXPECT_EQ(resolve({op}), "OPK-REG-001") << op;
  }
}

TEST_F(RegistryTest, AnEmptyOppSaysWhatToDo) {
  const auto result = registry().resolve({"AddRelu"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().action, "install a package there, or name another OPP with --opp");
  const auto of_environment = registry({{}, opp_.string()}).resolve({"AddRelu"});
  ASSERT_FALSE(of_environment.ok());
  EXPECT_EQ(of_environment.error().action.find("--opp"), std::string::npos) << "programs have none";
}

TEST_F(RegistryTest, AWrongPinNamesWhatIsThere) {
  write_installed(opp_, {.vendor = "a"});
  priority("a");
  const auto result = registry().resolve({"AddRelu", "", "3.0.0", "b"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-REG-004");
  EXPECT_EQ(result.error().message,
            "AddRelu 3.0.0 of vendor b is not installed; there is 1.0.0 of a");
}

// A damaged package in front stops the search: nobody gets another vendor's op unasked.
TEST_F(RegistryTest, ABrokenWinnerIsReportedNotReplaced) {
  write_installed(opp_, {.vendor = "a"});
  const fs::path b = write_installed(opp_, {.vendor = "b"});
  priority("b,a");
  fs::remove(b / "op_impl/libadd_relu.so");
  const auto result = registry().resolve({"AddRelu"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-REG-003");
  EXPECT_NE(
      result.error().message.find("AddRelu 1.0.0 of b comes first but is broken: OPK-PKG-001"),
      std::string::npos);
  EXPECT_EQ(result.error().action, "install it again, or ask for AddRelu 1.0.0 of vendor a");
  EXPECT_EQ(result.error().where.file, (b / "manifest.yaml").string());
  EXPECT_EQ(resolve({"AddRelu", "", "", "a"}), "a 1.0.0");
  write_text(b / "manifest.yaml", "abi: [");
  EXPECT_EQ(resolve({"AddRelu"}), "OPK-REG-003");
  fs::remove(b / "manifest.yaml");
  EXPECT_EQ(resolve({"AddRelu"}), "OPK-REG-003");
}

TEST_F(RegistryTest, AnUnfitOneIsPassedByWithAWarning) {
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "b", .edit = [](Manifest& m) { m.abi = 9; }});
  priority("b,a");
  const auto result = registry().resolve({"AddRelu"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->package.manifest.vendor, "a");
  ASSERT_EQ(result->notes.size(), 1u);
  EXPECT_EQ(result->notes[0].code, "OPK-FIT-001");
  EXPECT_EQ(result->notes[0].severity, Severity::kWarning);
  EXPECT_NE(result->notes[0].message.find("AddRelu 1.0.0 of b was passed by: "), std::string::npos);
}

TEST_F(RegistryTest, WhenNothingFitsTheFirstReasonSpeaks) {
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "b"});
  priority("b,a");
  const auto result = registry().resolve({"AddRelu", "Ascend310P3"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-REG-002");
  EXPECT_NE(result.error().message.find("(and 1 more do not fit): AddRelu 1.0.0 of b: OPK-FIT-008: "
                                        "AddRelu 1.0.0 supports Ascend910B, Ascend310B4, not "
                                        "Ascend310P3"),
            std::string::npos)
      << result.error().message;
}

TEST_F(RegistryTest, ADirectoryThatLiesAboutItsPackageIsBroken) {
  write_package(opp_ / "vendors/a/op_pkg/AddRelu/2.0.0", {.vendor = "a"});
  priority("a");
  const auto result = registry().resolve({"AddRelu"});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("OPK-PKG-003"), std::string::npos);
}

TEST_F(RegistryTest, StagingDirectoriesAreNotSeen) {
  write_installed(opp_, {.vendor = "a"});
  write_package(opp_ / "vendors/a/op_pkg/AddRelu/.9.9.9", {.vendor = "a"});
  priority("a");
  EXPECT_EQ(resolve({"AddRelu"}), "a 1.0.0");
  EXPECT_EQ(registry().list().size(), 1u);
}

TEST_F(RegistryTest, ListShowsEveryPackageWithItsState) {
  write_installed(opp_, {.vendor = "a", .version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "a", .op = "MulAdd", .plugin = "mul_add"});
  const fs::path b = write_installed(opp_, {.vendor = "b"});
  write_text(b / "manifest.yaml", "?");
  write_installed(opp_, {.vendor = "c", .edit = [](Manifest& m) { m.abi = 9; }});
  priority("c,a,b");
  std::string text;
  for (const Listed& entry : registry().list()) {
    text += entry.candidate.vendor + " " + entry.candidate.op + " " + entry.candidate.version +
            " " + std::string(name_of(entry.candidate.standing)) + "\n";
  }
  EXPECT_EQ(text,
            "c AddRelu 1.0.0 unfit\n"
            "a AddRelu 1.2.0 chosen\n"
            "a AddRelu 1.0.0 shadowed\n"
            "a MulAdd 1.0.0 chosen\n"
            "b AddRelu 1.0.0 broken\n");
  EXPECT_EQ(registry().op_types(), (std::vector<std::string>{"AddRelu", "MulAdd"}));
}

TEST_F(RegistryTest, TheTraceTellsTheWholeStory) {
  write_installed(opp_, {.vendor = "a", .version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.vendor = "a"});
  write_installed(opp_, {.vendor = "b", .edit = [](Manifest& m) { m.abi = 9; }});
  write_installed(opp_, {.vendor = "z"});
  priority("gone,b,a");
  const Trace trace = registry().explain({"AddRelu", "Ascend910B1"});
  ASSERT_TRUE(trace.chosen);
  const std::string opp = opp_.string(), text = trace.to_string();
  const std::string expected =
      "AddRelu for Ascend910B1: OPP " + opp + " (--opp)\n" + "  1. " + opp +
      "/vendors/gone (place 1 in load_priority of " + opp + "/vendors/config.ini)\n" +
      "     does not exist\n" + "  2. " + opp + "/vendors/b (place 2 in load_priority of " + opp +
      "/vendors/config.ini)\n" + "     unfit      AddRelu 1.0.0 of b\n" +
      "                OPK-FIT-001: the package was built for plugin ABI 9 (opkit 0.1.0); this "
      "opkit serves ABI 1 (" +
      opp + "/vendors/b/op_pkg/AddRelu/1.0.0/manifest.yaml:3:6)\n" + "  3. " + opp +
      "/vendors/a (place 3 in load_priority of " + opp + "/vendors/config.ini)\n" +
      "     chosen     AddRelu 1.2.0 of a\n" + "     shadowed   AddRelu 1.0.0 of a\n" +
      "                OPK-REG-009: AddRelu 1.2.0 of a comes first\n" + "  4. " + opp +
      "/built-in (built-in of the OPP)\n" + "     does not exist\n" + "  -  " + opp +
      "/vendors/z is not searched: load_priority does not name it\n" +
      "uses AddRelu 1.2.0 of a in " + opp + "/vendors/a/op_pkg/AddRelu/1.2.0\n";
  EXPECT_EQ(text, expected);
}

TEST_F(RegistryTest, TheTraceMarksWhatWasNotAskedFor) {
  write_installed(opp_, {.vendor = "a", .version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.vendor = "a"});
  priority("a");
  const Trace trace = registry().explain({"AddRelu", "", "1.0.0", ""});
  const PackageCandidate& other = trace.searched[0].candidates[0];
  EXPECT_EQ(other.standing, Standing::kNotAsked);
  EXPECT_EQ(other.reasons[0].code, "OPK-REG-008");
  EXPECT_EQ(other.reasons[0].message, "version 1.0.0 was asked for");
}

}  // namespace
}  // namespace opkit::registry
