#include "opkit/base/suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace opkit {
namespace {

const std::vector<std::string> kCommands = {"atc", "cc", "pack", "bench", "test", "tile", "run"};

std::string nearest_to(const std::string& word) {
  return nearest(word, kCommands).value_or("nothing");
}

// One slip of the finger is one edit: two neighbours swapped, one left out, put in or changed.
TEST(Suggest, CountsSwappedNeighboursAsOneEdit) {
  EXPECT_EQ(nearest_to("act"), "atc");  // two changes away, and so is cc
  EXPECT_EQ(nearest_to("tset"), "test");
  EXPECT_EQ(nearest_to("tiel"), "tile");
  EXPECT_EQ(nearest_to("rnu"), "run");
  EXPECT_EQ(nearest_to("ATC"), "atc");
  EXPECT_EQ(nearest_to("paack"), "pack");
  EXPECT_EQ(nearest_to("bnch"), "bench");
  EXPECT_EQ(nearest_to("profile"), "nothing");
}

// Two that are equally far: the first one. A swap is not two edits beside it.
TEST(Suggest, TakesTheFirstOfEquals) {
  const std::vector<std::string> words = {"abcd", "abdc"};
  EXPECT_EQ(nearest("abdc", words).value(), "abdc");
  EXPECT_EQ(nearest("bacd", words).value(), "abcd");
  EXPECT_EQ(nearest("abxx", words).value(), "abcd");
}

TEST(Suggest, FillsNoPage) {
  EXPECT_EQ(suggest("zzzzzz", kCommands, "see --help"), "see --help");
  EXPECT_EQ(suggest("tset", kCommands, "see --help"), "did you mean 'test'?");
  const std::vector<std::string> few = {"a", "b"};
  EXPECT_EQ(suggest("zzzzzz", few, "see --help"), "known names: a, b");
  EXPECT_EQ(suggest("a", {}, "see --help"), "");
}

// Names come from untrusted files.
TEST(Suggest, SaysNothingOfEndlessNames) {
  const std::vector<std::string> words = {std::string(257, 'a'), "b"};
  EXPECT_FALSE(nearest(std::string(257, 'a'), words).has_value());
  EXPECT_FALSE(nearest(std::string(100, 'a'), words).has_value());
}

TEST(Suggest, ListsNamesWhenNoneIsNear) {
  const std::vector<std::string> words = {"x", "y"};
  EXPECT_EQ(suggest("length", words), "known names: x, y");
  EXPECT_EQ(suggest("length", {}), "");
}

}  // namespace
}  // namespace opkit
