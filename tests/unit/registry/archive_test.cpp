#include "registry/archive.h"

#include <cstdlib>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class ArchiveTest : public OppTest {
 protected:
  fs::path file_ = folder_.path() / "p.opkg";
  fs::path out_ = folder_.path() / "out";
};

TEST_F(ArchiveTest, UnpacksWhatWasPackedAndEqualPackagesGiveEqualBytes) {
  const fs::path root = write_package(folder_.path() / "p");
  ASSERT_TRUE(pack(root, file_).ok());
  const std::string first = read_text(file_);
  fs::last_write_time(root / "manifest.yaml", fs::file_time_type::clock::now());
  ASSERT_TRUE(pack(root, file_).ok());
  EXPECT_EQ(read_text(file_), first);
  ASSERT_TRUE(unpack(file_, out_).ok());
  EXPECT_EQ(snapshot(out_), snapshot(root));
}

TEST_F(ArchiveTest, LinksAreNotPacked) {
  const fs::path root = write_package(folder_.path() / "p");
  fs::create_symlink("/etc/passwd", root / "docs/link");
  const Status status = pack(root, file_);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-005");
  EXPECT_NE(status.error().message.find("'docs/link', which is no file"), std::string::npos);
  EXPECT_FALSE(fs::exists(file_));
}

// Archives that another program made to climb out of the directory.
TEST_F(ArchiveTest, EntriesThatLeaveTheDirectoryAreRefused) {
  write_text(folder_.path() / "x", "x");
  fs::create_symlink("/etc", folder_.path() / "link");
  const std::string tar = "tar -C " + folder_.path().string() + " -cPf " + file_.string();
  for (const char* arguments : {" --transform 's,^x,../x,' x", " --transform 's,^x,/tmp/x,' x",
                                " --transform 's,^x,a/../../x,' x", " link"}) {
    ASSERT_EQ(std::system((tar + arguments).c_str()), 0);
    const Status status = unpack(file_, out_);
    ASSERT_FALSE(status.ok()) << arguments;
    EXPECT_EQ(status.error().code, "OPK-INSTALL-005") << arguments;
  }
  EXPECT_FALSE(fs::exists(out_));
}

// For some compressions the library would start a program of that name.
TEST_F(ArchiveTest, NoProgramIsStartedToReadOne) {
  const fs::path bin = folder_.path() / "bin", mark = folder_.path() / "started";
  write_text(bin / "lrzip", "#!/bin/sh\ntouch " + mark.string() + "\n");
  fs::permissions(bin / "lrzip", fs::perms::owner_all);
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  ::setenv("PATH", (bin.string() + ":" + before).c_str(), 1);
  write_text(file_, std::string("LRZI\0\x06", 6) + std::string(600, '\0'));
  const Status status = unpack(file_, out_);
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-009");
  EXPECT_FALSE(fs::exists(mark));
}

TEST_F(ArchiveTest, PlainAndOtherwiseCompressedTarsAreRead) {
  const fs::path root = write_package(folder_.path() / "p");
  for (const char* form : {"", "z", "j", "J"}) {
    const std::string tar = std::string("tar -c") + form + "f " + file_.string() + " -C ";
    ASSERT_EQ(std::system((tar + root.string() + " .").c_str()), 0);
    fs::remove_all(out_);
    ASSERT_TRUE(unpack(file_, out_).ok()) << form;
    EXPECT_EQ(snapshot(out_), snapshot(root)) << form;
  }
}

TEST_F(ArchiveTest, GarbageAndCutArchivesAreRefused) {
  write_text(file_, std::string(5000, 'z'));
  EXPECT_EQ(unpack(file_, out_).error().code, "OPK-INSTALL-009");
  ASSERT_TRUE(pack(write_package(folder_.path() / "p"), file_).ok());
  const std::string good = read_text(file_);
  for (const size_t length : {good.size() / 4, good.size() / 2, good.size() - 40}) {
    write_text(file_, good.substr(0, length));
    const Status status = unpack(file_, out_);
    ASSERT_FALSE(status.ok()) << length;
    EXPECT_EQ(status.error().code, "OPK-INSTALL-009");
  }
}

}  // namespace
}  // namespace opkit::registry
