// Help, mistakes, exit codes, JSON, colours: what every command has in common.
#include <fstream>
#include <sstream>

#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Framework : public OpkitTest {
 protected:
  // Every visible command, as the overview and the groups list it.
  std::vector<std::string> commands() {
    std::vector<std::string> all;
    for (const std::string& word : listed(opkit({"--help"}).out)) {
      const Shown page = opkit({word, "--help"});
      if (page.out.find("Usage: opkit " + word + " <command>") == std::string::npos) {
        all.push_back(word);
        continue;
      }
      for (const std::string& member : listed(page.out)) all.push_back(word + " " + member);
    }
    return all;
  }

  static std::vector<std::string> split(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
  }

 private:
  // The first words of the block below "Commands".
  static std::vector<std::string> listed(const std::string& page) {
    std::istringstream lines(page.substr(page.find("Commands\n")));
    std::vector<std::string> words;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && !line.empty()) {
      if (line[2] != ' ') words.push_back(split(line)[0]);
    }
    return words;
  }
};

TEST_F(Framework, EveryCommandHasAHelpPageWithExamples) {
  const std::vector<std::string> all = commands();
  EXPECT_GE(all.size(), 14u);
  for (const std::string& command : all) {
    std::vector<std::string> words = split(command);
    words.push_back("--help");
    const Shown page = opkit(words);
    EXPECT_EQ(page.exit_code, 0) << command;
    EXPECT_THAT(page.out, HasSubstr("Usage: opkit " + command)) << command;
    EXPECT_THAT(page.out, HasSubstr("\nExamples\n  ")) << command;
    EXPECT_THAT(page.out, HasSubstr("--json")) << command;
    EXPECT_THAT(page.err, IsEmpty()) << command;
  }
}

TEST_F(Framework, TheDocumentNamesEveryCommand) {
  std::ifstream file(OPKIT_SOURCE_DIR "/docs/cli.md");
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  for (const std::string& command : commands()) {
    EXPECT_THAT(document, HasSubstr("`opkit " + command)) << command;
  }
}

TEST_F(Framework, HelpAndDashDashHelpAgree) {
  EXPECT_EQ(opkit({"help", "soc", "show"}).out, opkit({"soc", "show", "--help"}).out);
  EXPECT_EQ(opkit({"help"}).out, opkit({"--help"}).out);
  const Shown more = opkit({"help", "soc", "show", "extra"});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_THAT(more.err,
              HasSubstr("OPK-CLI-005: 'extra' is one too many\n  try: opkit help soc show"));
  EXPECT_EQ(opkit({"new", "--help", "--nonsense"}).exit_code, 0);
}

TEST_F(Framework, WithoutACommandItSaysWhatToDo) {
  const Shown shown = opkit({});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.out, opkit({"--help"}).out);
  EXPECT_EQ(opkit({"soc"}).exit_code, 2);
  EXPECT_THAT(opkit({"soc"}).err, HasSubstr("try: opkit soc --help"));
}

TEST_F(Framework, MistypedCommandsAreRecognised) {
  const Shown top = opkit({"instal"});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("OPK-CLI-001: 'instal' is no command of opkit"));
  EXPECT_THAT(top.err, HasSubstr("try: opkit install"));
  EXPECT_THAT(opkit({"soc", "lst"}).err, HasSubstr("try: opkit soc list"));
  EXPECT_THAT(opkit({"qqqqqqqq"}).err, HasSubstr("try: opkit --help"));
}

TEST_F(Framework, MistypedOptionsAreRecognised) {
  const Shown shown = opkit({"list", "--op", "x"});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_THAT(shown.err, HasSubstr("OPK-CLI-002: opkit list has no option --op"));
  EXPECT_THAT(shown.err, HasSubstr("--opp"));
  EXPECT_THAT(opkit({"new", "A", "--templat=x"}).err, HasSubstr("--template"));
}

TEST_F(Framework, MissingAndSuperfluousWordsAreErrors) {
  EXPECT_THAT(opkit({"why"}).err, HasSubstr("OPK-CLI-003: opkit why needs <op>"));
  EXPECT_THAT(opkit({"list", "--opp"}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"soc", "list", "more"}).err,
              HasSubstr("OPK-CLI-005: opkit soc list does not expect 'more'"));
  EXPECT_THAT(opkit({"run", "AddRelu", "x=10"}).err, HasSubstr("try: --shape x=10"));
  EXPECT_THAT(opkit({"list", "--opp", "a", "--opp", "b"}).err,
              HasSubstr("OPK-CLI-004: --opp is given 2 times"));
}

TEST_F(Framework, TheKernelOfAProjectIsNoProgram) {
  ASSERT_EQ(opkit({"new", "MyOp"}).exit_code, 0);
  EXPECT_THAT(opkit({"cc", "my_op/op_kernel/my_op.cpp", "-o", "a"}).err,
              testing::AllOf(HasSubstr("OPK-CC-014"), HasSubstr("try: opkit build my_op")));
}

