#include "registry/install.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "packages.h"
#include "registry/archive.h"
#include "registry/load_priority.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/registry.h"
#include "registry/search_path.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class InstallTest : public OppTest {
 protected:
  fs::path source(const PackageSpec& spec = {}) {
    return write_package(folder_.path() / ("source" + std::to_string(sources_++)), spec);
  }
  Result<InstallReport> put(const fs::path& from, bool force = false) {
    return install({.source = from, .opp = opp_, .force = force}, this_host());
  }
  // Refused with this code, and the OPP is as it was.
  void expect_refusal(const fs::path& from, const char* code, const char* words,
                      bool force = false) {
    const std::string before = fs::exists(opp_) ? snapshot(opp_) : "";
    const auto report = put(from, force);
    ASSERT_FALSE(report.ok()) << code;
    EXPECT_EQ(report.error().code, code) << report.error().to_string();
    EXPECT_NE(report.error().message.find(words), std::string::npos) << report.error().to_string();
    EXPECT_FALSE(report.error().action.empty());
    EXPECT_EQ(fs::exists(opp_) ? snapshot(opp_) : "", before);
    expect_no_stage();
  }
  void expect_no_stage() {
    if (!fs::exists(opp_ / kWorkFolder)) return;
    for (const auto& entry : fs::directory_iterator(opp_ / kWorkFolder)) {
      const fs::path name = entry.path().filename();
      EXPECT_TRUE(name == "lock" || name == "reserve") << name;  // no trust: nothing is signed
    }
  }
  Texts priority() { return read_load_priority(opp_).vendors; }
  Result<Resolution> resolve(const std::string& op) {
    return Registry(make_search_path(opp_, {}), this_host()).resolve({op});
  }

  int sources_ = 0;
};

TEST_F(InstallTest, ADirectoryIsInstalledAndFound) {
  const fs::path from = source();
  const auto report = put(from);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(report->package.root, opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0");
  EXPECT_EQ(snapshot(report->package.root), snapshot(from));
  EXPECT_FALSE(report->replaced);
  EXPECT_EQ(report->load_priority, Texts{"acme"});
  EXPECT_EQ(read_text(opp_ / "vendors/config.ini"), "load_priority=acme\n");
  EXPECT_TRUE(resolve("AddRelu").ok());
  expect_no_stage();
}

TEST_F(InstallTest, AnArchiveIsInstalledLikeItsDirectory) {
  const fs::path from = source(), archive = folder_.path() / "p.opkg";
  ASSERT_TRUE(pack(from, archive).ok());
  const auto report = put(archive);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(snapshot(report->package.root), snapshot(from));
}

TEST_F(InstallTest, VersionsLieSideBySideAndTheNewVendorComesFirst) {
  ASSERT_TRUE(put(source()).ok());
  ASSERT_TRUE(put(source({.vendor = "beta"})).ok());
  EXPECT_EQ(priority(), (Texts{"beta", "acme"}));
  const auto report = put(source({.version = "1.2.0", .plugin = "good_1_2"}));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->other_versions, Texts{"1.0.0"});
  EXPECT_EQ(priority(), (Texts{"acme", "beta"}));
  EXPECT_EQ(resolve("AddRelu")->package.manifest.version, "1.2.0");
}

TEST_F(InstallTest, PriorityIsLeftAloneWhenAskedAndOtherLinesAlways) {
  ASSERT_TRUE(put(source()).ok());
  write_text(opp_ / "vendors/config.ini", "load_priority=acme\n# note\n");
  InstallRequest request{.source = source({.vendor = "beta"}), .opp = opp_, .to_front = false};
  ASSERT_TRUE(install(request, this_host()).ok());
  EXPECT_EQ(priority(), Texts{"acme"});
  request = {.source = source({.vendor = "gamma"}), .opp = opp_};
  ASSERT_TRUE(install(request, this_host()).ok());
  EXPECT_EQ(read_text(opp_ / "vendors/config.ini"), "load_priority=gamma,acme\n# note\n");
}

