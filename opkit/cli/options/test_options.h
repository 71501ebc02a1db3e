// What `opkit test` reads from its command line, for one op and for all of them.
#ifndef OPKIT_CLI_OPTIONS_TEST_OPTIONS_H_
#define OPKIT_CLI_OPTIONS_TEST_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/isolation/open_op.h"
#include "opkit/verify/test_run.h"

namespace opkit::cli {

// --tier, --seed, --random, --schedules, --max-failures, --no-shrink, --resume, --shard. The op,
// its chips and folders are the caller's.
Result<verify::TestRequest> read_test_request(const Arguments& arguments);

// --shard I/N, counted from 0 here; without it the whole.
struct TestShard {
  size_t number = 0, of = 1;
};
// Error: OPK-CLI-004 it is no part of a whole.
Result<TestShard> test_shard(const Arguments& arguments);

// How the op is opened: crashes do not count against it, as who tests looks for them.
OpenOptions test_open_options(const Arguments& arguments, Console& console);

// --column, among those of the op. Errors: OPK-CLI-003 beside a single problem, OPK-VERIFY-015 for
// a column that the contract does not have.
Result<std::optional<size_t>> test_column(const Arguments& arguments, const OpContract& contract,
                                          bool one_problem);

// --soc, each with its full name.
Result<std::vector<std::string>> test_socs(const Arguments& arguments, Console& console);

// A report names the op; its reproducers must name what was tested, and where. subject: the word on
// the command line.
std::string with_subject(std::string text, const std::string& op, const std::string& subject,
                         const Arguments& arguments);

// PASSED, or REFUSED where that was due.
bool passed(const verify::TestReport& report);

class TestProgress : public verify::Progress {
 public:
  TestProgress(Console& console, const std::string& title) : progress_(console, title) {}
  void planned(size_t problems) override;
  void finished(size_t index, const verify::ProblemResult& result) override;
  void shrinking(const verify::ProblemResult& failure) override;
  void working(const std::string& stage) override;
  void compared(int64_t done, int64_t parts) override;
  bool cancelled() override;

 private:
  cli::ProgressLine progress_;
  size_t total_ = 0, done_ = 0, failed_ = 0;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_TEST_OPTIONS_H_
