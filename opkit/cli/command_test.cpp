#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/interruption.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/progress.h"
#include "opkit/cli/test_mutants.h"
#include "opkit/project/op_project.h"
#include "opkit/verify/test_run.h"

namespace opkit::cli {
namespace {

// Options that say one problem completely: those of a reproducer line.
const std::vector<std::string> kProblem = {"--t",      "--d",        "--attr", "--data",
                                           "--absent", "--collapse", "--count"};

// What would otherwise be found out after the run.
Status check_reports(const Arguments& arguments) {
  for (const char* flag : {"--junit", "--html"}) {
    if (const auto file = arguments.find(flag)) OPKIT_CHECK(check_writable(*file));
  }
  return {};
}

class TestProgress : public verify::Progress {
 public:
  TestProgress(Console& console, const std::string& op) : progress_(console, "test " + op) {}
  void planned(size_t problems) override {
    total_ = problems;
    progress_.step(fmt::format("{} problems", problems));
  }
  void finished(size_t, const verify::ProblemResult& result) override {
    failed_ += result.verdict == verify::Verdict::kFailed ? 1 : 0;
    ++done_;
    progress_.advance(done_, std::max(done_, total_),
                      failed_ ? fmt::format("{} failed", failed_) : "");
  }
  bool cancelled() override { return Interruption::happened(); }
  void working(const std::string& stage) override { progress_.step(stage); }
  void compared(int64_t done, int64_t parts) override {
    progress_.advance(static_cast<size_t>(done), static_cast<size_t>(parts), "parts compared");
  }
  void shrinking(const verify::ProblemResult& failure) override {
    progress_.step("making smaller: " + failure.line);
  }

