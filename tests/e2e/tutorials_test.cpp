// The pages below docs/tutorials hold whole projects: each is written down, built and tested as its
// reader would do it.
#include <fstream>
#include <regex>
#include <sstream>

#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kPages = fs::path(OPKIT_SOURCE_DIR) / "docs/tutorials";

class Tutorials : public OpkitTest {
 protected:
  // Every block that begins with ```language folder/file; returns how many there are.
  int write_files_of(const std::string& page) {
    std::istringstream lines(text_of(kPages / page));
    static const std::regex opening(R"(```[a-z]+ ([\w./]+/[\w./]+))");
    int files = 0;
    std::string file, text;
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (file.empty() && std::regex_match(line, match, opening)) {
        file = match[1];
        text.clear();
      } else if (!file.empty() && line == "```") {
        fs::create_directories(path(file).parent_path());
        write(file, text);
        file.clear();
        ++files;
      } else {
        text += line + "\n";
      }
    }
    return files;
  }

  // Returns the words behind "opkit" of a command without quotes.
  static std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty()) words.erase(words.begin());
    return words;
  }

  // Installs shipped packages into ./opp. False: they are not here.
  bool install_shipped(const std::vector<std::string>& ops) {
    const std::map<std::string, std::string> before = variables_;
    use_shipped(ops[0]);
    const fs::path shipped = variables_["ASCEND_OPP_PATH"];
    variables_ = before;
    for (const std::string& op : ops) {
      const fs::path versions = shipped / "vendors/opkit/op_pkg" / op;
      if (!fs::exists(versions)) return false;
      for (const auto& version : fs::directory_iterator(versions))
        EXPECT_EQ(opkit({"install", version.path(), "--opp", "opp"}).exit_code, 0);
    }
    return true;
  }

  // The microseconds of each line that says how long a model takes.
  static std::vector<double> modelled_times(const std::string& text) {
    static const std::regex line(R"(: ([\d.]+) us modelled)");
    std::vector<double> times;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), line);
         at != std::sregex_iterator(); ++at)
      times.push_back(std::stod((*at)[1]));
    return times;
  }

  void expect_right(const std::string& op) {
    const Shown built = opkit({"build", op});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const nlohmann::json report = opkit_json({"test", op, "--tier", "smoke"});
    EXPECT_EQ(report["verdict"], "PASSED");
    EXPECT_GT(report["counts"]["PASSED"], 20);
    EXPECT_EQ(report["counts"].value("MISTRUSTED", 0), 0);
    EXPECT_EQ(report["counts"].value("SKIPPED", 0), 0);
    EXPECT_GT(report["tiling"]["calls"], 20);
  }
};

TEST_F(Tutorials, RowReduction) {
  EXPECT_EQ(write_files_of("row-reduction.md"), 5);
  expect_right("row_sum");
  const Shown checked =
      opkit({"run", "row_sum", "--shape", "x=100,777", "--mode", "checked", "--json"});
  EXPECT_EQ(checked.exit_code, 0);
}

TEST_F(Tutorials, Workspace) {
  EXPECT_EQ(write_files_of("workspace.md"), 5);
  expect_right("total");
  // What the page says of SyncAll.
  edit("total/op_kernel/total.cpp", "    SyncAll();\n", "");
  const Shown broken = opkit({"test", "total", "--tier", "smoke", "--max-failures", "1"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out, HasSubstr("EK1303"));
}

TEST_F(Tutorials, MatmulAndCrossCoreFlags) {
  EXPECT_EQ(write_files_of("matmul.md"), 6);
  EXPECT_EQ(write_files_of("cross-core.md"), 4);
  expect_right("tile_matmul");
  expect_right("matmul_relu");
  EXPECT_EQ(opkit({"run", "matmul_relu", "--shape", "a=512,64", "--shape", "b=64,512", "--mode",
                   "checked"})
                .exit_code,
            0);
}

// Types every line of the page that a reader would, in its order; the block of YAML is added to the
// contract where it stands.
TEST_F(Tutorials, DecideAndTune) {
  OnnxWriter net;
  net.input("x", {64, 4096});
  net.input("gate", {64, 4096});
  net.node("Sigmoid", {"gate"}, "s");
  net.node("Mul", {"x", "s"}, "m");
  net.node("Add", {"m", "x"}, "y");
  net.output("y", {64, 4096});
  write("m.onnx", net.model());
  const bool shipped = install_shipped({"Sigmoid", "Mul", "Add"});
  std::istringstream lines(text_of(kPages / "decide-and-tune.md"));
  std::string language, shown;
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      language = language.empty() ? line.substr(3) : "";
    } else if (language == "sh") {
      const Shown ran = opkit(words_of(line));
      EXPECT_EQ(ran.exit_code, 0) << line << "\n" << ran.err;
      shown += ran.out;
      ++commands;
    } else if (language == "yaml gated_sum/op_contract.yaml") {
      const std::string file = "gated_sum/op_contract.yaml";
      write(file, read(file) + line + "\n");
    }
  }
  EXPECT_EQ(commands, 11);
  const std::vector<double> times = modelled_times(shown);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_TRUE(!shipped || times[1] < times[0]) << times[0] << " " << times[1];
  EXPECT_THAT(shown, HasSubstr("opkit new SigmoidMulAdd --from-model m.onnx"));
  EXPECT_THAT(shown, HasSubstr("[green] 62 % of the traffic goes"));
  EXPECT_THAT(shown, HasSubstr("bank of tilings: "));
}

TEST_F(Tutorials, EveryPageIsHere) {
  std::string tests = text_of(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/tutorials_test.cpp");
  for (const auto& page : fs::directory_iterator(kPages))
    EXPECT_THAT(tests, HasSubstr("\"" + page.path().filename().string() + "\")"));
}

}  // namespace
}  // namespace opkit::e2e