TEST_F(InstallTest, TheSameVersionNeedsForce) {
  ASSERT_TRUE(put(source()).ok());
  expect_refusal(source(), "OPK-INSTALL-002", "is already installed with the same bytes");
  const PackageSpec changed{.edit = [](Manifest& m) { m.library_file = m.library_file; }};
  const fs::path other = source(changed);
  write_text(other / "docs/new.md", "new");
  declare_files(other);
  const auto report = put(other, true);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_TRUE(report->replaced);
  EXPECT_EQ(snapshot(report->package.root), snapshot(other));
  expect_no_stage();
}

// Without --force, whichever file was hit; the version alone says nothing of the bytes.
TEST_F(InstallTest, ADamagedPackageIsRepairedByTheSameOne) {
  const fs::path from = source();
  ASSERT_TRUE(put(from).ok());
  const fs::path target = opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0";
  const std::string good = snapshot(target);
  for (const char* file : {"op_impl/libadd_relu.so", "op_proto/op_contract.yaml", "manifest.yaml",
                           "docs/readme.md", "op_impl/added.so"}) {
    const fs::path hit = target / file;
    const std::string bytes = fs::exists(hit) ? read_text(hit) : "";
    write_text(hit, bytes.substr(0, bytes.size() / 2) + "damaged");
    const auto report = put(from);
    ASSERT_TRUE(report.ok()) << file << report.error().to_string();
    EXPECT_TRUE(report->replaced);
    EXPECT_EQ(snapshot(target), good) << file;
    expect_refusal(from, "OPK-INSTALL-002", "with the same bytes");
  }
}

// A build of other bytes is no repair.
TEST_F(InstallTest, ADamagedPackageIsNotReplacedByAnotherOneUnasked) {
  ASSERT_TRUE(put(source()).ok());
  write_text(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/docs/readme.md", "damaged");
  const fs::path other = source();
  write_text(other / "docs/new.md", "new");
  declare_files(other);
  expect_refusal(other, "OPK-INSTALL-002", "with other bytes");
}

TEST_F(InstallTest, OddSourcesAndLocksAreRefused) {
  const fs::path fifo = folder_.path() / "p.opkg";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  expect_refusal(fifo, "OPK-INSTALL-005", "neither a file nor a directory");
  expect_refusal("/dev/zero", "OPK-INSTALL-005", "neither a file nor a directory");
  EXPECT_EQ(unpack(fifo, folder_.path() / "out").error().code, "OPK-INSTALL-009");
  write_text(folder_.path() / "precious", "precious");
  fs::create_directories(opp_ / kWorkFolder);
  fs::create_symlink(folder_.path() / "precious", opp_ / kWorkFolder / "lock");
  expect_refusal(source(), "OPK-INSTALL-004", "lock");
  EXPECT_EQ(read_text(folder_.path() / "precious"), "precious");
  fs::remove(opp_ / kWorkFolder / "lock");
  ASSERT_EQ(mkfifo((opp_ / kWorkFolder / "lock").c_str(), 0600), 0);
  expect_refusal(source(), "OPK-INSTALL-004", "something else than a file");
}

TEST_F(InstallTest, BadSourcesLeaveNoTrace) {
  expect_refusal(folder_.path() / "nothing", "OPK-INSTALL-001", "there is no ");
  fs::create_directories(folder_.path() / "empty");
  expect_refusal(folder_.path() / "empty", "OPK-MANIFEST-001", "there is no manifest");
  write_text(folder_.path() / "junk.opkg", "junk");
  expect_refusal(folder_.path() / "junk.opkg", "OPK-INSTALL-009", "not a readable package archive");
  fs::path bad = source();
  fs::remove(bad / "op_impl/libadd_relu.so");
  expect_refusal(bad, "OPK-PKG-001", "is missing");
  bad = source();
  write_text(bad / "op_proto/op_contract.yaml", "x");
  expect_refusal(bad, "OPK-PKG-002", "was changed after the package was built");
  expect_refusal(source({.edit = [](Manifest& m) { m.abi = 3; }}), "OPK-FIT-001", "plugin ABI 3");
  expect_refusal(source({.plugin = "other_symbol"}), "OPK-PKG-007", "does not export");
  bad = source();
  fs::create_symlink("/etc/passwd", bad / "docs/link");
  expect_refusal(bad, "OPK-INSTALL-005", "is a link");
}

TEST_F(InstallTest, AnOppInsideThePackageIsRefused) {
  const fs::path from = source();
  const std::string before = snapshot(from);
  const auto report = install({.source = from, .opp = from / "opp"}, this_host());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-005");
  EXPECT_NE(report.error().message.find("lies inside the package"), std::string::npos);
  EXPECT_EQ(snapshot(from), before);
}

TEST_F(InstallTest, PluginsThatCannotBeLoadedAreNotInstalled) {
  expect_refusal(source({.plugin = "crash"}), "OPK-PLUGIN-010", "static initialiser");
  expect_refusal(source({.plugin = "null"}), "OPK-PLUGIN-003", "refuses this opkit");
  expect_refusal(source({.plugin = "mul_add"}), "OPK-PLUGIN-006", "the library's op is 'MulAdd'");
}

TEST_F(InstallTest, ErrorsOfAnArchiveNameTheArchiveNotTheStage) {
  const fs::path from = source(), archive = folder_.path() / "p.opkg";
  fs::remove(from / "op_impl/libadd_relu.so");
  ASSERT_TRUE(pack(from, archive).ok());
  const auto report = put(archive);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message,
            "the library " + archive.string() + "/op_impl/libadd_relu.so is missing");
}

