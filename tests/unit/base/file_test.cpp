#include "opkit/base/file.h"

#include <gmock/gmock.h>

#include <fstream>

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

}  // namespace
}  // namespace opkit
