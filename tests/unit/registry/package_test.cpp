#include "registry/package.h"

#include "packages.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class PackageTest : public OppTest {
 protected:
  // The findings of a package, as "CODE" in order.
  PackageCheck check(const PackageSpec& spec = {}, const HostFacts& host = this_host(),
                     const Expected& expected = {}) {
    return check_package(write_package(root_, spec), host, expected);
  }
  // Exactly one finding with this code and words; returns its error.
  void expect_only(const PackageCheck& check, Defect defect, const char* code, const char* words) {
    ASSERT_EQ(check.findings.size(), 1u) << all(check);
    const PackageFinding& finding = check.findings[0];
    EXPECT_EQ(finding.error.code, code);
    EXPECT_EQ(finding.defect, defect);
    EXPECT_NE(finding.error.message.find(words), std::string::npos) << all(check);
    EXPECT_FALSE(finding.error.action.empty());
    EXPECT_FALSE(finding.error.where.file.empty()) << all(check);
    EXPECT_EQ(finding.error.op, "AddRelu");
  }
  static std::string all(const PackageCheck& check) {
    std::string text;
    for (const PackageFinding& finding : check.findings) text += finding.error.to_string() + "\n";
    return text;
  }

  fs::path root_ = folder_.path() / "package";
};

TEST_F(PackageTest, AGoodOneHasNoFindings) {
  const PackageCheck result = check();
  EXPECT_TRUE(result.usable()) << all(result);
  EXPECT_EQ(result.package.to_string(), "AddRelu 1.0.0 of acme");
  EXPECT_TRUE(result.elf && result.elf->exports("opkit_plugin_query"));
}

TEST_F(PackageTest, NoManifestEndsTheCheck) {
  fs::create_directories(root_);
  const PackageCheck result = check_package(root_, this_host());
  EXPECT_FALSE(result.has_manifest);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].error.code, "OPK-MANIFEST-001");
}

TEST_F(PackageTest, AMissingFileIsNamed) {
  write_package(root_);
  fs::remove(root_ / "op_impl/libadd_relu.so");
  expect_only(check_package(root_, this_host()), Defect::kBroken, "OPK-PKG-001",
              "libadd_relu.so is missing");
  write_package(root_);
  fs::remove(root_ / "op_proto/op_contract.yaml");
  expect_only(check_package(root_, this_host()), Defect::kBroken, "OPK-PKG-001",
              "op_contract.yaml is missing");
}

TEST_F(PackageTest, ALinkIsNotAFile) {
  write_package(root_);
  const fs::path library = root_ / "op_impl/libadd_relu.so";
  fs::remove(library);
  fs::create_symlink(fake_plugin("good"), library);
  const PackageCheck result = check_package(root_, this_host());
  ASSERT_EQ(result.findings.size(), 2u) << all(result);
  EXPECT_EQ(result.findings[0].error.code, "OPK-PKG-001");
  EXPECT_EQ(result.findings[1].error.code, "OPK-INSTALL-005");
}

TEST_F(PackageTest, AChangedFileIsNoticed) {
  write_package(root_);
  write_text(root_ / "op_impl/libadd_relu.so", read_text(fake_plugin("good_1_2")));
  expect_only(check_package(root_, this_host()), Defect::kBroken, "OPK-PKG-002",
              "libadd_relu.so was changed after the package was built");
  write_package(root_);
  write_text(root_ / "op_proto/op_contract.yaml", "op: AddRelu\n");
  expect_only(check_package(root_, this_host()), Defect::kBroken, "OPK-PKG-002",
              "op_contract.yaml was changed");
}

TEST_F(PackageTest, ThePlaceMustAgreeWithTheManifest) {
  expect_only(check({}, this_host(), {"other", "AddRelu", "1.0.0"}), Defect::kBroken, "OPK-PKG-003",
              "vendor 'acme', but the package lies under 'other'");
  expect_only(check({}, this_host(), {"acme", "AddRelu", "1.0.1"}), Defect::kBroken, "OPK-PKG-003",
              "version '1.0.0', but the package lies under '1.0.1'");
}

TEST_F(PackageTest, TheContractMustNameTheSameOpAndVersion) {
  const PackageSpec spec{.edit = [](Manifest& m) { m.version = "2.0.0"; }};
  expect_only(check(spec), Defect::kBroken, "OPK-PKG-004",
              "the contract says version '1.0.0', the manifest says '2.0.0'");
}

TEST_F(PackageTest, AKernelOfAColumnThatTheContractLacksIsRefused) {
  expect_only(check({.edit = [](Manifest& m) { m.kernels[0].column = 2; }}), Defect::kBroken,
              "OPK-PKG-004", "kernel add_relu is for column 2, the contract has 2 columns");
}

