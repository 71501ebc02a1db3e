#include "opkit/base/file.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

#include <fstream>
#include <thread>

namespace opkit {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

fs::path folder(const char* name) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

TEST(File, WritesAndReadsEveryByte) {
  const fs::path path = folder("file_bytes") / "bytes";
  const std::string bytes("a\0\n\xff", 4);
  ASSERT_TRUE(write_file(path, bytes).ok());
  EXPECT_EQ(read_file(path).value(), bytes);
}

TEST(File, ReplacesWithoutRemains) {
  const fs::path path = folder("file_replace") / "text";
  ASSERT_TRUE(write_file(path, "a longer first text").ok());
  ASSERT_TRUE(write_file(path, "short").ok());
  EXPECT_EQ(read_file(path).value(), "short");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST(File, RefusesWhatIsNotThere) {
  const auto text = read_file("/nowhere/at/all");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, "OPK-FILE-001");
  EXPECT_THAT(text.error().message, HasSubstr("/nowhere/at/all"));
}

TEST(File, RefusesAFolder) {
  const auto text = read_file(folder("file_folder"));
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, "OPK-FILE-002");
  EXPECT_THAT(text.error().message, HasSubstr("is a directory"));
}

TEST(File, RefusesWhatIsTooLarge) {
  const fs::path path = folder("file_large") / "large";
  ASSERT_TRUE(write_file(path, "12345").ok());
  const auto text = read_file(path, 4);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, "OPK-FILE-003");
  EXPECT_THAT(text.error().message, HasSubstr("has 5 bytes; the limit is 4"));
}

TEST(File, SaysWhyItCannotWriteAndLeavesNothing) {
  const fs::path parent = folder("file_unwritable");
  fs::create_directories(parent / "target" / "full");
  const Status onto_folder = write_file(parent / "target", "x");
  ASSERT_FALSE(onto_folder.ok());
  EXPECT_EQ(onto_folder.error().code, "OPK-FILE-004");
  EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 1);
  const Status into_nothing = write_file(parent / "missing" / "file", "x");
  ASSERT_FALSE(into_nothing.ok());
  EXPECT_EQ(into_nothing.error().code, "OPK-FILE-004");
}

// A name that leads elsewhere stays, and what it leads to is written.
TEST(File, WritesThroughLinks) {
  const fs::path parent = folder("file_links");
  ASSERT_TRUE(write_file(parent / "real", "old").ok());
  fs::create_symlink("real", parent / "link");
  ASSERT_TRUE(write_file(parent / "link", "new").ok());
  EXPECT_TRUE(fs::is_symlink(parent / "link"));
  EXPECT_EQ(read_file(parent / "real").value(), "new");
  fs::create_symlink("later", parent / "dangling");
  ASSERT_TRUE(write_file(parent / "dangling", "made").ok());
  EXPECT_TRUE(fs::is_symlink(parent / "dangling"));
  EXPECT_EQ(read_file(parent / "later").value(), "made");
}

TEST(File, WritesIntoFifosAndDevices) {
  const fs::path fifo = folder("file_fifo") / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string seen;
  std::thread reader([&] {
    std::ifstream stream(fifo);
    std::getline(stream, seen, '\0');
  });
  const Status written = write_file(fifo, "bytes");
  reader.join();
  ASSERT_TRUE(written.ok()) << written.error().to_string();
  EXPECT_EQ(seen, "bytes");
  EXPECT_TRUE(fs::is_fifo(fifo));
  ASSERT_TRUE(write_file("/dev/null", "lost").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Status full = write_file("/dev/full", "no room");
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, "OPK-FILE-004");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(File, TellsBeforeWhetherItCanBeWritten) {
  const fs::path parent = folder("file_before");
  EXPECT_TRUE(check_writable(parent / "new").ok());
  EXPECT_TRUE(check_writable("/dev/null").ok());
  EXPECT_FALSE(fs::exists(parent / "new"));
  const Status missing = check_writable(parent / "missing" / "file");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "OPK-FILE-004");
  EXPECT_THAT(missing.error().message, HasSubstr("No such file or directory"));
  EXPECT_EQ(check_writable(parent).error().code, "OPK-FILE-004");
}

}  // namespace
}  // namespace opkit
