#include <gtest/gtest.h>

#include "opkit/base/file.h"
#include "opkit_test_paths.h"
#include "tests/coverage/conformance_tests.h"
#include "tests/coverage/page.h"

namespace opkit::coverage {
namespace {

const std::vector<std::string> kHeaders = {OPKIT_SOURCE_DIR "/opkit/include",
                                           OPKIT_BINARY_DIR "/forwards", OPKIT_SOURCE_DIR};

const std::vector<Finding>& findings() {
  static const std::vector<Finding> all = [] {
    const std::filesystem::path source = OPKIT_SOURCE_DIR;
    auto calls = read_calls(source / "tests/coverage/calls");
    EXPECT_TRUE(calls.ok()) << calls.error().to_string();
    if (!calls.ok()) return std::vector<Finding>();
    auto found = probe(*calls, OPKIT_COMPILER, kHeaders, testing::TempDir());
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

TEST(Coverage, TheProbeTellsFormsApart) {
  const std::filesystem::path source = OPKIT_SOURCE_DIR;
  Call call;
  call.name = "Add";
  call.use.text = "Add(t, t, t, n)";
  call.documented = {"half", "bfloat16_t"};
  call.forms = {{"with a tail", "Add(t, t, t, n, n, n, n)"}, {"as it is", "Add(f, f, f, n)"}};
  const auto found = probe({call}, OPKIT_COMPILER, kHeaders, testing::TempDir());
  ASSERT_TRUE(found.ok());
  const Finding& f = found->front();
  EXPECT_EQ(f.status(), Finding::Status::kPartly);
  EXPECT_EQ(f.missing_types(), (std::vector<std::string>{"bfloat16_t"}));
  EXPECT_EQ(f.further_types(), (std::vector<std::string>{"float", "int16_t", "int32_t"}));
  ASSERT_EQ(f.gaps.size(), 1u);
  EXPECT_EQ(f.gaps[0].name, "with a tail");
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

// A form that only newer chips have says so, too.
TEST(Coverage, FormsOfNewerChipsHaveASentence) {
  size_t seen = 0;
  for (const Finding& f : findings()) {
    for (const std::string& sentence : f.elsewhere) {
      ++seen;
      EXPECT_EQ(sentence.find("static assertion failed: " + word_of(f.call.name)), 0u)
          << f.call.name << ": " << sentence;
      EXPECT_NE(sentence.find("is not emulated: arch 2201 does not have it; use "),
                std::string::npos)
          << f.call.name << ": " << sentence;
    }
  }
  EXPECT_GT(seen, 0u);
}

// The test exists, and its source names the call.
TEST(Coverage, EveryCallThatIsThereHasATest) {
  const auto tests =
      conformance_tests(std::filesystem::path(OPKIT_SOURCE_DIR) / "tests/conformance");
  for (const Finding& f : findings()) {
    if (!f.present()) continue;
    const auto test = tests.find(f.call.test);
    if (test == tests.end()) {
      ADD_FAILURE() << f.call.name << ": the conformance suite has no test '" << f.call.test << "'";
    } else {
      EXPECT_TRUE(test->second.count(word_of(f.call.name)))
          << f.call.name << ": the source of " << f.call.test << " does not name it";
    }
  }
}

TEST(Coverage, ThePageIsCurrent) {
  const auto page = read_file(std::filesystem::path(OPKIT_SOURCE_DIR) / "docs/ascendc-coverage.md");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(*page, to_markdown(findings())) << "run: ninja ascendc_coverage_doc";
}

}  // namespace
}  // namespace opkit::coverage
