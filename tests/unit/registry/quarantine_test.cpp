#include "registry/quarantine.h"

#include <gmock/gmock.h>

#include "opkit/base/digest.h"
#include "packages.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class QuarantineTest : public OppTest {
 protected:
  void crash(int times) const {
    for (int i = 0; i < times; ++i)
      quarantine_.add(digest_, Error("OPK-WORKER-002", "the kernel died with SIGSEGV"));
  }
  fs::path cache_ = folder_.path() / "cache";
  Quarantine quarantine_{cache_};
  std::string digest_ = sha256_hex("a library");
};

TEST_F(QuarantineTest, BeginsAtTheThirdCrashAndTellsTheLast) {
  crash(2);
  EXPECT_TRUE(quarantine_.judge(digest_).ok());
  crash(1);
  const Status status = quarantine_.judge(digest_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-PLUGIN-014");
  EXPECT_THAT(status.error().message, HasSubstr("OPK-WORKER-002: the kernel died with SIGSEGV"));
  EXPECT_THAT(status.error().action, HasSubstr("opkit release"));
  EXPECT_TRUE(quarantine_.judge(sha256_hex("another library")).ok());
}

TEST_F(QuarantineTest, ReleaseForgetsCrashesAndProbes) {
  EXPECT_FALSE(quarantine_.release(digest_));
  crash(3);
  write_text(cache_ / "probe" / (digest_ + "-abi1-none.json"), "{}");
  write_text(cache_ / "probe" / (sha256_hex("another library") + "-abi1-none.json"), "{}");
  EXPECT_TRUE(quarantine_.release(digest_));
  EXPECT_TRUE(quarantine_.judge(digest_).ok());
  EXPECT_FALSE(fs::exists(cache_ / "probe" / (digest_ + "-abi1-none.json")));
  EXPECT_TRUE(fs::exists(cache_ / "probe" / (sha256_hex("another library") + "-abi1-none.json")));
}

// What a probe found of a library that behaves is forgotten, and is no crash.
TEST_F(QuarantineTest, ReleaseTellsWhetherThereWasACrash) {
  const fs::path probe = cache_ / "probe" / (digest_ + "-abi1-none.json");
  write_text(probe, "{\"facts\": {}}");
  EXPECT_FALSE(quarantine_.release(digest_));
  EXPECT_FALSE(fs::exists(probe));
  write_text(probe,
             R"({"error": {"code": "OPK-PLUGIN-010", "message": "died", "action": "mend"}})");
  EXPECT_TRUE(quarantine_.release(digest_));
  EXPECT_FALSE(quarantine_.release(digest_));
}

TEST_F(QuarantineTest, DamagedRecordsCountForNothing) {
  crash(3);
  const fs::path file = cache_ / "crashes" / digest_;
  const std::string good = read_text(file);
  for (size_t bytes = 0; bytes < good.size(); ++bytes) {
    write_text(file, good.substr(0, bytes));
    EXPECT_TRUE(quarantine_.judge(digest_).ok()) << bytes;
  }
  EXPECT_FALSE(read_crashes(good + "x"));
}

TEST_F(QuarantineTest, ANameThatIsNoDigestTouchesNoFile) {
  write_text(cache_ / "crashes" / "other", "");
  quarantine_.add("../escaped", Error("OPK-WORKER-002", ""));
  EXPECT_FALSE(fs::exists(cache_ / "escaped"));
  EXPECT_FALSE(quarantine_.release("../crashes/other"));
  EXPECT_TRUE(fs::exists(cache_ / "crashes" / "other"));
}

TEST_F(QuarantineTest, TheRegistryStopsAtSuchAPackage) {
  write_installed(opp_, {.vendor = "a"});
  write_text(opp_ / "vendors/config.ini", "load_priority=a\n");
  const Registry registry(make_search_path(opp_, {}), this_host(), cache_);
  const auto before = registry.resolve({"AddRelu"});
  ASSERT_TRUE(before.ok());
  digest_ = before->package.manifest.library_sha256;
  crash(3);
  const auto refused = registry.resolve({"AddRelu"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-REG-003");
  EXPECT_THAT(refused.error().message, HasSubstr("OPK-PLUGIN-014"));
  EXPECT_THAT(refused.error().action, HasSubstr("opkit release AddRelu"));
  const auto listed = registry.list();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].candidate.standing, Standing::kBroken);
  quarantine_.release(digest_);
  EXPECT_TRUE(registry.resolve({"AddRelu"}).ok());
}

}  // namespace
}  // namespace opkit::registry
