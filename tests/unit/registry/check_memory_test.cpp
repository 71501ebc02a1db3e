#include "registry/check_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "packages.h"
#include "registry/package.h"
#include "registry/package_form.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kHour = 3'600'000'000'000;

class CheckMemoryTest : public OppTest {
 protected:
  IntactPackage checked() const { return checked(root_); }
  static IntactPackage checked(const fs::path& root) {
    const PackageCheck check = check_package(root, this_host());
    EXPECT_TRUE(check.usable());
    IntactPackage intact;
    intact.manifest = check.package.manifest;
    intact.run_path = {"$ORIGIN"};
    intact.stamps = *stamps_of(root, *tree_of(root));
    return intact;
  }
  void keep() const { memory_.keep(root_, checked(), nanoseconds_now() + kHour); }

  fs::path cache_ = folder_.path() / "cache";
  CheckMemory memory_{cache_};
  fs::path root_ = write_package(folder_.path() / "op_pkg/AddRelu/1.0.0");
  fs::path other_ =
      write_package(folder_.path() / "op_pkg/MulAdd/1.0.0", {.op = "MulAdd", .plugin = "mul_add"});
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
    // Keeps bytes and modification time: the inode's change tells.
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
  memory_.flush();
  EXPECT_FALSE(fs::exists(cache_));
}

TEST_F(CheckMemoryTest, OthersKnowWhatWasWritten) {
  keep();
  EXPECT_FALSE(CheckMemory(cache_).recall(root_)) << "it is not written yet";
  memory_.flush();
  EXPECT_TRUE(CheckMemory(cache_).recall(root_));
  { CheckMemory(cache_).keep(other_, checked(other_), nanoseconds_now() + kHour); }
  EXPECT_TRUE(CheckMemory(cache_).recall(root_)) << "another one's write loses nothing";
  EXPECT_TRUE(CheckMemory(cache_).recall(other_));
}

TEST_F(CheckMemoryTest, PackagesThatAreGoneAreForgotten) {
  keep();
  memory_.flush();
  fs::remove_all(root_);
  { CheckMemory(cache_).keep(other_, checked(other_), nanoseconds_now() + kHour); }
  LookupIndex index((folder_.path() / "op_pkg").string());
  ASSERT_EQ(index.read(read_text(memory_.file_of(root_))), LookupIndex::Read::kWhole);
  EXPECT_EQ(index.names(), std::vector<std::string>{"MulAdd/1.0.0"});
}

TEST_F(CheckMemoryTest, ADamagedIndexIsSaidAndMadeAgain) {
  keep();
  memory_.flush();
  const fs::path file = memory_.file_of(root_), folder = folder_.path() / "op_pkg";
  EXPECT_TRUE(CheckMemory(cache_).open(folder).ok());
  for (const std::string& bytes : {std::string("x"), std::string(), read_text(file).substr(9)}) {
    write_text(file, bytes);
    const CheckMemory memory(cache_);
    const Status status = memory.open(folder);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, "OPK-REG-010");
    EXPECT_EQ(status.error().severity, Severity::kWarning);
    EXPECT_EQ(status.error().where.file, file.string());
    EXPECT_FALSE(memory.recall(root_));
    memory.keep(root_, checked(), nanoseconds_now() + kHour);
    memory.flush();
    EXPECT_TRUE(CheckMemory(cache_).open(folder).ok());
    EXPECT_TRUE(CheckMemory(cache_).recall(root_));
  }
}

TEST_F(CheckMemoryTest, ARegistryWarnsOfADamagedIndex) {
  write_installed(opp_, {.vendor = "a"});
  write_text(opp_ / "vendors/config.ini", "load_priority=a\n");
  const SearchPath path = make_search_path(opp_, {});
  const fs::path root = opp_ / "vendors/a/op_pkg/AddRelu/1.0.0";
  write_text(CheckMemory(cache_).file_of(root), "not an index");
  const Registry registry(path, this_host(), cache_);
  ASSERT_EQ(registry.search_path().warnings.size(), 1u);
  EXPECT_EQ(registry.search_path().warnings[0].code, "OPK-REG-010");
  EXPECT_TRUE(registry.resolve({"AddRelu"}).ok());
}

TEST_F(CheckMemoryTest, WaysToAPackageMeanTheSame) {
  keep();
  EXPECT_TRUE(memory_.recall(root_ / "."));
  EXPECT_TRUE(memory_.recall(root_ / ".." / root_.filename() / ""));
  const auto known = memory_.recall(root_ / "..//" / root_.filename());
  ASSERT_TRUE(known);
  EXPECT_EQ(known->manifest.place("op").file,
            (root_ / "..//" / root_.filename() / kManifestName).string())
      << "errors name the file as the caller does";
}

TEST_F(CheckMemoryTest, ACheckThatRemembersFindsWhatAWholeOneFinds) {
  keep();
  memory_.flush();
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
