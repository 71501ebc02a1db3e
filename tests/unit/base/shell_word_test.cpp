#include "opkit/base/shell_word.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(ShellWord, PlainWordsStay) {
  for (const char* word : {"my_fused/build", "x=32,128", "^1.2", "a-b@c:1", "--shape", "größe"})
    EXPECT_EQ(shell_word(word), word);
}

TEST(ShellWord, WhatAShellWouldReadIsQuoted) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my op"), "'my op'");
  EXPECT_EQ(shell_word("a;rm -rf $HOME"), "'a;rm -rf $HOME'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_word("[0,1]"), "'[0,1]'");
}

TEST(ShellWord, NoTerminalObeysIt) {
  EXPECT_EQ(shell_word("a\x1b[31m'b\\\n"), "$'a\\033[31m\\'b\\\\\\012'");
}

TEST(ShellWord, WordsComeBack) {
  const std::vector<std::string> words = {"run",     "my op", "it's",       "",        "a\\b",
                                          "x=[0,1]", "\0337", "say \"no\"", "tab\tend"};
  std::string line;
  for (const std::string& word : words) line += shell_word(word) + "  ";
  EXPECT_EQ(shell_words(line), words);
  EXPECT_EQ(shell_words("a \"b c\" d\\ e 'f"), (std::vector<std::string>{"a", "b c", "d e", "f"}));
}

}  // namespace
}  // namespace opkit
