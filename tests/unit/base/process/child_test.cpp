#include "opkit/base/process/child.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace opkit {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

TEST(RunInChild, TellsCrashesHangsAndWordsApart) {
  const auto words = run_in_child([](int fd) { return write_all(fd, "words"), 3; }, seconds(60));
  ASSERT_TRUE(words.ok());
  EXPECT_EQ(words->exit_code, 3);
  EXPECT_EQ(words->output, "words");
  EXPECT_FALSE(words->ok());
  const auto crashed = run_in_child([](int) -> int { std::abort(); }, seconds(60));
  EXPECT_EQ(crashed->signal, SIGABRT);
  EXPECT_EQ(crashed->shell_code(), 128 + SIGABRT);
  const auto hangs = run_in_child([](int) -> int { return pause(); }, seconds(1));
  EXPECT_TRUE(hangs->timed_out);
  const auto said = run_in_child([](int) { return write_all(2, "to people"), 0; }, seconds(60));
  EXPECT_EQ(said->messages, "to people");
}

// What it started ends with it.
TEST(RunInChild, EndsAsAGroup) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto hangs = run_in_child(
      [&](int) -> int {
        close(ends[0]);
        if (fork() == 0) pause();
        return pause();
      },
      seconds(1));
  EXPECT_TRUE(hangs->timed_out);
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);  // nobody holds the other end any more
  close(ends[0]);
}

TEST(RunProgram, GivesLinesAndTheWholeOutput) {
  std::vector<std::string> lines;
  const auto result =
      run_program({"sh", "-c", "echo one; echo two >&2; printf three; exit 5"},
                  {.on_line = [&](const std::string& line) { lines.push_back(line); }});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "one\ntwo\nthree");
  EXPECT_THAT(lines, ElementsAre("one", "two", "three"));
  EXPECT_EQ(result->shell_code(), 5);
}

TEST(RunProgram, HasATimeLimit) {
  EXPECT_TRUE(run_program({"sleep", "300"}, {.on_line = {}, .time_limit = seconds(1)})->timed_out);
}

TEST(RunProgram, SaysWhatCannotBeStarted) {
  const auto result = run_program({"opkit-no-such-program"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-ENV-003");
  EXPECT_THAT(result.error().message, testing::HasSubstr("opkit-no-such-program"));
}

}  // namespace
}  // namespace opkit
