// One case per public ONNX test. A case that is not implemented is skipped with its reason and
// counted in docs/reference-ops.md, which must be current.
#include <gtest/gtest.h>

#include "opkit/base/file.h"
#include "opkit_test_paths.h"
#include "tests/onnx/coverage.h"

namespace opkit::onnx_tests {
namespace {

std::vector<std::filesystem::path> every_folder() {
  std::vector<std::filesystem::path> all;
  for (const std::string& suite : suites()) {
    const auto folders = folders_of(suite);
    all.insert(all.end(), folders.begin(), folders.end());
  }
  return all;
}

std::string case_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name =
      info.param.parent_path().filename().string() + "_" + info.param.filename().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class OnnxCase : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(OnnxCase, AgreesWithTheInterpreter) {
  const Result<Case> test = read_case(GetParam());
  ASSERT_TRUE(test.ok()) << test.error().to_string();
  const Outcome outcome = run(*test);
  if (outcome.verdict == Verdict::kNotImplemented) GTEST_SKIP() << outcome.reason;
  EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason;
}

INSTANTIATE_TEST_SUITE_P(Public, OnnxCase, ::testing::ValuesIn(every_folder()), case_name);

TEST(Coverage, TableIsCurrentAndNothingFails) {
  const Coverage coverage = measure();
  const std::string text = to_markdown(coverage);
  const auto committed = read_file(OPKIT_SOURCE_DIR "/docs/reference-ops.md");
  ASSERT_TRUE(committed.ok()) << committed.error().to_string();
  EXPECT_EQ(text, *committed) << "run: ninja reference_ops_doc";
  std::fputs(text.c_str(), stdout);
  ASSERT_TRUE(coverage.suites.contains("node")) << "install libonnx-testdata";
  ASSERT_GT(coverage.suites.at("node").total(), 900);
  for (const auto& [suite, counts] : coverage.suites) EXPECT_EQ(counts.failed, 0) << suite;
}

}  // namespace
}  // namespace opkit::onnx_tests
