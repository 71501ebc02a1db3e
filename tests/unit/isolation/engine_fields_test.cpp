#include "opkit/base/wire.h"

#include <gmock/gmock.h>

#include <rapidcheck/gtest.h>

#include "opkit/isolation/engine_fields.h"
#include "opkit/isolation/finish.h"

namespace opkit::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
T again(const T& value) {
  Names names;
  const std::string bytes = written(value);
  Reader reader(bytes, &names);
  T back{};
  reader(back);
  const Status status = isolation::finish(reader, "a value");
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return back;
}

RC_GTEST_PROP(Wire, ValuesComeBack, (const std::vector<std::string>& texts, uint64_t number)) {
  RC_ASSERT(again(texts) == texts);
  RC_ASSERT(again(number) == number);
  const std::map<std::string, uint64_t> map = {{"a", number}, {"b", 1}};
  RC_ASSERT(again(map) == map);
  const std::optional<std::vector<std::string>> maybe = texts;
  RC_ASSERT(again(maybe) == maybe);
}

RC_GTEST_PROP(Wire, APrefixIsRefused, (const std::vector<std::string>& texts)) {
  const std::string bytes = written(texts, uint64_t{7});
  const size_t cut = *rc::gen::inRange<size_t>(0, bytes.size());
  Reader reader(std::string_view(bytes).substr(0, cut));
  std::vector<std::string> back;
  uint64_t number = 0;
  reader(back, number);
  RC_ASSERT(!isolation::finish(reader, "a value").ok());
}

TEST(Wire, WhatIsLeftOverIsRefused) {
  const std::string bytes = written(uint32_t{1}, uint8_t{2});
  Reader reader(bytes);
  uint32_t number = 0;
  reader(number);
  const Status status = isolation::finish(reader, "the answer");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-WORKER-006");
  EXPECT_THAT(status.error().message, HasSubstr("1 bytes are left over"));
}

TEST(Wire, AListThatClaimsMoreThanThereIsTakesNoMemory) {
  const std::string bytes = written(uint64_t{1} << 60, uint32_t{5});
  Reader reader(bytes);
  std::vector<uint64_t> list;
  reader(list);
  EXPECT_TRUE(reader.failed());
  EXPECT_LE(list.capacity(), 16u);
}

TEST(Wire, ChoicesAndTruthsAreChecked) {
  WatchOptions options;
  std::string bytes = written(options);
  bytes[0] = 9;  // a mode that does not exist
  Reader reader(bytes);
  reader(options);
  EXPECT_FALSE(isolation::finish(reader, "options").ok());
  const std::string two("\x02", 1);
  Reader truth(two);
  bool value = false;
  truth(value);
  EXPECT_TRUE(truth.failed());
}

TEST(Wire, NamesNeedAKeeperAndABound) {
  core::Span span{};
  span.name = "DataCopy";
  const std::string bytes = written(span);
  Reader without(bytes);
  without(span);
  EXPECT_TRUE(without.failed());
  Names names;
  EXPECT_EQ(names.keep(std::string(Names::kLongest + 1, 'x')), nullptr);
  EXPECT_EQ(names.keep("DataCopy"), names.keep("DataCopy"));
}

TEST(Wire, TrafficOfTensorsComesBack) {
  core::TimedResult result;
  result.tensors = {{"x", 512, 0}, {"z", 32, 64}};
  const core::TimedResult back = again(result);
  ASSERT_EQ(back.tensors.size(), 2u);
  EXPECT_EQ(back.tensors[1].name, "z");
  EXPECT_EQ(back.tensors[1].read, 32u);
  EXPECT_EQ(back.tensors[1].written, 64u);
}

TEST(Wire, ASpanOfNoCoreIsRefused) {
  core::TimedResult result;
  result.spans.push_back({3, 0, 0, 1, "Add", nullptr});  // there are no cores
  const std::string bytes = written(result);
  Names names;
  Reader reader(bytes, &names);
  core::TimedResult back;
  reader(back);
  EXPECT_FALSE(isolation::finish(reader, "times").ok());
}

TEST(Wire, WhatWasSeenComesBack) {
  Watched seen;
  seen.report.printed = "hello";
  core::Finding finding;
  finding.code = "EK1303";
  finding.at.instruction = "DataCopy on MTE2";
  finding.at.pc = reinterpret_cast<const void*>(uint64_t{0x1234});
  seen.checked.findings.push_back(finding);
  const Watched back = again(seen);
  EXPECT_EQ(back.report.printed, "hello");
  ASSERT_EQ(back.checked.findings.size(), 1u);
  EXPECT_EQ(back.checked.findings[0].at.instruction, "DataCopy on MTE2");
  EXPECT_EQ(back.checked.findings[0].at.pc, finding.at.pc);
  EXPECT_FALSE(back.timed.has_value());
}

}  // namespace
}  // namespace opkit::wire
