// The page: whatever a contract or a kernel says, it stays text.
#include <gmock/gmock.h>

#include "fake_executor.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kContract = R"yaml(
op: AddTwo
version: "1.0.0"
doc: "<script>alert('doc')</script> & \"quotes\""
inputs:
  x: {dtype: float32, shape: "S..", format: ND}
  y: {dtype: float32, shape: "S..", format: ND}
outputs:
  z: {dtype: float32, shape: "S..", format: ND}
where: {C1: {rule: "rank(S) <= 8", why: "<b>because</b>"}, C2: "prod(S) < 2**31"}
reference:
  - {op: Add, in: [x, y], out: z}
soc: [Ascend910B]
)yaml";

TEST(Html, EscapesWhatOthersWrote) {
  const auto contract = OpContract::parse(kContract, "op_contract.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  TestReport report;
  report.op = "<i>op</i>";
  report.version = "\"1\"";
  report.reason = "a < b & c";
  report.socs = {"<soc>"};
  report.notes = {"<note>"};
  report.verdict = Verdict::kFailed;
  report.coverage.labels["<label>"] = 3;
  report.coverage.missing = {"<missing>"};
  ProblemResult result;
  result.line = "AddTwo --d '<line>'";
  result.reason = "<reason>\x01";
  result.origin = "<origin>";
  result.verdict = Verdict::kFailed;
  oracle::Comparison comparison;
  comparison.output = "<output>";
  comparison.worst.push_back({});
  result.outputs.push_back(comparison);
  report.results = {result};
  report.counts[Verdict::kFailed] = 1;
  report.failures.push_back({result, result, 1, {"<trace>"}, "/tmp/<capsule>", ""});
  const std::string page = report_html(report, *contract);
  for (const char* raw :
       {"<script", "<i>", "<soc>", "<note>", "<label>", "<missing>", "<line>", "<reason>",
        "<origin>", "<output>", "<trace>", "<capsule>", "<b>", "\x01"})
    EXPECT_THAT(page, Not(HasSubstr(raw)));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;doc&#39;)"));
  EXPECT_THAT(page, HasSubstr("a &lt; b &amp; c"));
}

TEST(Html, ShowsAccuracyAndVerdictsPerColumn) {
  const auto contract = OpContract::parse(kContract, "op_contract.yaml");
  ASSERT_TRUE(contract.ok());
  FakeExecutor executor([](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i)
      call.out().set(i, call.in(0).at(i) + call.in(1).at(i));
  });
  TestRequest request;
  request.contract = &*contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok());
  const std::string page = report_html(*report, *contract);
  EXPECT_THAT(page, HasSubstr("<span class=\"badge PASSED\">PASSED</span>"));
  EXPECT_THAT(page, HasSubstr("<td>up to 0.5</td>"));
  EXPECT_THAT(page, HasSubstr("calls that must be refused"));
  EXPECT_THAT(page, HasSubstr("vendor rule <span class=\"good\">passes</span>"));
}

}  // namespace
}  // namespace opkit::verify
