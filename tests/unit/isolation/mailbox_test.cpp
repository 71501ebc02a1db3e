#include "opkit/isolation/mailbox.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rapidcheck/gtest.h>

#include <memory>
#include <thread>

#include "opkit/isolation/frames.h"

namespace opkit::isolation {
namespace {

constexpr uint64_t kMost = 1 << 20;

class MailboxTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0); }
  void TearDown() override {
    for (const int socket : sockets_) ::close(socket);
  }
  bool rung() const {
    char bell;
    return ::recv(sockets_[1], &bell, 1, MSG_DONTWAIT) == 1;
  }

  std::unique_ptr<Lane> lane_ = std::make_unique<Lane>();
  int sockets_[2] = {-1, -1};
};

TEST_F(MailboxTest, APartGoesThroughAndALargeOneInPieces) {
  const std::string sent(Lane::kRoom + 100, 'x');
  std::string_view left = sent;
  std::string got;
  EXPECT_EQ(take(*lane_, got, sockets_[0]), Taken::kNothing);
  ASSERT_TRUE(put(*lane_, left, sockets_[0]));
  EXPECT_EQ(left.size(), 100u);
  EXPECT_FALSE(put(*lane_, left, sockets_[0])) << "the first part has not been taken";
  EXPECT_EQ(take(*lane_, got, sockets_[0]), Taken::kPart);
  ASSERT_TRUE(put(*lane_, left, sockets_[0]));
  EXPECT_EQ(take(*lane_, got, sockets_[0]), Taken::kPart);
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(got, sent);
}

TEST_F(MailboxTest, RingsForWhoeverSleeps) {
  std::string_view left = "abc";
  ASSERT_TRUE(put(*lane_, left, sockets_[0]));
  EXPECT_FALSE(rung()) << "nobody sleeps";
  lane_->writer_sleeps.store(1);
  std::string got;
  ASSERT_EQ(take(*lane_, got, sockets_[0]), Taken::kPart);
  EXPECT_TRUE(rung());
  lane_->reader_sleeps.store(1);
  left = "def";
  ASSERT_TRUE(put(*lane_, left, sockets_[0]));
  EXPECT_TRUE(rung());
  EXPECT_FALSE(rung()) << "once";
}

TEST_F(MailboxTest, APartThatIsLargerThanItsRoomIsNonsense) {
  std::string got;
  for (const uint32_t bytes : {Lane::kRoom + 1, ~uint32_t{0}}) {
    lane_->filled.store(bytes);
    EXPECT_EQ(take(*lane_, got, sockets_[0]), Taken::kNonsense);
    EXPECT_TRUE(got.empty());
  }
}

TEST_F(MailboxTest, SpinSeesAnAnswerOfAnotherThread) {
  Spin spin(std::chrono::seconds(10));
  std::string_view left = "abc";
  std::thread other([&] { put(*lane_, left, sockets_[0]); });
  const auto filled = [this] { return lane_->filled.load() != 0; };
  while (!spin.until(filled)) {
  }
  other.join();
  EXPECT_EQ(lane_->filled.load(), 3u);
}

// However the bytes are cut into parts.
RC_GTEST_PROP(Frames, ComeBackOutOfAnyParts,
              (const std::vector<std::string>& bodies, uint8_t part)) {
  std::string bytes;
  for (const std::string& body : bodies) append_frame(bytes, 1, body);
  FrameReader reader(2, kMost);
  std::vector<std::string> back;
  const size_t step = part + 1u;
  for (size_t at = 0; at < bytes.size(); at += step) {
    reader.parts().append(bytes, at, step);
    for (Frame frame; reader.next(frame) == FrameReader::Found::kFrame;) back.push_back(frame.body);
  }
  RC_ASSERT(back == bodies);
  RC_ASSERT(reader.empty());
}

TEST(Frames, OfAnotherProtocolKindOrSizeAreNonsense) {
  const auto found = [](uint32_t protocol, uint32_t kind, uint64_t bytes) {
    const FrameHead head{protocol, kind, bytes};
    FrameReader reader(2, kMost);
    reader.parts().append(reinterpret_cast<const char*>(&head), sizeof head);
    Frame frame;
    return reader.next(frame);
  };
  EXPECT_EQ(found(kProtocol, 1, 0), FrameReader::Found::kFrame);
  EXPECT_EQ(found(kProtocol, 1, kMost), FrameReader::Found::kNothing);
  EXPECT_EQ(found(kProtocol + 1, 1, 0), FrameReader::Found::kNonsense);
  EXPECT_EQ(found(kProtocol, 2, 0), FrameReader::Found::kNonsense);
  EXPECT_EQ(found(kProtocol, 1, kMost + 1), FrameReader::Found::kNonsense);
  EXPECT_EQ(found(kProtocol, 1, ~uint64_t{0}), FrameReader::Found::kNonsense);
}

}  // namespace
}  // namespace opkit::isolation
