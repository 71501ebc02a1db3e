// FIFOs and devices in the place of each file that the registry reads: nobody waits for them, each
// is refused by name, and an installer that meets one leaves the OPP as it was.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "packages.h"
#include "registry/archive.h"
#include "registry/check_memory.h"
#include "registry/file_stamps.h"
#include "registry/install.h"
#include "registry/key_store.h"
#include "registry/lock_file.h"
#include "registry/opp_layout.h"
#include "registry/package_form.h"
#include "registry/pending_change.h"
#include "registry/quarantine.h"
#include "registry/registry.h"
#include "registry/signature.h"
#include "registry/trust.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

void make_fifo(const fs::path& path) {
  fs::create_directories(path.parent_path());
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
}

void link_to_device(const fs::path& path) {
  fs::create_directories(path.parent_path());
  fs::remove(path);
  fs::create_symlink("/dev/zero", path);
}

struct Odd {
  const char* name;
  void (*put)(const fs::path&);
};

class OddFiles : public testing::TestWithParam<Odd> {
 protected:
  // A reader that waits is a failure here, not a hanging run.
  void SetUp() override {
    ::alarm(60);
    source_ = write_package(folder_.path() / "source");
    ASSERT_TRUE(put_in().ok());
  }
  void TearDown() override { ::alarm(0); }

  Result<InstallReport> put_in(bool force = false) const {
    return install({.source = source_, .opp = opp_, .force = force, .probe = false}, this_host());
  }
  Status take_out() const {
    const auto report = uninstall({.opp = opp_, .op = "AddRelu"});
    return report.ok() ? Status() : Status(report.error());
  }
  Registry registry() const { return Registry(make_search_path(opp_, {}), this_host(), cache_); }
  Result<Resolution> found() const { return registry().resolve({"AddRelu"}); }
  void put(const fs::path& file) const { GetParam().put(file); }
  bool is_fifo() const { return GetParam().put == make_fifo; }

  TemporaryFolder folder_;
  const fs::path opp_ = folder_.path() / "opp", cache_ = folder_.path() / "cache";
  const fs::path package_ = opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0";
  fs::path source_;
};
INSTANTIATE_TEST_SUITE_P(All, OddFiles,
                         testing::Values(Odd{"Fifo", make_fifo}, Odd{"Device", link_to_device}),
                         [](const auto& info) { return info.param.name; });

TEST_P(OddFiles, AsConfigIni) {
  put(opp_ / "vendors/config.ini");
  const SearchPath path = make_search_path(opp_, {});
  ASSERT_EQ(path.warnings.size(), 1u);
  EXPECT_EQ(path.warnings[0].code, "OPK-REG-006");
  EXPECT_EQ(path.warnings[0].where.file, opp_ / "vendors/config.ini");
  EXPECT_THAT(path.warnings[0].message,
              HasSubstr(is_fifo() ? "config.ini is a FIFO, not a file" : "it is a link"));
  EXPECT_EQ(path.unlisted, std::vector<std::string>{"acme"});
  EXPECT_EQ(found().error().code, "OPK-REG-001");
  const std::string before = snapshot(package_);
  for (const Status& refused : {Status(put_in(true).error()), take_out()}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, is_fifo() ? "OPK-INSTALL-004" : "OPK-PKG-013");
    EXPECT_THAT(refused.error().message, HasSubstr("config.ini"));
    EXPECT_THAT(refused.error().message,
                is_fifo() ? testing::Matcher<std::string>(
                                AllOf(HasSubstr("cannot write"), HasSubstr("not a file")))
                          : HasSubstr("is a link"));
  }
  EXPECT_EQ(snapshot(package_), before);
  EXPECT_FALSE(fs::exists(pending_file(opp_)));
}

TEST_P(OddFiles, AsAFileOfAnInstalledPackage) {
  for (const char* file :
       {kManifestName, kContractFile, "op_impl/libadd_relu.so", kSignatureName, "docs/readme.md"}) {
    SCOPED_TRACE(file);
    put(package_ / file);
    const auto refused = found();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "OPK-REG-003");
    EXPECT_THAT(refused.error().to_string(), HasSubstr(fs::path(file).filename().string()));
    // Installing the same again puts a file in its place.
    const auto again = put_in();
    ASSERT_TRUE(again.ok()) << again.error().to_string();
    EXPECT_TRUE(again->replaced);
    EXPECT_TRUE(found().ok());
  }
}

TEST_P(OddFiles, AsAFileOfAPackageToInstall) {
  for (const char* file :
       {kManifestName, kContractFile, "op_impl/libadd_relu.so", kSignatureName, "docs/readme.md"}) {
    SCOPED_TRACE(file);
    fs::remove_all(source_);
    write_package(source_);
    put(source_ / file);
    const auto refused = put_in(true);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().to_string(), HasSubstr(fs::path(file).filename().string()));
    EXPECT_FALSE(pack(source_, folder_.path() / "p.opkg").ok());
    EXPECT_TRUE(found().ok());
  }
}

TEST_P(OddFiles, AsAFileOfTheInstallers) {
  put(trust_file(opp_));
  EXPECT_EQ(load_trust(opp_).error().code, "OPK-TRUST-003");
  EXPECT_EQ(found().error().code, "OPK-REG-011");
  fs::remove(trust_file(opp_));
  put(pending_file(opp_));
  EXPECT_EQ(load_pending(opp_).error().code, "OPK-INSTALL-012");
  EXPECT_EQ(take_out().error().code, "OPK-INSTALL-012");
  EXPECT_TRUE(found().ok());
  fs::remove(pending_file(opp_));
  put(opp_ / kWorkFolder / "lock");
  EXPECT_EQ(take_out().error().code, "OPK-INSTALL-004");
  EXPECT_TRUE(found().ok());
}

TEST_P(OddFiles, AsLockFileAndKeys) {
  const fs::path file = folder_.path() / "opkit.lock", keys = folder_.path() / "keys";
  put(file);
  EXPECT_EQ(load_lock(file).error().code, "OPK-FILE-005");
  put(keys / "acme.pub");
  put(keys / "acme.key");
  EXPECT_EQ(KeyStore(keys).find("acme").error().code, "OPK-KEY-001");
  EXPECT_FALSE(KeyStore(keys).secret("acme").ok());
}

// What lies in the cache only spares work.
TEST_P(OddFiles, AsWhatIsRemembered) {
  const CheckMemory memory(cache_);
  const std::string digest = load_manifest(package_ / kManifestName)->library_sha256;
  put(memory.file_of(package_));
  put(cache_ / "crashes" / digest);
  const auto known = found();
  ASSERT_TRUE(known.ok()) << known.error().to_string();
  Quarantine(cache_).add(digest, Error("OPK-WORKER-002", "it died"));
  EXPECT_FALSE(Quarantine(cache_).crashes(digest));
  constexpr int64_t kHour = 3'600'000'000'000;
  memory.keep(package_, {known->package.manifest, "", {}, *stamps_of(package_, *tree_of(package_))},
              nanoseconds_now() + kHour);
  memory.flush();
  EXPECT_TRUE(found().ok());
}

}  // namespace
}  // namespace opkit::registry
