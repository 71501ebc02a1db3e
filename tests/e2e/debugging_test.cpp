// docs/debugging.md: its lines for gdb, run on the op that they are about.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Returns what stands between ```gdb and the next fence.
std::string lines_of_the_page() {
  std::ifstream file(OPKIT_SOURCE_DIR "/docs/debugging.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str(), fence = "```gdb\n";
  const size_t begin = page.find(fence) + fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

class Debugging : public OpkitTest {};

TEST_F(Debugging, LinesOfThePageShowVariablesAndTensors) {
  if (!std::filesystem::exists("/usr/bin/gdb")) GTEST_SKIP() << "gdb is not installed";
  variables_["ASCEND_OPP_PATH"] = path("opp").string();
  ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
  ASSERT_EQ(opkit({"build", "my_fused", "--build-type", "Debug", "--install"}).exit_code, 0);
  write("lines.gdb", lines_of_the_page());
  const Shown shown = run_program({"/usr/bin/gdb", "-batch", "-x", "lines.gdb", "--args",
                                   opkit_binary(), "run", "MyFused", "--shape", "x=100", "--shape",
                                   "y=100", "--dtype", "float32", "--in-process", "--threads", "1"},
                                  folder_, variables_);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("$1 = 100"),  // count
                               HasSubstr("$2 = 1"),    // alpha
                               HasSubstr("$3 = {"), HasSubstr("$4 = {"), HasSubstr("$5 = 0")))
      << shown.err;
}

}  // namespace
}  // namespace opkit::e2e