// The package is already in place when the last step fails: it must go again.
TEST_F(InstallTest, AFailureAfterTheRenameTakesEverythingBack) {
  fs::create_directories(opp_ / "vendors/config.ini");  // a directory cannot be rewritten
  expect_refusal(source(), "OPK-INSTALL-004", "config.ini");
  fs::remove(opp_ / "vendors/config.ini");
  ASSERT_TRUE(put(source()).ok());
  fs::rename(opp_ / "vendors/config.ini", opp_ / "config.old");
  fs::create_directories(opp_ / "vendors/config.ini");
  const fs::path other = source();
  write_text(other / "docs/new.md", "new");
  declare_files(other);
  expect_refusal(other, "OPK-INSTALL-004", "config.ini", true);
}

TEST_F(InstallTest, AFileInTheWayIsReportedAndKept) {
  write_text(opp_ / "vendors/acme/op_pkg/AddRelu", "a file");
  expect_refusal(source(), "OPK-INSTALL-004", "cannot write");
  fs::remove(opp_ / "vendors/acme/op_pkg/AddRelu");
  write_text(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0", "a file");
  expect_refusal(source(), "OPK-INSTALL-002", "is already installed");
  expect_refusal(source(), "OPK-INSTALL-004", "something else than a directory", true);
}

TEST_F(InstallTest, AnOppThatCannotBeWrittenIsNamed) {
  const auto report = install({.source = source(), .opp = "/proc/opkit_opp"}, this_host());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-004");
  EXPECT_NE(report.error().message.find("cannot write /proc/opkit_opp"), std::string::npos);
}

// Permissions do not bind the superuser, so the case runs as nobody in a child.
TEST_F(InstallTest, AReadOnlyOppStaysAsItWas) {
  ASSERT_TRUE(put(source()).ok());
  const fs::path from = source({.vendor = "beta"});
  fs::permissions(folder_.path(), fs::perms::all);
  fs::permissions(opp_ / kWorkFolder, fs::perms::all);
  fs::permissions(opp_ / kWorkFolder / "lock", fs::perms::all);
  fs::permissions(opp_ / "vendors", fs::perms::owner_read | fs::perms::owner_exec |
                                        fs::perms::others_read | fs::perms::others_exec);
  const std::string before = snapshot(opp_);
  const pid_t child = fork();
  if (child == 0) {
    if (getuid() == 0 && setuid(65534) != 0) _exit(2);
    const auto report = put(from);
    _exit(!report.ok() && report.error().code == "OPK-INSTALL-004" ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  fs::permissions(opp_ / "vendors", fs::perms::owner_all);
  EXPECT_EQ(snapshot(opp_), before);
  expect_no_stage();
}

TEST_F(InstallTest, ABusyOppIsReported) {
  const OppLock lock = *OppLock::acquire(opp_, std::chrono::seconds(1));
  const auto report = install(
      {.source = source(), .opp = opp_, .lock_timeout = std::chrono::seconds(0)}, this_host());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-003");
  EXPECT_NE(report.error().message.find("(process " + std::to_string(getpid()) + ")"),
            std::string::npos);
}

TEST_F(InstallTest, WhatACrashedInstallerLeftIsRemoved) {
  write_text(opp_ / kWorkFolder / "stage-dead/package/half", "half");
  ASSERT_TRUE(put(source()).ok());
  expect_no_stage();
}

// Installers in several processes: no package is lost, half written or forgotten in the priority.
TEST_F(InstallTest, ConcurrentInstallersDoNotDisturbOneAnother) {
  std::vector<fs::path> sources;
  for (const char* vendor : {"v1", "v2", "v3", "v4"}) {
    sources.push_back(source({.vendor = vendor}));
    sources.push_back(source({.vendor = vendor, .version = "1.2.0", .plugin = "good_1_2"}));
  }
  std::vector<pid_t> children;
  for (const fs::path& from : sources) {
    const pid_t child = fork();
    if (child == 0) _exit(put(from).ok() ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(priority().size(), 4u);
  for (const Listed& entry : Registry(make_search_path(opp_, {}), this_host()).list()) {
    EXPECT_TRUE(entry.candidate.reasons.empty());
  }
  EXPECT_EQ(Registry(make_search_path(opp_, {}), this_host()).list().size(), 8u);
}

// Readers during replacement: every resolution is a whole package, old or new.
TEST_F(InstallTest, ReadersNeverSeeAHalfReplacedPackage) {
  ASSERT_TRUE(put(source()).ok());
  const fs::path other = source();
  std::atomic<bool> done = false;
  int failures = 0, reads = 0;
  std::thread reader([&] {
    while (!done || reads == 0) {
      const auto manifest = load_manifest(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/manifest.yaml");
      failures += manifest.ok() ? 0 : 1;
      ++reads;
    }
  });
  InstallRequest request{.source = other, .opp = opp_, .force = true, .probe = false};
  for (int round = 0; round < 20; ++round) EXPECT_TRUE(install(request, this_host()).ok());
  done = true;
  reader.join();
  EXPECT_EQ(failures, 0) << reads;
}

class UninstallTest : public InstallTest {
 protected:
  std::string code(const UninstallRequest& request) {
    const auto report = uninstall(request);
    return report ? std::string("done") : report.error().code;
  }
};

TEST_F(UninstallTest, TheLastPackageOfAVendorTakesTheVendorAlong) {
  ASSERT_TRUE(put(source()).ok());
  ASSERT_TRUE(put(source({.vendor = "beta"})).ok());
  const auto report = uninstall({.opp = opp_, .op = "AddRelu", .vendor = "beta"});
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_EQ(report->removed.size(), 1u);
  EXPECT_EQ(report->removed[0].vendor, "beta");
  EXPECT_EQ(report->load_priority, Texts{"acme"});
  EXPECT_FALSE(fs::exists(opp_ / "vendors/beta"));
  EXPECT_TRUE(fs::exists(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0"));
  expect_no_stage();
}

TEST_F(UninstallTest, OtherFilesOfAVendorStayAndKeepItsPriority) {
  ASSERT_TRUE(put(source()).ok());
  write_text(opp_ / "vendors/acme/op_api/lib/libcust_opapi.so", "other");
  ASSERT_EQ(code({.opp = opp_, .op = "AddRelu"}), "done");
  EXPECT_TRUE(fs::exists(opp_ / "vendors/acme/op_api/lib/libcust_opapi.so"));
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme/op_pkg"));
  EXPECT_EQ(priority(), Texts{"acme"});
}

TEST_F(UninstallTest, WhatIsNotClearIsAsked) {
  ASSERT_TRUE(put(source()).ok());
  ASSERT_TRUE(put(source({.version = "1.2.0", .plugin = "good_1_2"})).ok());
  ASSERT_TRUE(put(source({.vendor = "beta"})).ok());
  const auto report = uninstall({.opp = opp_, .op = "AddRelu"});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-007");
  EXPECT_EQ(report.error().message,
            "AddRelu could be: 1.2.0 of acme, 1.0.0 of acme, 1.0.0 of beta");
  EXPECT_EQ(report.error().action, "name the vendor");
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu", .vendor = "acme"}), "OPK-INSTALL-007");
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu", .version = "1.2.0"}), "done");
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu", .version = "1.0.0"}), "OPK-INSTALL-007");
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu", .vendor = "acme"}), "done");
}

TEST_F(UninstallTest, AllVersionsOfAVendorGoTogether) {
  ASSERT_TRUE(put(source()).ok());
  ASSERT_TRUE(put(source({.version = "1.2.0", .plugin = "good_1_2"})).ok());
  const auto report = uninstall({.opp = opp_, .op = "AddRelu", .all_versions = true});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->removed.size(), 2u);
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
}

TEST_F(UninstallTest, NothingToRemoveNamesTheNearest) {
  ASSERT_TRUE(put(source()).ok());
  const auto report = uninstall({.opp = opp_, .op = "AdRelu"});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-006");
  EXPECT_EQ(report.error().action, "did you mean 'AddRelu'?");
  for (const char* op : {"..", "../..", ""}) {
    EXPECT_EQ(code({.opp = opp_, .op = op}), "OPK-INSTALL-006");
  }
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu", .version = ".."}), "OPK-INSTALL-006");
  EXPECT_TRUE(resolve("AddRelu").ok());
}

TEST(SuggestOp, NamesAFewOrTheCommandThatListsThem) {
  EXPECT_EQ(suggest_op("Nothing", {}), "");
  EXPECT_EQ(suggest_op("Nothing", {"Relu", "Add"}), "known names: Relu, Add");
  const std::vector<std::string> many = {"Relu", "Add", "Mul", "Div", "Sub", "MatMul"};
  EXPECT_EQ(suggest_op("Nothing", many), "`opkit list` shows the 6 installed ops");
  EXPECT_EQ(suggest_op("Rellu", many), "did you mean 'Relu'?");
}

TEST_F(UninstallTest, ARangeIsNoVersion) {
  ASSERT_TRUE(put(source()).ok());
  const auto report = uninstall({.opp = opp_, .op = "AddRelu", .version = "^1"});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-INSTALL-006");
  EXPECT_NE(report.error().message.find("AddRelu ^1 is not installed in"), std::string::npos);
  EXPECT_NE(report.error().message.find("but 1.0.0 of acme"), std::string::npos)
      << report.error().message;
  EXPECT_EQ(report.error().action, "name an exact version: --version 1.0.0");
}

TEST_F(UninstallTest, ABrokenPackageCanBeRemoved) {
  ASSERT_TRUE(put(source()).ok());
  fs::remove(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/manifest.yaml");
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu"}), "done");
}

TEST_F(UninstallTest, AFailureRestoresThePackage) {
  ASSERT_TRUE(put(source()).ok());
  fs::remove(opp_ / "vendors/config.ini");
  fs::create_directories(opp_ / "vendors/config.ini");
  const std::string before = snapshot(opp_);
  EXPECT_EQ(code({.opp = opp_, .op = "AddRelu"}), "OPK-INSTALL-004");
  EXPECT_EQ(snapshot(opp_), before);
}

}  // namespace
}  // namespace opkit::registry
