// What subscriptions of models send, and what is made of what a program read;
// tests/e2e/model_program_test.cpp subscribes to a model.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "opkit/acl/profile/subscription.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() { close(ends[0]); }
  // All that comes, until the other end is closed.
  std::string read_all() const {
    std::string all;
    char some[1000];
    for (ssize_t got; (got = read(ends[0], some, sizeof some)) > 0;) all.append(some, got);
    return all;
  }
  int ends[2] = {};
};

OpRecord record(uint32_t model, uint64_t start, uint64_t end, const char* type, const char* name) {
  OpRecord made(model, type, name);
  made.start = start;
  made.end = end;
  return made;
}

std::vector<char> bytes_of(const std::vector<OpRecord>& records) {
  const char* const at = reinterpret_cast<const char*>(records.data());
  return {at, at + records.size() * sizeof(OpRecord)};
}

TEST(Subscriptions, RecordsTellWhatAStepWas) {
  const std::vector<char> data =
      bytes_of({record(7, 10, 30, "Conv", "first"), record(8, 1000, 5000, "Relu", "second+third")});
  uint32_t count = 0;
  ASSERT_EQ(aclprofGetOpNum(data.data(), data.size(), &count), ACL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(aclprofGetModelId(data.data(), data.size(), 1), 8u);
  EXPECT_EQ(aclprofGetOpStart(data.data(), data.size(), 1), 1000u);
  EXPECT_EQ(aclprofGetOpEnd(data.data(), data.size(), 0), 30u);
  EXPECT_EQ(aclprofGetOpDuration(data.data(), data.size(), 1), 4000u);
  size_t length = 0;
  ASSERT_EQ(aclprofGetOpNameLen(data.data(), data.size(), 1, &length), ACL_SUCCESS);
  EXPECT_EQ(length, 13u);
  char text[13] = {};
  ASSERT_EQ(aclprofGetOpName(data.data(), data.size(), 1, text, length), ACL_SUCCESS);
  EXPECT_STREQ(text, "second+third");
  ASSERT_EQ(aclprofGetOpName(data.data(), data.size(), 1, text, 4), ACL_SUCCESS);
  EXPECT_STREQ(text, "sec") << "cut";
  ASSERT_EQ(aclprofGetOpTypeLen(data.data(), data.size(), 0, &length), ACL_SUCCESS);
  ASSERT_EQ(aclprofGetOpType(data.data(), data.size(), 0, text, length), ACL_SUCCESS);
  EXPECT_STREQ(text, "Conv");
}

TEST(Subscriptions, TextsThatAreTooLongAreCut) {
  const OpRecord cut(1, std::string(200, 't'), std::string(1000, 'n'));
  EXPECT_EQ(std::string(cut.type), std::string(103, 't'));
  EXPECT_EQ(std::string(cut.name), std::string(383, 'n'));
}

TEST(Subscriptions, NothingThatWasReadIsTrusted) {
  std::vector<char> data = bytes_of({record(7, 10, 30, "Conv", "first")});
  uint32_t count = 0;
  size_t length = 0;
  char text[8] = {};
  EXPECT_EQ(aclprofGetOpDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(data.data(), data.size(), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(nullptr, 512, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetOpNum(data.data(), 511, &count), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("read multiples of the size that aclprofGetOpDescSize tells"));
  EXPECT_EQ(aclprofGetOpStart(data.data(), data.size(), 1), 0u);
  EXPECT_THAT(said(), HasSubstr("index 1 of 1 records"));
  EXPECT_EQ(aclprofGetOpName(data.data(), data.size(), 0, text, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("aclprofGetOpNameLen"));
  EXPECT_EQ(aclprofGetOpTypeLen(data.data(), data.size(), 0, nullptr), ACL_ERROR_INVALID_PARAM);
  std::fill(data.begin() + 24, data.begin() + 24 + 104, 'x');  // a type without end
  EXPECT_EQ(aclprofGetOpTypeLen(data.data(), data.size(), 0, &length), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("was not written by a subscription"));
  data = bytes_of({record(7, 10, 30, "Conv", "first")});
  data[0] ^= 1;
  EXPECT_EQ(aclprofGetModelId(data.data(), data.size(), 0), 0u);
}

TEST(Subscriptions, APipeIsClosedBehindItsLastRecord) {
  const Pipe pipe;
  const std::vector<OpRecord> sent(500, record(3, 1, 2, "Add", "sum"));  // more than a pipe holds
  std::make_unique<RecordPipe>(pipe.ends[1])->send(sent);
  const std::vector<char> want = bytes_of(sent);
  EXPECT_EQ(pipe.read_all(), std::string(want.data(), want.size()));
}

TEST(Subscriptions, ModelsOfOnePipeShareIt) {
  const Pipe pipe;
  Subscriptions all;
  const aclprofSubscribeConfig config{pipe.ends[1], true}, silent{pipe.ends[1], false};
  ASSERT_EQ(all.add(1, config), ACL_SUCCESS);
  ASSERT_EQ(all.add(2, config), ACL_SUCCESS);
  ASSERT_EQ(all.add(3, silent), ACL_SUCCESS);
  EXPECT_TRUE(all.wants(2) && !all.wants(3) && !all.wants(4));
  EXPECT_EQ(all.add(1, config), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_THAT(said(), HasSubstr("model 1 is subscribed already"));
  ASSERT_EQ(all.remove(1), ACL_SUCCESS);
  EXPECT_EQ(all.remove(1), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_THAT(said(), HasSubstr("call aclprofModelSubscribe first"));
  all.tell(1, {record(1, 1, 2, "Add", "sum")});
  all.tell(2, {record(2, 1, 2, "Add", "sum")});
  ASSERT_EQ(all.remove(2), ACL_SUCCESS);
  all.forget(3);
  EXPECT_FALSE(all.any());
  const std::string got = pipe.read_all();
  EXPECT_EQ(got.size(), sizeof(OpRecord));
  EXPECT_EQ(aclprofGetModelId(got.data(), got.size(), 0), 2u);
}

TEST(Subscriptions, AReaderThatIsGoneEndsNoProgram) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  Subscriptions all;
  ASSERT_EQ(all.add(1, {ends[1], true}), ACL_SUCCESS);
  all.tell(1, std::vector<OpRecord>(100'001));  // more than are kept for a slow reader
  EXPECT_EQ(all.remove(1), ACL_ERROR_WRITE_FILE);
  EXPECT_THAT(said(), HasSubstr("100001 records did not get into the pipe"));
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  RecordPipe unread(ends[1]);
  unread.send({record(1, 1, 2, "Add", "sum")});
  while (unread.lost() == 0) std::this_thread::yield();
  unread.send({record(1, 1, 2, "Add", "sum")});
  EXPECT_EQ(unread.lost(), 2u);
}

TEST(Subscriptions, WrongCallsAreNamed) {
  const Pipe pipe;
  int nowhere = -1;
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, nullptr), nullptr);
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &nowhere), nullptr);
  int reading = pipe.ends[0], writing = pipe.ends[1];
  EXPECT_EQ(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &reading), nullptr);
  EXPECT_THAT(said(), HasSubstr("hand in &fd[1]"));
  EXPECT_EQ(aclprofCreateSubscribeConfig(2, ACL_AICORE_NONE, &writing), nullptr);
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &writing);
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(aclprofModelSubscribe(12345, config), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_EQ(aclprofModelUnSubscribe(12345), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_EQ(aclprofModelSubscribe(1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofDestroySubscribeConfig(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofModelSubscribe(1, config), ACL_ERROR_RT_INVALID_HANDLE);
  close(writing);
}

}  // namespace
}  // namespace opkit::acl