TEST_F(Framework, ValuesAreChecked) {
  const Shown shell = opkit({"completion", "bsh"});
  EXPECT_EQ(shell.exit_code, 2);
  EXPECT_THAT(shell.err, HasSubstr("OPK-CLI-004"));
  EXPECT_THAT(shell.err, HasSubstr("try: <shell> bash"));
  EXPECT_THAT(opkit({"build", "--jobs", "0"}).err, HasSubstr("from 1 to 1024"));
  EXPECT_THAT(opkit({"build", "--jobs", "3x"}).err, HasSubstr("--jobs is '3x'"));
  for (const char* seconds : {"0", "0.001", "1e3", "86401", "nan", "2s"})
    EXPECT_THAT(opkit({"test", "A", "--time-limit", seconds}).err,
                HasSubstr("not a number of seconds from 0.01 to 86400"));
  EXPECT_THAT(opkit({"test", "A", "--time-limit", "0.25"}).err, Not(HasSubstr("OPK-CLI-004")));
  EXPECT_THAT(opkit({"list", "--opp", ""}).err, HasSubstr("OPK-CLI-004: --opp is empty"));
  EXPECT_THAT(opkit({"why", ""}).err, HasSubstr("OPK-CLI-004: <op> is empty"));
  EXPECT_THAT(opkit({"version", "--color", "mauve"}).err, HasSubstr("auto, always, never"));
}

TEST_F(Framework, ErrorsAreOneJsonDocumentOnRequest) {
  const nlohmann::json document = opkit_json({"instal"}, 2);
  EXPECT_EQ(document["error"]["code"], "OPK-CLI-001");
  EXPECT_EQ(document["error"]["severity"], "error");
  EXPECT_EQ(document["error"]["action"], "opkit install");
  EXPECT_THAT(opkit({"instal", "--json"}).err, IsEmpty());
}

TEST_F(Framework, HelpAndScriptsAreJsonOnRequestToo) {
  EXPECT_THAT(opkit_json({"--help"})["help"], HasSubstr("Commands"));
  EXPECT_THAT(opkit_json({"completion", "bash"})["script"], HasSubstr("complete -F _opkit opkit"));
  EXPECT_EQ(opkit_json({"version"})["abi"]["max"], 1);
  EXPECT_EQ(opkit_json({"soc", "list"})["socs"].size(), 8u);
}

TEST_F(Framework, ColoursAreForTerminals) {
  EXPECT_THAT(opkit({"soc", "list"}).out, Not(HasSubstr("\033[")));
  EXPECT_THAT(opkit({"soc", "list", "--color", "always"}).out, HasSubstr("\033["));
  EXPECT_THAT(opkit({"nonsense", "--color=always"}).err, HasSubstr("\033[1;31merror OPK-CLI-001"));
}

// `script` gives the command a terminal.
TEST_F(Framework, NoColorIsHonouredOnATerminal) {
  const std::vector<std::string> words = {"script", "-qec", opkit_binary() + " soc list",
                                          "/dev/null"};
  variables_["TERM"] = "xterm";
  const Shown painted = run_program(words, folder_, variables_);
  if (painted.exit_code != 0) GTEST_SKIP() << "script(1) is not installed";
  EXPECT_THAT(painted.out, HasSubstr("\033["));
  variables_["NO_COLOR"] = "1";
  EXPECT_THAT(run_program(words, folder_, variables_).out, Not(HasSubstr("\033[")));
}

TEST_F(Framework, AFullDiskIsAnError) {
  const Shown shown =
      run_program({"sh", "-c", opkit_binary() + " soc list > /dev/full"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, HasSubstr("OPK-ENV-002"));
}

TEST_F(Framework, VersionHasTwoSpellings) {
  EXPECT_THAT(opkit({"version"}).out, StartsWith("opkit 0."));
  EXPECT_EQ(opkit({"--version"}).out, opkit({"version"}).out);
}

TEST_F(Framework, SocsAreFoundByFullAndShortName) {
  EXPECT_THAT(opkit({"soc", "show", "ascend910b1"}).out, HasSubstr("Ascend910B1"));
  const Shown family = opkit({"soc", "show", "Ascend310P"});
  EXPECT_THAT(family.err, HasSubstr("note OPK-CLI-010: 'Ascend310P' names a family; Ascend310P3"));
  const Shown wrong = opkit({"soc", "show", "Ascend910B9"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("OPK-SOC-002"));
  EXPECT_THAT(opkit({"soc", "show", "Ascend910B1", "--yaml"}).out, HasSubstr("ai_core: 24"));
}

}  // namespace
}  // namespace opkit::e2e
