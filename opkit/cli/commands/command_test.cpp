#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "opkit/base/file.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/op_project.h"
#include "opkit/cli/commands/command_test.h"
#include "opkit/cli/commands/test_all.h"
#include "opkit/cli/commands/test_mutants.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/test_options.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/interruption.h"
#include "opkit/verify/test_run.h"

namespace opkit::cli {
namespace {

// Options that say one problem completely: those of a reproducer line.
const std::vector<std::string> kProblem = {"--t",      "--d",        "--attr", "--data",
                                           "--absent", "--collapse", "--count"};

// Checks what would otherwise be found out after the run.
Status check_reports(const Arguments& arguments) {
  for (const char* flag : {"--junit", "--html"}) {
    if (const auto file = arguments.find(flag)) OPKIT_CHECK(check_writable(*file));
  }
  return {};
}

// Returns the reproducer line again, or empty when no option describes a problem.
std::string problem_line(const Arguments& arguments, const std::string& op) {
  std::string line;
  for (const std::string& name : kProblem) {
    for (const std::string& value : arguments.all(name)) {
      line += fmt::format(" {} {}", name, shell_word(value));
    }
  }
  if (line.empty()) return line;
  for (const char* name : {"--seed", "--soc", "--threads"}) {
    if (arguments.has(name))
      line += fmt::format(" {} {}", name, shell_word(arguments.all(name).back()));
  }
  return op + line;
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
  OPKIT_CHECK(check_all_flag(arguments));
  OPKIT_CHECK(check_mutant_flags(arguments));
  if (!arguments.has("--resume") || !results_folder(arguments).empty()) return {};
  return Error("OPK-CLI-003", "--resume needs the folder of the earlier run", "--results PATH");
}

// Refuses options that are about one problem. Called when none is described.
Status check_no_problem(const Arguments& arguments) {
  if (arguments.has("--after"))
    return Error("OPK-CLI-003", "--after is about one problem, and none is described",
                 "leave it out, or describe the problem: --d S=7x13 --after '--d S=13x7'");
  if (arguments.has("--threads"))
    return Error("OPK-CLI-003", "--threads is about one problem, and none is described",
                 "leave it out, or describe the problem: --d S=7x13 --threads 2");
  return {};
}

Outcome run_test(const Arguments& arguments, Console& console, MakeSingles make_singles) {
  OPKIT_CHECK(check_flags(arguments));
  OPKIT_CHECK(check_reports(arguments));
  if (arguments.has("--mutants")) return run_mutants(arguments, results_folder(arguments), console);
  if (arguments.has("--all")) return run_all(arguments, console, make_singles);
  // Catches signals from here on: one that comes while the op is loaded leaves an empty report.
  const Interruption interruption;
  OPKIT_TRY(const std::vector<std::string> socs, test_socs(arguments, console));
  OPKIT_TRY(verify::TestRequest request, read_test_request(arguments));
  OPKIT_TRY(const OpenedOp op,
            choose_op(arguments.get("op"), socs.empty() ? "" : socs.front(), arguments,
                      test_open_options(arguments, console), console));
  request.contract = &op.contract;
  request.executor = op.executor.get();
  request.socs = socs;
  request.line = problem_line(arguments, op.contract.op);
  OPKIT_TRY(request.column, test_column(arguments, op.contract, !request.line.empty()));
  if (const auto after = arguments.find("--after")) request.after = *after;
  if (request.line.empty()) OPKIT_CHECK(check_no_problem(arguments));
  request.results = results_folder(arguments);
  const std::filesystem::path word = arguments.get("op");
  request.folder = project::is_opkit_project(word) ? word : op.package.root;
  const registry::Registry registry = open_registry(arguments);
  const auto singles = make_singles ? make_singles(registry) : nullptr;
  request.singles = singles.get();
  TestProgress shown(console, "test " + op.contract.op);
  OPKIT_TRY(verify::TestReport report, verify::run_tests(request, shown));
  report.lacks = op.lacks;
  OPKIT_CHECK(save(arguments, report, op.contract));
  if (console.json()) {
    console.raw(verify::report_json(report));
  } else {
    console.print(
        with_subject(verify::report_text(report), op.contract.op, arguments.get("op"), arguments));
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
          {.name = "--column",
           .value = "COLUMN",
           .help = "one dtype column alone, by its number or dtype"},
          {.name = "--seed",
           .value = "N",
           .help = "of the random problems",
           .integer = true,
           .preset = "1"},
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
          {.name = "--no-shrink", .value = "", .help = "show failures as they were met"}};
}

// Returns the flags about the order of pipes and cores.
std::vector<Flag> order_flags() {
  return {{.name = "--schedule-seed",
           .value = "N",
           .help = "run every problem under another legal order of pipes and cores; 0: program "
                   "order; 1: everything as late as possible",
           .integer = true,
           .preset = "0"},
          {.name = "--schedules",
           .value = "N",
           .help = "other legal orders under which each problem of up to 65,536 elements runs: a "
                   "kernel that Checked does not blame gives the same bits under all",
           .integer = true,
           .most = 100,
           .preset = "2"}};
}

// Returns the flags about what is written and kept.
std::vector<Flag> report_flags() {
  return {{.name = "--junit",
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
      {.name = "--after",
       .value = "LINE",
       .help = "one problem: behind the tiling of another one, '--d S=13x7'"},
      {.name = "--threads",
       .value = "N",
       .help = "one problem: host threads",
       .integer = true,
       .least = 1,
       .most = 1024}};
}

std::vector<Flag> all_flags() {
  std::vector<Flag> flags = {all_flag(), jobs_flag()};
  for (std::vector<Flag> some : {run_flags(), order_flags(), report_flags(), problem_flags(),
                                 choice_flags(), worker_flags(WorkerUse::kAlways), mutant_flags()})
    std::move(some.begin(), some.end(), std::back_inserter(flags));
  return flags;
}

}  // namespace

Command test_command_with(MakeSingles singles) {
  return {
      .name = "test",
      .summary = "test an op against its contract: shapes, dtypes, data classes, refusals",
      .details =
          "Makes problems from the contract alone, runs them on the emulated chip, compares with "
          "the\n"
          "reference within a derived bound, and shows the smallest failing problem as one line "
          "that\n"
          "reproduces it. The options of such a line run that problem alone. --all tests every "
          "op of\n"
          "the OPP, a line each, and goes on behind one that fails. Exit code 1 when a problem "
          "fails.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp,
                       .required = false}},
      .flags = all_flags(),
      .examples =
          {{"opkit test MyFused", "every dtype, every chip of the contract"},
           {"opkit test my_fused --tier smoke --soc Ascend910B1", "a quick look, one chip"},
           {"opkit test my_fused --tier smoke --column float16",
            "one dtype column, as opkit build --column builds it"},
           {"opkit test MyFused --t T=float16 --d S=31 --data uniform --seed 7",
            "one problem again"},
           {"opkit test MyFused --tier nightly --shard 1/2 --results r --resume --html my.html",
            "half of the long tests, as a page; again after an interruption"},
           {"opkit test --all --tier smoke --schedules 8",
            "may the order of pipes and cores change a bit of any installed op?"},
           {"opkit test --all --tier smoke --junit ops.xml", "every installed op, for a CI system"},
           {"opkit test my_fused --mutants --tier smoke",
            "would the tests find a mistake in ./my_fused?"}},
      .run = [singles](const Arguments& arguments,
                       Console& console) { return run_test(arguments, console, singles); },
  };
}

}  // namespace opkit::cli
