#include "opkit/base/regular_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class RegularFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void make_socket() const {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
    const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(made);
  }
  template <typename Answer>
  void expect_refusal(const Answer& answer, const char* what) const {
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, "OPK-FILE-005");
    EXPECT_EQ(answer.error().message, path_.string() + " is " + what + ", not a file");
    EXPECT_EQ(answer.error().action, "put a file in its place, or remove it");
  }
  // None of these waits for another end.
  void expect_refusals(const char* what) const {
    expect_refusal(open_regular_file(path_), what);
    expect_refusal(read_regular_file(path_, 100), what);
    expect_refusal(write_regular_file(path_, "text"), what);
    expect_refusal(sha256_file(path_), what);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("opkit_regular_file" + std::to_string(::getpid()));
  const fs::path path_ = folder_ / "it";
};

TEST_F(RegularFile, ReadsWritesAndBoundsFiles) {
  ASSERT_TRUE(write_regular_file(path_, "12345").ok());
  ASSERT_TRUE(write_regular_file(path_, "1234").ok());
  EXPECT_EQ(read_regular_file(path_, 4).value(), "1234");
  EXPECT_EQ(read_regular_file(path_, 3).error().code, "OPK-FILE-003");
  EXPECT_EQ(sha256_file(path_).value(), sha256_hex("1234"));
}

TEST_F(RegularFile, FollowsLinks) {
  ASSERT_TRUE(write_file(folder_ / "target", "text").ok());
  fs::create_symlink("target", path_);
  EXPECT_EQ(read_regular_file(path_, 100).value(), "text");
  fs::remove(path_);
  fs::create_symlink("/dev/zero", path_);
  expect_refusals("a device");
}

TEST_F(RegularFile, RefusesFifos) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_refusals("a FIFO");
  const int other_end = ::open(path_.c_str(), O_RDWR | O_NONBLOCK);
  expect_refusals("a FIFO");
  ::close(other_end);
}

TEST_F(RegularFile, RefusesSockets) {
  make_socket();
  expect_refusals("a socket");
}

TEST_F(RegularFile, RefusesFoldersAndWhatIsNotThere) {
  EXPECT_EQ(read_regular_file(folder_, 100).error().code, "OPK-FILE-002");
  EXPECT_EQ(write_regular_file(folder_, "text").error().code, "OPK-FILE-004");
  const auto none = read_regular_file(path_, 100);
  EXPECT_EQ(none.error().code, "OPK-FILE-001");
  EXPECT_THAT(none.error().message, HasSubstr(path_.string()));
}

}  // namespace
}  // namespace opkit
