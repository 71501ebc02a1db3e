#include "registry/check_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "packages.h"
#include "registry/package.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kHour = 3'600'000'000'000;

class CheckMemoryTest : public OppTest {
 protected:
  IntactPackage checked() const {
    const PackageCheck check = check_package(root_, this_host());
    EXPECT_TRUE(check.usable());
    IntactPackage intact;
    intact.manifest = check.package.manifest;
    intact.run_path = {"$ORIGIN"};
    intact.stamps = *stamps_of(root_, *tree_of(root_));
    return intact;
  }
  void keep() const { memory_.keep(root_, checked(), nanoseconds_now() + kHour); }

  fs::path cache_ = folder_.path() / "cache";
  CheckMemory memory_{cache_};
  fs::path root_ = write_package(folder_.path() / "package");
};

TEST_F(CheckMemoryTest, GivesBackWhatWasKept) {
  EXPECT_FALSE(memory_.recall(root_));
  keep();
  const auto known = memory_.recall(root_);
  ASSERT_TRUE(known);
  const Manifest expected = checked().manifest;
  EXPECT_EQ(to_yaml(known->manifest), to_yaml(expected));
  EXPECT_EQ(known->manifest.place("library.sha256").to_string(),
            expected.place("library.sha256").to_string());
  EXPECT_EQ(known->run_path, std::vector<std::string>{"$ORIGIN"});
}

TEST_F(CheckMemoryTest, ForgetsAPackageOfWhichAnyFileChanged) {
  const Manifest m = checked().manifest;
  for (const fs::path& file : {root_ / kManifestName, root_ / m.contract_file,
                               root_ / m.library_file, root_ / m.files.at(0).file}) {
    keep();
    ASSERT_TRUE(memory_.recall(root_));
    // The same bytes and the same modification time: the inode's change tells.
    struct stat before = {};
    ASSERT_EQ(::stat(file.c_str(), &before), 0);
    const std::string bytes = read_text(file);
    write_text(file, bytes);
    const timespec times[2] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
    EXPECT_FALSE(memory_.recall(root_)) << file;
  }
}

TEST_F(CheckMemoryTest, ForgetsAFileThatBecameALinkOrIsGone) {
  keep();
  const fs::path file = root_ / checked().manifest.library_file;
  fs::rename(file, root_ / "elsewhere.so");
  EXPECT_FALSE(memory_.recall(root_));
  fs::create_symlink(root_ / "elsewhere.so", file);
  EXPECT_FALSE(memory_.recall(root_));
}

TEST_F(CheckMemoryTest, ForgetsAPackageToWhichAFileWasAdded) {
  keep();
  ASSERT_TRUE(memory_.recall(root_));
  write_text(root_ / "op_impl/libhelper.so", "x");
  EXPECT_FALSE(memory_.recall(root_));
}

TEST_F(CheckMemoryTest, FilesThatChangedAMomentAgoAreNotKept) {
  memory_.keep(root_, checked());
  EXPECT_FALSE(fs::exists(cache_));
}

TEST_F(CheckMemoryTest, DamagedMemoriesAreNone) {
  const std::string good = memory_bytes(root_, checked());
  ASSERT_TRUE(read_memory(good, root_));
  EXPECT_FALSE(read_memory(good, root_ / "other"));
  for (size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_FALSE(read_memory(bad, root_)) << at;
    EXPECT_FALSE(read_memory(good.substr(0, at), root_)) << at;
  }
}

TEST_F(CheckMemoryTest, ACheckThatRemembersFindsWhatAWholeOneFinds) {
  keep();
  const PackageCheck check = check_package(root_, this_host(), {}, CheckMemory(cache_));
  EXPECT_TRUE(check.usable());
  EXPECT_FALSE(check.elf.has_value()) << "the library was read again";
  // What depends on place and host is judged anew.
  const PackageCheck elsewhere =
      check_package(root_, this_host(), {.vendor = "other"}, CheckMemory(cache_));
  ASSERT_FALSE(elsewhere.usable());
  EXPECT_EQ(elsewhere.worst().error.code, "OPK-PKG-003");
  HostFacts other = this_host();
  other.platform = "linux-aarch64";
  const PackageCheck unfit = check_package(root_, other, {}, CheckMemory(cache_));
  ASSERT_FALSE(unfit.usable());
  EXPECT_EQ(unfit.worst().error.code, "OPK-FIT-003");
  // A changed library is found.
  std::ofstream(root_ / check.package.manifest.library_file, std::ios::app) << "x";
  const PackageCheck changed = check_package(root_, this_host(), {}, CheckMemory(cache_));
  ASSERT_FALSE(changed.usable());
  EXPECT_EQ(changed.worst().error.code, "OPK-PKG-002");
}

}  // namespace
}  // namespace opkit::registry
