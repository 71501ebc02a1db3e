// The verification driver: everything that `opkit test <op>` does, as a function.
#ifndef OPKIT_VERIFY_TEST_RUN_H_
#define OPKIT_VERIFY_TEST_RUN_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/repeat.h"
#include "opkit/verify/test_report.h"
#include "opkit/verify/unfused/single_ops.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Told about the work as it goes on.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void planned(size_t /*problems*/) {}
  virtual void finished(size_t /*index*/, const ProblemResult& /*result*/) {}
  virtual void shrinking(const ProblemResult& /*failure*/) {}
  // What a problem of many elements is at, and how much of it is compared.
  virtual void working(const std::string& /*stage*/) {}
  virtual void compared(int64_t /*done*/, int64_t /*parts*/) {}
  // True ends the run early; what is done so far is reported.
  virtual bool cancelled() { return false; }
};

struct TestRequest {
  const OpContract* contract = nullptr;
  Executor* executor = nullptr;
  std::vector<std::string> socs;  // names or short names; empty: the contract's
  Tier tier = Tier::kCi;
  uint64_t seed = 1;
  std::string line;   // only this problem (see parse_line); empty: the tier's
  std::string after;  // comes before `line`: a problem whose tiling is asked for first; or empty
  int64_t random_problems = -1;     // counts random problems per column; -1: the tier's number
  std::optional<size_t> column;     // the only one that is tested, in a tier; absent: every one
  int schedules = kUsualSchedules;  // under which each small problem runs, beside program order
  size_t shard = 0, shards = 1;     // this run takes every shards-th problem
  size_t max_failures = 5;          // shrunk and reported in full; the run ends at four times that
  bool shrink = true;
  bool stop_at_failure = false;  // the first failing problem ends the run
  // Where failures are remembered and results kept for resuming; empty: nowhere.
  std::filesystem::path results;
  std::filesystem::path folder;  // holds the contract and its golden files
  SingleOps* singles = nullptr;  // what nodes of the reference are run with; null: not compared
  bool resume = false;  // take over what an earlier run with equal digests judged, but for failures
};

// Errors: an unknown SoC, an unreadable line, an unusable results directory.
Result<TestReport> run_tests(const TestRequest& request, Progress& progress);

// "opkit test AddRelu --d S=7 ...", which fails as the failure's smallest problem does.
std::string reproducing_line(const Failure& failure);

// Returns the verdict's name, or INTERRUPTED.
std::string_view verdict_text(const TestReport& report);

std::string report_text(const TestReport& report);
std::string report_json(const TestReport& report);
// Summarises a report without the results of single problems.
Json report_summary(const TestReport& report);
std::string report_junit(const TestReport& report);
// Joins several reports: suites, and what could not be tested at all, in one document.
std::string junit_suite(const TestReport& report);
std::string junit_error(const std::string& op, const std::string& reason);
std::string junit_document(const std::string& suites);
// Returns a page that needs nothing besides itself. `contract` is the one that was tested.
std::string report_html(const TestReport& report, const OpContract& contract);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_TEST_RUN_H_
