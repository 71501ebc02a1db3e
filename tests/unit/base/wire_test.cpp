#include "opkit/base/wire.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

namespace opkit::wire {
namespace {

enum class Colour : uint8_t { kRed, kBlue };
using Either = std::variant<int64_t, std::string, std::vector<bool>>;

RC_GTEST_PROP(WireBytes, ComeBack, (const std::vector<std::string>& texts, int64_t number)) {
  const std::map<std::string, Either> sent = {
      {"number", number}, {"text", std::string("x")}, {"truths", std::vector<bool>{true, false}}};
  const std::string bytes = written(texts, sent, number);
  std::vector<std::string> texts_back;
  std::map<std::string, Either> back;
  int64_t number_back = 0;
  Reader reader(bytes);
  reader(texts_back, back, number_back);
  RC_ASSERT(reader.done());
  RC_ASSERT(texts_back == texts && back == sent && number_back == number);
}

TEST(WireBytes, AnAlternativeThatDoesNotExistIsRefused) {
  std::string bytes = written(Either(int64_t{7}));
  bytes[0] = 3;
  Reader reader(bytes);
  Either back;
  reader(back);
  EXPECT_FALSE(reader.done());
  EXPECT_EQ(reader.why(), "an alternative that does not exist");
}

// Files hold enumerators in their own size; messages as numbers that are checked.
TEST(WireBytes, EnumeratorsHaveTheirSizeOrACount) {
  Writer small, checked;
  small.number(Colour::kBlue);
  checked.choice(Colour::kBlue, 2);
  const std::string one = small.take(), four = checked.take();
  EXPECT_EQ(one, std::string("\x01", 1));
  EXPECT_EQ(four, std::string("\x01\0\0\0", 4));
  Colour colour = Colour::kRed;
  Reader reader(one);
  reader.number(colour);
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(colour, Colour::kBlue);
  Reader refused(four);
  refused.choice(colour, 1);
  EXPECT_TRUE(refused.failed());
}

TEST(WireBytes, TellsWhatIsLeft) {
  const std::string bytes = written(uint32_t{1});
  Reader reader(bytes);
  uint16_t half = 0;
  reader(half);
  EXPECT_FALSE(reader.done());
  EXPECT_EQ(reader.why(), "2 bytes are left over");
}

}  // namespace
}  // namespace opkit::wire
