#include "opkit/cli/options/test_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "opkit/base/counted.h"
#include "opkit/base/shell_word.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/interruption.h"
#include "opkit/contract/column_choice.h"

namespace opkit::cli {

Result<TestShard> test_shard(const Arguments& arguments) {
  const auto text = arguments.find("--shard");
  if (!text) return TestShard();
  unsigned shard = 0, shards = 0;
  char rest = 0;
  const bool read = std::sscanf(text->c_str(), "%5u/%5u%c", &shard, &shards, &rest) == 2;
  if (!read || shard == 0 || shard > shards)
    return Error("OPK-CLI-004", fmt::format("--shard {} is no part of a whole", *text),
                 "--shard 2/4 is the second of four");
  return TestShard{shard - 1, shards};
}

Result<verify::TestRequest> read_test_request(const Arguments& arguments) {
  verify::TestRequest request;
  request.tier = *verify::tier_from_name(arguments.get("--tier"));
  request.seed = static_cast<uint64_t>(arguments.integer("--seed"));
  if (arguments.has("--random")) request.random_problems = arguments.integer("--random");
  request.max_failures = static_cast<size_t>(arguments.integer("--max-failures"));
  request.schedules = static_cast<int>(arguments.integer("--schedules"));
  request.shrink = !arguments.has("--no-shrink");
  request.resume = arguments.has("--resume");
  OPKIT_TRY(const TestShard shard, test_shard(arguments));
  request.shard = shard.number;
  request.shards = shard.of;
  return request;
}

OpenOptions test_open_options(const Arguments& arguments, Console& console) {
  OpenOptions options = open_options(arguments, console);
  options.counts_crashes = false;
  options.schedule_seed = static_cast<uint64_t>(arguments.integer("--schedule-seed"));
  return options;
}

Result<std::optional<size_t>> test_column(const Arguments& arguments, const OpContract& contract,
                                          bool one_problem) {
  const auto name = arguments.find("--column");
  if (!name) return std::optional<size_t>();
  if (one_problem)
    return Error("OPK-CLI-003", "--column chooses among a tier's problems, and one is described",
                 "leave it out; --t T=float16 says which column that problem is of");
  OPKIT_TRY(const size_t column,
            column_called(contract, *name, "OPK-VERIFY-015",
                          fmt::format("opkit test {} --column 0", contract.op)));
  return std::optional<size_t>(column);
}

Result<std::vector<std::string>> test_socs(const Arguments& arguments, Console& console) {
  std::vector<std::string> socs;
  for (const std::string& name : arguments.all("--soc")) {
    OPKIT_TRY(std::string soc, checked_soc(name, console));
    socs.push_back(std::move(soc));
  }
  return socs;
}

std::string with_subject(std::string text, const std::string& op, const std::string& subject,
                         const Arguments& arguments) {
  std::string words = shell_word(subject);
  for (const char* flag :
       {"--opp", "--vendor", "--version", "--schedule-seed", "--schedules", "--time-limit"}) {
    if (arguments.has(flag)) words += fmt::format(" {} {}", flag, shell_word(arguments.get(flag)));
  }
  const std::string from = "opkit test " + op + " --", to = "opkit test " + words + " --";
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool passed(const verify::TestReport& report) {
  return report.verdict == verify::Verdict::kPassed || report.verdict == verify::Verdict::kRefused;
}

void TestProgress::planned(size_t problems) {
  total_ = problems;
  progress_.step(counted(problems, "problem"));
}
void TestProgress::finished(size_t, const verify::ProblemResult& result) {
  failed_ += result.verdict == verify::Verdict::kFailed ? 1 : 0;
  ++done_;
  progress_.advance(done_, std::max(done_, total_),
                    failed_ ? fmt::format("{} failed", failed_) : "");
}
void TestProgress::shrinking(const verify::ProblemResult& failure) {
  progress_.step("making smaller: " + failure.line);
}
void TestProgress::working(const std::string& stage) { progress_.step(stage); }
void TestProgress::compared(int64_t done, int64_t parts) {
  progress_.advance(static_cast<size_t>(done), static_cast<size_t>(parts), "parts compared");
}
bool TestProgress::cancelled() { return Interruption::happened(); }

}  // namespace opkit::cli
