#include <gtest/gtest.h>

#include "opkit/base/file.h"
#include "tests/coverage/page.h"

namespace opkit::coverage {
namespace {

const std::vector<Finding>& findings() {
  static const std::vector<Finding> all = [] {
    const std::filesystem::path source = OPKIT_SOURCE_DIR;
    auto calls = read_calls(source / "tests/coverage/calls.yaml");
    EXPECT_TRUE(calls.ok());
    auto found =
        probe(*calls, OPKIT_COMPILER, {source / "opkit/include", source}, testing::TempDir());
    EXPECT_TRUE(found.ok());
    return *found;
  }();
  return all;
}

const Finding& finding_of(const std::string& name) {
  for (const Finding& f : findings()) {
    if (f.call.name == name) return f;
  }
  ADD_FAILURE() << name << " is not in the list";
  return findings().front();
}

TEST(Coverage, TheProbeTellsTypesApart) {
  EXPECT_EQ(finding_of("Add").types,
            (std::vector<std::string>{"half", "float", "int16_t", "int32_t"}));
  EXPECT_TRUE(finding_of("GetBlockIdx").present());
}

// A call that is not there must say so by name, and not as an unknown identifier.
TEST(Coverage, AnAbsentCallHasASentence) {
  for (const Finding& f : findings()) {
    if (f.present()) continue;
    EXPECT_NE(f.sentence.find("static assertion failed: " + word_of(f.call.name)),
              std::string::npos)
        << f.call.name << ": " << f.sentence;
  }
}

TEST(Coverage, ThePageIsCurrent) {
  const std::filesystem::path source = OPKIT_SOURCE_DIR;
  const auto page = read_file(source / "docs/ascendc-coverage.md");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(*page, to_markdown(findings(), words_below(source / "tests/conformance")))
      << "run: ninja ascendc_coverage_doc";
}

}  // namespace
}  // namespace opkit::coverage
