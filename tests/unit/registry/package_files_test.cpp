#include "registry/package_files.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "packages.h"
#include "registry/install.h"
#include "registry/package.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class PackageFilesTest : public OppTest {
 protected:
  // The code of the finding that counts, and of an installation: they must agree.
  std::string judged() const {
    const PackageCheck check = check_package(root_, this_host());
    const auto report =
        install({.source = root_, .opp = opp_, .force = true, .probe = false}, this_host());
    EXPECT_EQ(check.usable(), report.ok());
    if (check.usable()) return "good";
    EXPECT_EQ(check.worst().error.code, report.error().code);
    return check.worst().error.code;
  }
  // Makes `path` a socket. False: its name is too long.
  static bool make_socket(const fs::path& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.string().size() >= sizeof address.sun_path) return false;
    std::strcpy(address.sun_path, path.c_str());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool good = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return good;
  }
  void take_plugin(const std::string& name) {
    fs::remove_all(root_);
    write_package(root_, {.plugin = name});
  }

  fs::path root_ = write_package(folder_.path() / "package");
};

TEST_F(PackageFilesTest, WhatTheManifestDoesNotListIsRefused) {
  EXPECT_EQ(judged(), "good");
  for (const char* file : {"op_impl/libhelper.so", ".hidden", "docs/deep/er/page.md"}) {
    write_text(root_ / file, "x");
    EXPECT_EQ(judged(), "OPK-PKG-011") << file;
    fs::remove(root_ / file);
  }
  write_text(root_ / "docs/page.md", "x");
  declare_files(root_);
  EXPECT_EQ(judged(), "good");
}

TEST_F(PackageFilesTest, WhatItListsIsCompared) {
  write_text(root_ / "docs/readme.md", "other words");
  EXPECT_EQ(judged(), "OPK-PKG-002");
  fs::remove(root_ / "docs/readme.md");
  EXPECT_EQ(judged(), "OPK-PKG-001");
}

