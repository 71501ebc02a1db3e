// Shell completion: the replies, and the real shells where they are installed.
#include <sstream>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class Completion : public OpkitTest {
 protected:
  // The words of the replies, without their meanings.
  std::vector<std::string> replies(std::vector<std::string> words) {
    words.insert(words.begin(), {"__complete", "--"});
    std::istringstream lines(opkit(words).out);
    std::vector<std::string> result;
    for (std::string line; std::getline(lines, line);)
      result.push_back(line.substr(0, line.find('\t')));
    return result;
  }

  // Returns what a bash with the script loaded offers for a line.
  std::string in_bash(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += " '" + word + "'";
    const std::string code = "source <(" + opkit_binary() + " completion bash); COMP_WORDS=(" +
                             opkit_binary() + line +
                             "); COMP_CWORD=" + std::to_string(words.size()) +
                             "; _opkit; printf '%s\\n' \"${COMPREPLY[@]}\"";
    return run_program({"bash", "-c", code}, folder_, variables_).out;
  }
};

TEST_F(Completion, CommandsAndMembers) {
  EXPECT_THAT(replies({""}), IsSupersetOf({"new", "build", "install", "soc"}));
  EXPECT_THAT(replies({"ins"}), ElementsAre("install", "inspect"));
  EXPECT_THAT(replies({"soc", ""}), ElementsAre("list", "show"));
  EXPECT_THAT(replies({""}), Not(Contains("__complete")));
}

TEST_F(Completion, OptionsAndTheirValues) {
  EXPECT_THAT(replies({"install", "--f"}), ElementsAre("--force"));
  EXPECT_THAT(replies({"list", "--soc", "Ascend310B"}), ElementsAre("Ascend310B1", "Ascend310B4"));
  EXPECT_THAT(replies({"build", "--build-type", "R"}), ElementsAre("Release", "RelWithDebInfo"));
  EXPECT_THAT(replies({"list", "--opp", ""}), ElementsAre(":folders"));
  EXPECT_THAT(replies({"new", "--template", ""}), Contains("elementwise"));
}

TEST_F(Completion, Positionals) {
  EXPECT_THAT(replies({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(replies({"soc", "show", "Ascend910A"}), ElementsAre("Ascend910A"));
  EXPECT_THAT(replies({"install", ""}), ElementsAre(":files"));
  EXPECT_THAT(replies({"completion", "bash", ""}), ElementsAre());
}

TEST_F(Completion, BashUsesTheReplies) {
  EXPECT_EQ(in_bash({"ins"}), "install\ninspect\n");
  EXPECT_EQ(in_bash({"soc", "show", "Ascend910A"}), "Ascend910A\n");
  write("some_folder/file", "");
  EXPECT_EQ(in_bash({"list", "--opp", "some"}), "some_folder\n");
}

TEST_F(Completion, ZshAndFishTakeTheirScripts) {
  for (const std::string shell : {"zsh", "fish"}) {
    write("script", opkit({"completion", shell}).out);
    const Shown shown = run_program({shell, "-n", "script"}, folder_, variables_);
    if (shown.err.find("No such file") != std::string::npos) continue;  // the shell is not here
    EXPECT_EQ(shown.exit_code, 0) << shell << ": " << shown.err;
  }
}

}  // namespace
}  // namespace opkit::e2e