TEST_F(PackageTest, AnUnreadableContractIsRefused) {
  write_package(root_);
  write_text(root_ / "op_proto/op_contract.yaml", "op: [\n");
  Manifest m = *load_manifest(root_ / kManifestName);
  const auto digest = [&] { return check_package(root_, this_host()).findings.at(0).error.code; };
  EXPECT_EQ(digest(), "OPK-PKG-002");
  write_package(root_, {.edit = [&](Manifest& manifest) {
                  write_text(root_ / "op_proto/op_contract.yaml", "");
                  manifest.contract_sha256 =
                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
                }});
  expect_only(check_package(root_, this_host()), Defect::kBroken, "OPK-PKG-005",
              "the contract is not valid: OPK-");
}

TEST_F(PackageTest, RecordedFactsMustBeTheLibrarys) {
  expect_only(check({.edit = [](Manifest& m) { m.needed.push_back("libm.so.6"); }}),
              Defect::kBroken, "OPK-PKG-006", "the manifest says library.needed");
  expect_only(check({.edit = [](Manifest& m) { m.glibc = "1.0"; }}), Defect::kBroken, "OPK-PKG-006",
              "the manifest says library.glibc '1.0'");
}

TEST_F(PackageTest, ALibraryWithoutTheQueryFunctionIsRefusedUnloaded) {
  expect_only(check({.plugin = "other_symbol"}), Defect::kBroken, "OPK-PKG-007",
              "does not export opkit_plugin_query");
}

TEST_F(PackageTest, GarbageInPlaceOfTheLibraryIsRefused) {
  write_package(root_, {.edit = [&](Manifest& m) {
                  write_text(root_ / m.library_file, "");
                  m.library_sha256 =
                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
                }});
  const PackageCheck result = check_package(root_, this_host());
  ASSERT_EQ(result.findings.size(), 1u) << all(result);
  EXPECT_EQ(result.findings[0].error.code, "OPK-ELF-001");
}

TEST_F(PackageTest, AnAbiAboveOrBelowTheHostsIsUnfit) {
  expect_only(check({.edit = [](Manifest& m) { m.abi = 7, m.kit = "2.0.0"; }}), Defect::kUnfit,
              "OPK-FIT-001", "built for plugin ABI 7 (opkit 2.0.0); this opkit serves ABI 1");
  HostFacts newer = this_host();
  newer.min_abi = 3;
  newer.max_abi = 4;
  expect_only(check({}, newer), Defect::kUnfit, "OPK-FIT-002",
              "ABI 1 (opkit 0.1.0), which is too old; this opkit serves ABI 3 to 4");
}

TEST_F(PackageTest, AForeignPlatformIsUnfit) {
  HostFacts arm = this_host();
  arm.platform = "linux-aarch64";
  expect_only(check({}, arm), Defect::kUnfit, "OPK-FIT-003",
              "built for linux-x86_64, this host is linux-aarch64");
}

TEST_F(PackageTest, AnInstrumentedLibraryNeedsAnInstrumentedHost) {
  HostFacts other = this_host();
  other.sanitizer = other.sanitizer == "thread" ? "address" : "thread";
  write_package(root_);
  Manifest m = *load_manifest(root_ / kManifestName);
  m.sanitizer = other.sanitizer == "thread" ? "address" : "thread";
  const PackageCheck result =
      check({.edit = [&](Manifest& manifest) { manifest.sanitizer = m.sanitizer; }}, other);
  EXPECT_NE(all(result).find("OPK-FIT-004"), std::string::npos) << all(result);
  EXPECT_NE(all(result).find("this process runs with: " + other.sanitizer), std::string::npos);
}

TEST_F(PackageTest, AnOlderRunTimeIsUnfit) {
  HostFacts old = this_host();
  old.glibc = "2.0";
  expect_only(check({.plugin = "exit"}, old), Defect::kUnfit, "OPK-FIT-005",
              "or newer, this host has 2.0");
}

TEST_F(PackageTest, AMissingNeededLibraryIsUnfit) {
  HostFacts bare = this_host();
  bare.library_dirs.clear();
  bare.loaded.clear();
  const PackageCheck result = check({.plugin = "exit"}, bare);
  ASSERT_FALSE(result.usable());
  EXPECT_EQ(result.worst().error.code, "OPK-FIT-006");
  EXPECT_NE(result.worst().error.message.find("which is not on this host"), std::string::npos);
}

TEST_F(PackageTest, DamageSpeaksBeforeUnfitness) {
  write_package(root_, {.edit = [](Manifest& m) { m.abi = 7; }});
  fs::remove(root_ / "op_impl/libadd_relu.so");
  const PackageCheck result = check_package(root_, this_host());
  EXPECT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.worst().error.code, "OPK-PKG-001");
}

TEST_F(PackageTest, AUsableOneIsReturnedAndAnotherOneSaysItsWorstFinding) {
  const fs::path root = write_package(root_);
  const auto good = usable_package(root, this_host());
  ASSERT_TRUE(good.ok()) << good.error().to_string();
  EXPECT_EQ(good->to_string(), "AddRelu 1.0.0 of acme");
  fs::remove(root / "op_impl/libadd_relu.so");
  const auto broken = usable_package(root, this_host());
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, check_package(root, this_host()).worst().error.code);
}

}  // namespace
}  // namespace opkit::registry