TEST_F(PackageFilesTest, OnlyFilesAndDirectoriesAreTaken) {
  const fs::path odd = root_ / "docs/odd";
  ASSERT_EQ(::mkfifo(odd.c_str(), 0600), 0);
  EXPECT_EQ(judged(), "OPK-INSTALL-005");
  fs::remove(odd);
  ASSERT_TRUE(make_socket(odd));
  EXPECT_EQ(judged(), "OPK-INSTALL-005");
  fs::remove(odd);
  fs::create_symlink("readme.md", odd);
  EXPECT_EQ(judged(), "OPK-INSTALL-005");
  fs::remove(odd);
  fs::create_directory_symlink("/etc", odd);
  EXPECT_EQ(judged(), "OPK-INSTALL-005");
  fs::remove(odd);
  if (::mknod(odd.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) return;  // needs a privilege
  EXPECT_EQ(judged(), "OPK-INSTALL-005");
}

// Reading one would never end.
TEST_F(PackageFilesTest, PartsThatAreNoFilesAreNotRead) {
  for (const char* part :
       {"manifest.yaml", "op_proto/op_contract.yaml", "op_impl/libadd_relu.so"}) {
    take_plugin("good");
    fs::remove(root_ / part);
    ASSERT_EQ(::mkfifo((root_ / part).c_str(), 0600), 0);
    EXPECT_NE(judged(), "good") << part;
  }
}

TEST_F(PackageFilesTest, RunPathsOutOfThePackageAreRefused) {
  take_plugin("run_path");
  EXPECT_EQ(judged(), "OPK-PKG-012");
  take_plugin("origin");
  EXPECT_EQ(judged(), "good");
}

TEST_F(PackageFilesTest, HelperLibrariesAreJudgedTheSameWay) {
  fs::create_directories(root_ / "op_impl/lib");
  fs::copy_file(fake_plugin("good"), root_ / "op_impl/lib/libhelper.so");
  EXPECT_EQ(judged(), "OPK-PKG-011");
  declare_files(root_);
  EXPECT_EQ(judged(), "good");
  fs::copy_file(fake_plugin("run_path"), root_ / "op_impl/lib/libhelper.so",
                fs::copy_options::overwrite_existing);
  declare_files(root_);
  EXPECT_EQ(judged(), "OPK-PKG-012");
}

size_t reaches(std::vector<std::string> run_path, std::vector<std::string> needed = {},
               std::vector<std::string> also = {}) {
  ElfFacts facts;
  facts.run_path = std::move(run_path);
  facts.needed = std::move(needed);
  facts.also_loads = std::move(also);
  return check_reach(facts, "op_impl/lib.so", {}).size();
}

TEST(CheckReach, KnowsTheWaysOut) {
  EXPECT_EQ(reaches({"$ORIGIN", "${ORIGIN}/lib", "$ORIGIN/../op_impl", "$ORIGIN/.."}), 0u);
  EXPECT_EQ(reaches({"$ORIGIN/../..", "/opt", "lib", "", "$ORIGINx", "$ORIGIN/$LIB",
                     "$ORIGIN/../../op_impl", "/$ORIGIN"}),
            8u);
  EXPECT_EQ(reaches({}, {"libc.so.6", "libm.so.6"}), 0u);
  EXPECT_EQ(reaches({}, {"/tmp/libx.so", "./liby.so"}, {"libfilter.so"}), 3u);
}

class LinkedTest : public PackageFilesTest {
 protected:
  LinkedTest() {
    EXPECT_EQ(judged(), "good");
    acme_ = opp_ / "vendors/acme";
  }
  // Puts a link in the place of a directory, and says what becomes of an operation on it.
  void link(const fs::path& directory) {
    fs::rename(directory, folder_.path() / "behind");
    fs::create_directory_symlink(folder_.path() / "behind", directory);
  }
  std::string found() const {
    const auto result = Registry(make_search_path(opp_, {}), this_host()).resolve({"AddRelu"});
    return result.ok() ? "good" : result.error().message;
  }

  fs::path acme_;
};

TEST_F(LinkedTest, WhatLiesBehindALinkIsNotSearchedInstalledOrRemoved) {
  for (const fs::path& place : {acme_, acme_ / "op_pkg", acme_ / "op_pkg/AddRelu"}) {
    link(place);
    EXPECT_NE(found().find("OPK-PKG-013"), std::string::npos) << place << found();
    const std::string before = snapshot(folder_.path() / "behind");
    const auto report =
        install({.source = root_, .opp = opp_, .force = true, .probe = false}, this_host());
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "OPK-PKG-013");
    const auto removed = uninstall({.opp = opp_, .op = "AddRelu"});
    ASSERT_FALSE(removed.ok());
    EXPECT_EQ(removed.error().code, "OPK-PKG-013");
    EXPECT_EQ(snapshot(folder_.path() / "behind"), before);
    fs::remove(place);
    fs::rename(folder_.path() / "behind", place);
  }
  EXPECT_EQ(found(), "good");
}

TEST_F(LinkedTest, ALinkedPackageIsBrokenAndOnlyTheLinkIsRemoved) {
  link(acme_ / "op_pkg/AddRelu/1.0.0");
  EXPECT_NE(found().find("OPK-PKG-013"), std::string::npos);
  EXPECT_TRUE(uninstall({.opp = opp_, .op = "AddRelu"}).ok());
  EXPECT_TRUE(fs::exists(folder_.path() / "behind/manifest.yaml"));
}

// The OPP itself may be behind a link, as the vendor's "latest" is.
TEST_F(LinkedTest, TheOppMayBeALink) {
  fs::create_directory_symlink(opp_, folder_.path() / "latest");
  const Registry registry(make_search_path(folder_.path() / "latest", {}), this_host());
  EXPECT_TRUE(registry.resolve({"AddRelu"}).ok());
}

}  // namespace
}  // namespace opkit::registry
