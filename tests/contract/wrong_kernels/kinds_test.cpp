// Kinds of mistakes that kernels have (kinds/), each beside its right twin of the same source: the
// tier that authors run fails every wrong one, names its cause, and accuses no right one.
#include <gmock/gmock.h>

#include <filesystem>

#include "opkit/isolation/open_op.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

Result<TestReport> test(const std::string& side, const std::string& name, bool stop) {
  OPKIT_TRY(const OpenedOp op,
            open_op(std::filesystem::path(OPKIT_KINDS) / side / "package" / name));
  TestRequest request;
  request.contract = &op.contract;
  request.executor = op.executor.get();
  request.tier = Tier::kCi;
  request.max_failures = 1;
  request.stop_at_failure = stop;
  Progress progress;
  return run_tests(request, progress);
}

struct Kind {
  const char* name;
  const char* cause;  // stands in the reason of the first failure
  const char* place;  // stands in its reason or trace: where the cause is
};

constexpr Kind kKinds[] = {
    {"absent_input", "EK1301", "op_kernel/absent_input.cpp:"},
    {"argmax_tie", "expected", "op_kernel/copies.h:"},
    {"atomic_no_zero", "EK1402", "op_kernel/copies.h:"},
    {"attr_tail", "expected", "--attr alpha="},
    {"barrier", "EK1303: read after write", "op_kernel/copies.h:"},
    {"flag_reuse", "EK1306", "op_kernel/flag_reuse.cpp:"},
    {"half_sums", "ulps off", ""},
    {"in_place_twice", "expected", ""},
    {"key_boundary", "leaves a hole in z: elements 0 to 5002", "tiling key 1"},
    {"large_race", "write after read", "op_kernel/"},
    {"mask_word", "EK1301", "op_kernel/copies.h:"},
    {"mean_padded", "expected", ""},
    {"nan_to_zero", "got 0, expected nan", ""},
    {"nz_panel", "expected", ""},
    {"offset32", "the tiling ", "S="},
    {"race", "EK1303: read after write", "op_kernel/race.cpp:"},
    {"remainder", "leaves a hole in z", "48 blocks"},
    {"rounding", "1 ulps off", ""},
    {"shared_line", "EK1319", "op_kernel/shared_line.cpp:"},
    {"sigmoid_inf", "nan, expected 1", ""},
    {"sign_of_zero", "got 0, expected -0", ""},
    {"softmax_overflow", "nan, expected", ""},
    {"square_broadcast", "expected", "M=2,N=2"},
    {"stale_tiling", "depends on earlier calls", ""},
    {"stale_ub", "EK1301", "op_kernel/stale_ub.cpp:"},
    {"sync_all", "EK1511: write after read", "op_kernel/copies.h:"},
    {"tail", "leaves a hole in z", ""},
    {"wide_column", "expected", "N="},
    {"workspace_overlap", "EK1511: write after write", "GM tensor 'workspace'"},
    {"wrong_column", "expected", "--t T=float32"},
    {"zero_no_sync", "written by block 0 and by block", "op_kernel/copies.h:"},
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class WrongKinds : public testing::TestWithParam<Kind> {};

TEST_P(WrongKinds, FailWithTheirCause) {
  const auto report = test("wrong", GetParam().name, true);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_EQ(report->verdict, Verdict::kFailed) << report_text(*report);
  ASSERT_FALSE(report->failures.empty());
  const Failure& failure = report->failures.front();
  EXPECT_THAT(failure.smallest.reason, HasSubstr(GetParam().cause)) << report_text(*report);
  EXPECT_THAT(
      failure.smallest.reason + failure.smallest.line + testing::PrintToString(failure.trace),
      HasSubstr(GetParam().place))
      << report_text(*report);
}

std::string name_of(const testing::TestParamInfo<Kind>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Each, WrongKinds, testing::ValuesIn(kKinds), name_of);

class RightTwins : public testing::TestWithParam<Kind> {};

TEST_P(RightTwins, Pass) {
  const auto report = test("right", GetParam().name, false);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(report->verdict, Verdict::kPassed) << report_text(*report);
}

INSTANTIATE_TEST_SUITE_P(Each, RightTwins, testing::ValuesIn(kKinds), name_of);

// What a call before has left makes it fail: alone it passes, and with that call it fails again.
TEST(StaleTiling, NamesTheCallWithoutWhichItPasses) {
  const auto report = test("wrong", "stale_tiling", true);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_FALSE(report->failures.empty()) << report_text(*report);
  const Failure& failure = report->failures.front();
  ASSERT_FALSE(failure.after.empty()) << report_text(*report);
  const auto again = [&](const std::string& after) {
    const auto op =
        open_op(std::filesystem::path(OPKIT_KINDS) / "wrong" / "package" / "stale_tiling");
    TestRequest request;
    request.contract = &op->contract;
    request.executor = op->executor.get();
    request.line = failure.smallest.line;
    request.after = after;
    Progress progress;
    return run_tests(request, progress)->verdict;
  };
  EXPECT_EQ(again({}), Verdict::kPassed);
  EXPECT_EQ(again(failure.after), Verdict::kFailed);
}

}  // namespace
}  // namespace opkit::verify
