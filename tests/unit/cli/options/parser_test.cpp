#include "opkit/cli/options/parser.h"

#include <gtest/gtest.h>

#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

Command command() {
  Command command;
  command.name = "probe";
  command.flags = {
      {.name = "--html", .value = "FILE", .help = "a page"},
      {.name = "--out", .value = "NAME=FILE", .help = "an output"},
      {.name = "--tier", .value = "TIER", .help = "a tier", .choices = {"ci", "smoke"}},
      {.name = "--seed", .value = "N", .help = "a seed", .integer = true, .preset = "1"}};
  command.examples = {{"opkit probe --out 'z=my z.npy'", "with an output"}};
  return command;
}

std::string refusal(const std::vector<std::string>& words) {
  const auto parsed = Parser::parse(command(), words);
  return parsed.ok() ? "" : parsed.error().to_string();
}

TEST(Parser, NamesTheOptionThatLacksItsValue) {
  EXPECT_EQ(refusal({"--html"}),
            "error OPK-CLI-003: --html needs a value: FILE\n  try: --html FILE");
  EXPECT_EQ(refusal({"--out"}),
            "error OPK-CLI-003: --out needs a value: NAME=FILE\n  try: --out 'z=my z.npy'");
  EXPECT_EQ(refusal({"--tier"}), "error OPK-CLI-003: --tier needs a value: TIER\n  try: --tier ci");
  EXPECT_EQ(refusal({"--seed"}), "error OPK-CLI-003: --seed needs a value: N\n  try: --seed 1");
}

TEST(Parser, SaysHowLargeANumberMayBe) {
  EXPECT_EQ(refusal({"--seed", "9223372036854775807"}), "");
  EXPECT_EQ(refusal({"--seed", "18446744073709551615"}),
            "error OPK-CLI-004: --seed is '18446744073709551615', not a whole number from 0 to "
            "9223372036854775807\n  try: --seed 1");
  EXPECT_EQ(refusal({"--seed", "-1"}),
            "error OPK-CLI-004: --seed is '-1', not a whole number at least 0\n  try: --seed 1");
}

TEST(Parser, SuggestionsCanBeTyped) {
  EXPECT_EQ(refusal({"--html", "a.html", "--html", "my b.html"}),
            "error OPK-CLI-004: --html is given 2 times\n  try: --html 'my b.html'");
  EXPECT_EQ(assigned("--out", "z", "it's z.npy"), "--out 'z=it'\\''s z.npy'");
}

TEST(ExitCode, SaysWhoseFaultItIs) {
  const auto code = [](const char* error) { return exit_code_of(Error(error, "text")); };
  EXPECT_EQ(code("OPK-CLI-004"), kUsage);
  EXPECT_EQ(code("OPK-VERSION-002"), kUsage);
  EXPECT_EQ(code("OPK-MSOPGEN-001"), kUsage);
  EXPECT_EQ(code("OPK-MSOPGEN-002"), kFailed);
  EXPECT_EQ(code("OPK-CLI-033"), kEnvironment);
  EXPECT_EQ(code("OPK-KEY-005"), kEnvironment);
  EXPECT_EQ(code("OPK-KEY-002"), kFailed);
}

}  // namespace
}  // namespace opkit::cli