 private:
  cli::Progress progress_;
  size_t total_ = 0, done_ = 0, failed_ = 0;
};

std::string in_quotes(const std::string& word) {
  return word.find(' ') == std::string::npos ? word : "\"" + word + "\"";
}

// The reproducer line again, or empty when no option describes a problem.
std::string problem_line(const Arguments& arguments, const std::string& op) {
  std::string line;
  for (const std::string& name : kProblem) {
    for (const std::string& value : arguments.all(name)) {
      line += fmt::format(" {} {}", name, in_quotes(value));
    }
  }
  if (line.empty()) return line;
  for (const char* name : {"--seed", "--soc", "--threads"}) {
    if (arguments.has(name))
      line += fmt::format(" {} {}", name, in_quotes(arguments.all(name).back()));
  }
  return op + line;
}

Result<std::vector<std::string>> socs_of(const Arguments& arguments, Console& console) {
  std::vector<std::string> socs;
  for (const std::string& name : arguments.all("--soc")) {
    OPKIT_TRY(std::string soc, checked_soc(name, console));
    socs.push_back(std::move(soc));
  }
  return socs;
}

Status save(const Arguments& arguments, const verify::TestReport& report,
            const OpContract& contract) {
  if (const auto file = arguments.find("--junit")) {
    OPKIT_CHECK(write_file(*file, verify::report_junit(report)));
  }
  if (const auto file = arguments.find("--html")) {
    OPKIT_CHECK(write_file(*file, verify::report_html(report, contract)));
  }
  return {};
}

// "2/4": the second of four, counted from 1.
Status read_shard(const Arguments& arguments, verify::TestRequest& request) {
  const auto text = arguments.find("--shard");
  if (!text) return {};
  unsigned shard = 0, shards = 0;
  char rest = 0;
  const bool read = std::sscanf(text->c_str(), "%5u/%5u%c", &shard, &shards, &rest) == 2;
  if (!read || shard == 0 || shard > shards)
    return Error("OPK-CLI-004", fmt::format("--shard {} is no part of a whole", *text),
                 "--shard 2/4 is the second of four");
  request.shard = shard - 1;
  request.shards = shards;
  return {};
}

// The report names the op; a reproducer must name what was tested, and where.
std::string with_subject(std::string text, const std::string& op, const Arguments& arguments) {
  std::string subject = in_quotes(arguments.get("op"));
  for (const char* flag : {"--opp", "--vendor", "--version", "--schedule-seed", "--time-limit"}) {
    if (arguments.has(flag)) subject += fmt::format(" {} {}", flag, in_quotes(arguments.get(flag)));
  }
  const std::string from = "opkit test " + op + " --", to = "opkit test " + subject + " --";
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// --results, else the build folder of a project: a failure must not be lost.
std::filesystem::path results_folder(const Arguments& arguments) {
  if (const auto folder = arguments.find("--results")) return *folder;
  const std::filesystem::path word = arguments.get("op");
  if (project::is_opkit_project(word)) return project::build_folder(word) / "results";
  if (!word.filename().string().ends_with("_contract.yaml") ||
      !project::is_opkit_project(word.parent_path()))
    return {};
  return project::build_folder(word.parent_path()) / "results" / project::package_name(word);
}

Status check_flags(const Arguments& arguments) {
  OPKIT_CHECK(check_mutant_flags(arguments));
  if (!arguments.has("--resume") || !results_folder(arguments).empty()) return {};
  return Error("OPK-CLI-003", "--resume needs the folder of the earlier run", "--results PATH");
}

bool passed(const verify::TestReport& report) {
  return report.verdict == verify::Verdict::kPassed || report.verdict == verify::Verdict::kRefused;
}

Outcome run_test(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_flags(arguments));
  OPKIT_CHECK(check_reports(arguments));
  if (arguments.has("--mutants")) return run_mutants(arguments, console);
  // From here on: a signal while the op is loaded leaves a report of nothing, not silence.
  const Interruption interruption;
  OPKIT_TRY(const std::vector<std::string> socs, socs_of(arguments, console));
  OpenOptions options = open_options(arguments, console);
  options.counts_crashes = false;  // who tests looks for them
  options.schedule_seed = static_cast<uint64_t>(arguments.integer("--schedule-seed"));
  OPKIT_TRY(const OpenedOp op, choose_op(arguments.get("op"), socs.empty() ? "" : socs.front(),
                                         arguments, options, console));
  verify::TestRequest request;
  request.contract = &op.contract;
  request.executor = op.executor.get();
  request.socs = socs;
  request.tier = *verify::tier_from_name(arguments.get("--tier"));
  request.seed = static_cast<uint64_t>(arguments.integer("--seed"));
  request.line = problem_line(arguments, op.contract.op);
  if (request.line.empty() && arguments.has("--threads"))
    return Error("OPK-CLI-003", "--threads is about one problem, and none is described",
                 "leave it out, or describe the problem: --d S=7x13 --threads 2");
  if (arguments.has("--random")) request.random_problems = arguments.integer("--random");
  request.max_failures = static_cast<size_t>(arguments.integer("--max-failures"));
  request.shrink = !arguments.has("--no-shrink");
  request.results = results_folder(arguments);
  const std::filesystem::path word = arguments.get("op");
  request.folder = project::is_opkit_project(word) ? word : op.package.root;
  request.resume = arguments.has("--resume");
  OPKIT_CHECK(read_shard(arguments, request));
  const registry::Registry registry = open_registry(arguments);
  verify::RegistryOps singles(registry);
  request.singles = &singles;
  TestProgress shown(console, op.contract.op);
  OPKIT_TRY(const verify::TestReport report, verify::run_tests(request, shown));
  OPKIT_CHECK(save(arguments, report, op.contract));
  if (console.json()) {
    console.raw(verify::report_json(report));
  } else {
    console.print(with_subject(verify::report_text(report), op.contract.op, arguments));
  }
  if (report.interrupted) return Interruption::exit_code();
  return passed(report) ? kOk : kFailed;
}

std::vector<Flag> run_flags() {
  return {{.name = "--soc",
           .value = "NAME",
           .help = "a chip [the contract's]",
           .complete = Complete::kSoc,
           .repeated = true},
          {.name = "--tier",
           .value = "TIER",
           .help = "how thorough",
           .choices = {"smoke", "ci", "nightly"},
           .preset = "ci"},
          {.name = "--seed",
           .value = "N",
           .help = "of the random problems",
           .integer = true,
           .preset = "1"},
          {.name = "--schedule-seed",
           .value = "N",
           .help = "run every problem under another legal order of pipes and cores; 0: program "
                   "order; 1: everything as late as possible",
           .integer = true,
           .preset = "0"},
          {.name = "--random",
           .value = "N",
           .help = "random problems per dtype column [the tier's]",
           .integer = true,
           .most = 1000000},
          {.name = "--max-failures",
           .value = "N",
           .help = "failures that are made smaller and shown in full",
           .integer = true,
           .least = 1,
           .most = 1000,
           .preset = "5"},
          {.name = "--no-shrink", .value = "", .help = "show failures as they were met"},
          {.name = "--junit",
           .value = "FILE",
           .help = "write the results for a CI system",
           .complete = Complete::kFile},
          {.name = "--html",
           .value = "FILE",
           .help = "write a page with verdicts, accuracy, coverage and failures",
           .complete = Complete::kFile},
          {.name = "--shard", .value = "I/N", .help = "only the I-th of N parts of the problems"},
          {.name = "--results",
           .value = "PATH",
           .help = "remember failures and results here [<project>/build/results]",
           .complete = Complete::kDirectory},
          {.name = "--resume",
           .value = "",
           .help = "skip what an earlier run passed (needs --results)"}};
}

std::vector<Flag> problem_flags() {
  return {
      {.name = "--t", .value = "T=TYPE", .help = "one problem: its dtype column", .repeated = true},
      {.name = "--d", .value = "S=7x13", .help = "one problem: its dims", .repeated = true},
      {.name = "--attr",
       .value = "NAME=VALUE",
       .help = "one problem: an attribute",
       .repeated = true},
      {.name = "--data", .value = "CLASS", .help = "one problem: its data class"},
      {.name = "--absent", .value = "NAMES", .help = "one problem: optional inputs left out"},
      {.name = "--collapse", .value = "NAMES", .help = "one problem: axes that are 1"},
      {.name = "--count", .value = "NAME=N", .help = "one problem: tensors of a dynamic input"},
      {.name = "--threads",
       .value = "N",
       .help = "one problem: host threads",
       .integer = true,
       .least = 1,
       .most = 1024}};
}

}  // namespace

Command test_command() {
  std::vector<Flag> flags = run_flags();
  for (Flag& flag : problem_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : worker_flags(Worker::kAlways)) flags.push_back(std::move(flag));
  for (Flag& flag : mutant_flags()) flags.push_back(std::move(flag));
  return {
      .name = "test",
      .summary = "test an op against its contract: shapes, dtypes, data classes, refusals",
      .details =
          "Makes problems from the contract alone, runs them on the emulated chip, compares with "
          "the\n"
          "reference within a derived bound, and shows the smallest failing problem as one line "
          "that\n"
          "reproduces it. The options of such a line run that problem alone. Exit code 1 when a\n"
          "problem fails.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples =
          {{"opkit test MyFused", "every dtype, every chip of the contract"},
           {"opkit test my_fused --tier smoke --soc Ascend910B1", "a quick look, one chip"},
           {"opkit test MyFused --t T=float16 --d S=31 --data uniform --seed 7",
            "one problem again"},
           {"opkit test MyFused --tier nightly --shard 1/2 --results r --resume --html my.html",
            "half of the long tests, as a page; again after an interruption"},
           {"opkit test my_fused --mutants --tier smoke",
            "would the tests find a mistake in ./my_fused?"}},
      .run = run_test,
  };
}

}  // namespace opkit::cli
