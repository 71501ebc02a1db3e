// Real op projects with one mistake each (ops/), built like any author's: opkit's tests must fail
// them in the quickest tier, say what is wrong, and come up with a problem that is as small as the
// mistake allows and that fails again by itself.
#include <gmock/gmock.h>

#include "opkit/base/file.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/verify/test_run.h"
#include "opkit_test_paths.h"
#include "registry/plugin.h"
#include "registry/registry.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

struct LoadedKernel {
  registry::Plugin plugin;
  OpContract contract;
};

Result<LoadedKernel> load(const std::string& name) {
  const registry::HostFacts host = registry::HostFacts::of_this_process();
  const registry::PackageCheck check =
      registry::check_package(std::filesystem::path(OPKIT_WRONG_KERNELS) / name / "package", host);
  if (!check.usable()) return check.worst().error;
  registry::LoadOptions options;
  options.probe = false;
  OPKIT_TRY(registry::Plugin plugin, registry::Plugin::load(check.package, host, options));
  OPKIT_TRY(OpContract contract, OpContract::load(check.package.contract_path()));
  return LoadedKernel{std::move(plugin), std::move(contract)};
}

// A fresh plugin for every run: what it remembers must not leak from test to test.
Result<TestReport> test(const std::string& name, const std::string& line = {}) {
  OPKIT_TRY(const LoadedKernel loaded, load(name));
  InProcess executor(&loaded.plugin.op(), name);
  TestRequest request;
  request.contract = &loaded.contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  request.line = line;
  Progress progress;
  return run_tests(request, progress);
}

struct WrongKernel {
  const char* name;
  const char* words;  // stand in the reason of the failure
  const char* trace;  // stands in what is told about where it failed; empty: nothing has to be told
  int64_t elements;   // counts the elements of the smallest problem's tensors together
};

void PrintTo(const WrongKernel& kernel, std::ostream* out) { *out << kernel.name; }

class RealWrongKernels : public testing::TestWithParam<WrongKernel> {};

TEST_P(RealWrongKernels, FailWithTheRightWordsAndAMinimalProblem) {
  const auto report = test(GetParam().name);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_EQ(report->verdict, Verdict::kFailed) << report_text(*report);
  ASSERT_FALSE(report->failures.empty());
  const Failure& failure = report->failures.front();
  EXPECT_THAT(failure.smallest.reason, HasSubstr(GetParam().words)) << report_text(*report);
  EXPECT_THAT(testing::PrintToString(failure.trace), HasSubstr(GetParam().trace));
  EXPECT_LE(failure.smallest.elements, GetParam().elements) << report_text(*report);

  const auto again = test(GetParam().name, failure.smallest.line);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->verdict, Verdict::kFailed) << failure.smallest.line;
}

INSTANTIATE_TEST_SUITE_P(
    Each, RealWrongKernels,
    testing::Values(
        WrongKernel{"all_zeros", "got 0, expected", "shared/scale_add_kernel.h", 3},
        WrongKernel{"copies_input", "expected", "written by block 0", 3},
        WrongKernel{"multiples_of_16",
                    "leaves a hole in z: element 0, at [] are written by no block", "", 3},
        WrongKernel{"positive_only", "expected -", "written by block 0", 3},
        WrongKernel{"half_accumulator", "ulps off", "row_sum_kernel.h", 4097},
        WrongKernel{"wrong_axis", "expected", "row_bias_kernel.h", 8},
        WrongKernel{"ignores_alpha", "expected", "written by block 0", 3},
        WrongKernel{"reads_too_far",
                    "DataCopyPad: source reads bytes 0 to 8 of GM tensor 'x', which has 4 bytes "
                    "(in block 0) (in shared/scale_add_kernel.h:",
                    "", 3},
        WrongKernel{"writes_its_input", "the kernel changed its input y", "", 3},
        WrongKernel{"unset_field", "expected", "written by block 0", 3},
        WrongKernel{"previous_call", "depends on earlier calls", "", 3}),
    [](const auto& info) { return std::string(info.param.name); });

// The text of a failure holds what one would print next: inputs, and the tiling by its names.
TEST(FailuresOfRealKernels, ShowInputsAndTilingData) {
  const auto report = test("unset_field", "UnsetField --d S=2x7 --data exact_integer --seed 1");
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_EQ(report->failures.size(), 1u) << report_text(*report);
  const std::string text = report_text(*report);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("input:     x["), HasSubstr("input:     y["),
                                   HasSubstr("alpha 0"), HasSubstr("tile 4096"),
                                   HasSubstr("field alpha was never set (UnsetFieldTilingData)")));
  const std::string json = report_json(*report);
  EXPECT_THAT(json, testing::AllOf(HasSubstr("\"alpha\": \"0\""), HasSubstr("\"unset\": ["),
                                   HasSubstr("\"input\": \"y\"")));
  const auto plain = test("all_zeros", "AllZeros --d S=3 --data exact_integer --seed 1");
  ASSERT_TRUE(plain.ok()) << plain.error().to_string();
  EXPECT_THAT(report_text(*plain),
              HasSubstr("tiling:    key 0, 1 block; total 1, per_core 512, tile 512, alpha 1"));
}

// Runs the skeletons without a mistake, which pass: what fails above is the mistake.
class RealRightKernels : public testing::TestWithParam<const char*> {};

TEST_P(RealRightKernels, Pass) {
  const auto report = test(GetParam());
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(report->verdict, Verdict::kPassed) << report_text(*report);
}

INSTANTIATE_TEST_SUITE_P(Each, RealRightKernels,
                         testing::Values("right_scale_add", "right_row_sum", "right_row_bias"),
                         [](const auto& info) { return std::string(info.param); });

// docs/testing.md shows the example that contract.author_test compiles and runs.
TEST(AuthorsExample, IsTheOneInTheDocs) {
  const std::filesystem::path root = OPKIT_SOURCE_DIR;
  const auto docs = read_file(root / "docs/testing.md");
  ASSERT_TRUE(docs.ok());
  for (const char* name : {"scale_add_test.cpp", "CMakeLists.txt"}) {
    const auto text = read_file(root / "tests/contract/author_test" / name);
    ASSERT_TRUE(text.ok());
    EXPECT_THAT(*docs, HasSubstr(*text)) << name;
  }
}

}  // namespace
}  // namespace opkit::verify
