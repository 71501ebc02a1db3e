#include "opkit/isolation/readable.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace opkit::isolation {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class Readable : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("readable" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "package/op_impl");
    fs::create_directories(folder_ / "conf.d");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

TEST_F(Readable, APackageIsFoundByItsManifest) {
  const fs::path library = folder_ / "package/op_impl/liba.so";
  EXPECT_EQ(package_folder_of(library), folder_ / "package/op_impl");
  write("package/manifest.yaml", "manifest: 1\n");
  EXPECT_EQ(package_folder_of(library), folder_ / "package");
}

TEST_F(Readable, TheLoadersFilesAreFollowedAndEnd) {
  write("ld.so.conf", "/one # two\n\ninclude conf.d/*.conf\nrelative\n");
  write("conf.d/a.conf", "/three\ninclude " + (folder_ / "ld.so.conf").string() + "\n");
  const auto folders = loader_folders(folder_ / "ld.so.conf");
  EXPECT_THAT(folders, Contains(fs::path("/one")));
  EXPECT_THAT(folders, Contains(fs::path("/three")));
  EXPECT_THAT(folders, Not(Contains(fs::path("relative"))));
  EXPECT_THAT(loader_folders(folder_ / "nothing"), IsEmpty());
}

TEST_F(Readable, EmptyPartsOfAListAreNone) {
  EXPECT_THAT(listed_folders("/a::b:/c:"), ElementsAre("/a", "/c"));
  EXPECT_THAT(listed_folders(""), IsEmpty());
}

TEST_F(Readable, FoldersOfTheVariableAreAmongThem) {
  ::setenv(kReadsVariable, "/tables", 1);
  const auto places = readable_places(folder_);
  ::unsetenv(kReadsVariable);
  EXPECT_THAT(places, Contains(folder_));
  EXPECT_THAT(places, Contains(fs::path("/tables")));
  for (const char* secret : {"/", "/home", "/root", "/etc", "/proc", "/tmp", "/var"})
    EXPECT_THAT(places, Not(Contains(fs::path(secret))));
}

}  // namespace
}  // namespace opkit::isolation
