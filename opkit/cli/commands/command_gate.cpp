// opkit gate: the counters of an op's bench shapes against those that its folder keeps.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/counted.h"
#include "opkit/base/file.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/op_project.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/measure/counters/counters.h"
#include "opkit/measure/gate/regressions.h"
#include "opkit/measure/said/tensor_source.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// What was found of all projects.
struct Findings {
  size_t calls = 0;
  std::vector<measure::Difference> differences;
  std::vector<std::string> written;  // files, by --update
};

// Returns the package that was built in the project, else the installed op of the contract's type.
Result<OpenedOp> open(const fs::path& contract, const Arguments& arguments, Console& console) {
  const OpenOptions options = open_options(arguments, console);
  if (const auto built = project::package_of_contract(contract); built.ok())
    return choose_op(built->string(), "", arguments, options, console);
  OPKIT_TRY(const OpContract source, OpContract::load(contract));
  return choose_op(source.op, "", arguments, options, console);
}

Status check_project(const fs::path& folder) {
  if (!project::contracts_of(folder).empty()) return {};
  return Error("OPK-CLI-017", fmt::format("{} is no op project", folder.string()),
               "name the folder that holds the contract");
}

Error no_bench_shapes(const fs::path& folder) {
  return Error("OPK-CLI-022", fmt::format("no contract in {} has bench shapes", folder.string()),
               "add bench: {shapes: [...]} to the contract");
}

// Tells whether --update would find something to count; a contract that cannot be read is its to
// tell.
bool may_have_bench_shapes(const fs::path& folder) {
  return std::ranges::any_of(project::contracts_of(folder), [](const fs::path& contract) {
    const auto source = OpContract::load(contract);
    return !source.ok() || !source->bench.empty();
  });
}

// Returns what the file keeps.
Result<measure::Benchmarks> kept(const fs::path& folder) {
  auto benchmarks = measure::read_benchmarks(folder / measure::kBenchmarkFile);
  std::error_code ignored;
  const bool missing = !fs::exists(folder / measure::kBenchmarkFile, ignored);
  if (missing && !may_have_bench_shapes(folder)) return no_bench_shapes(folder);
  return benchmarks;
}

Result<measure::Benchmarks> count_project(const fs::path& folder, const Arguments& arguments,
                                          Console& console) {
  measure::Benchmarks counted;
  for (const fs::path& contract : project::contracts_of(folder)) {
    OPKIT_TRY(const OpenedOp op, open(contract, arguments, console));
    if (op.contract.bench.empty()) continue;
    OPKIT_TRY(counted[op.contract.op], measure::count(op));
  }
  if (!counted.empty()) return counted;
  return no_bench_shapes(folder);
}

Status judge(const fs::path& folder, const Arguments& arguments, Console& console,
             Findings& findings) {
  const fs::path file = folder / measure::kBenchmarkFile;
  const bool update = arguments.has("--update");
  OPKIT_CHECK(check_project(folder));
  measure::Benchmarks before;
  if (!update) {
    OPKIT_TRY(before, kept(folder));
  }
  OPKIT_TRY(const measure::Benchmarks now, count_project(folder, arguments, console));
  findings.calls += calls_of(now);
  if (update) {
    OPKIT_CHECK(write_file(file, text_of(now)));
    findings.written.push_back(file.string());
    return {};
  }
  for (measure::Difference& one : differences(before, now))
    findings.differences.push_back(std::move(one));
  return {};
}

size_t worse_of(const Findings& findings) {
  return static_cast<size_t>(
      std::count_if(findings.differences.begin(), findings.differences.end(),
                    [](const measure::Difference& one) { return one.worse; }));
}

std::string change_text(const measure::Difference& one) {
  if (one.before == 0) return "";
  return fmt::format(
      "{:+.1f} %", 100.0 * (static_cast<double>(one.after) / static_cast<double>(one.before) - 1));
}

std::string text_of(const Findings& findings, const Palette& palette) {
  if (!findings.written.empty())
    return fmt::format("{} counted; written: {}\n", counted(findings.calls, "call"),
                       fmt::join(findings.written, ", "));
  Table table({"op", "chip", "call", "what", ">before", ">now", ">change", "verdict"});
  for (const measure::Difference& one : findings.differences)
    table.add({one.op, one.soc, one.call, one.what, std::to_string(one.before),
               std::to_string(one.after), change_text(one), one.worse ? "worse" : "better"});
  std::string text = table.empty() ? "" : table.to_string(palette);
  text += fmt::format("{}, {} worse, {} better by more than {} %\n",
                      counted(findings.calls, "call"), worse_of(findings),
                      findings.differences.size() - worse_of(findings), measure::kMostPercent);
  if (!findings.differences.empty()) text += "opkit gate --update keeps what is now\n";
  return text;
}

Json json_of(const Findings& findings) {
  Json changes = Json::array();
  for (const measure::Difference& one : findings.differences)
    changes.push_back({{"op", one.op},
                       {"soc", one.soc},
                       {"call", one.call},
                       {"what", one.what},
                       {"before", one.before},
                       {"now", one.after},
                       {"worse", one.worse}});
  Json written = Json::array();
  for (const std::string& file : findings.written) written.push_back(file);
  return {{"calls", findings.calls},
          {"most_percent", measure::kMostPercent},
          {"passed", worse_of(findings) == 0},
          {"differences", std::move(changes)},
          {"written", std::move(written)}};
}

Outcome run(const Arguments& arguments, Console& console) {
  Findings findings;
  const std::vector<std::string> folders = arguments.all("project");
  {
    ProgressLine progress(console, "gate");
    for (size_t i = 0; i < folders.size(); ++i) {
      progress.advance(i, folders.size(), folders[i]);
      OPKIT_CHECK(judge(folders[i], arguments, console, findings));
    }
  }
  console.show(json_of(findings), text_of(findings, console.out()));
  return worse_of(findings) == 0 ? kOk : kFailed;
}

std::vector<Flag> flags() {
  std::vector<Flag> flags = choice_flags();
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back({.name = "--update", .value = "", .help = "write what is counted now"});
  return flags;
}

}  // namespace

Command gate_command() {
  return {
      .name = "gate",
      .summary = "counters of an op's bench shapes against its benchmark.json",
      .details =
          "Modelled cycles, instructions and bytes through global memory of every bench shape in\n"
          "every dtype column on every chip of the contract. They are the same on every machine.\n"
          "What an op does that looks at its data is counted on random data of one seed.\n"
          "Exit code 1 when cycles or bytes of a call have grown by more than 5 %, or when the\n"
          "calls are others than those in the file.",
      .positionals = {{.name = "project",
                       .help = "folders of op projects; what was built there is counted, else the "
                               "installed op",
                       .complete = Complete::kDirectory,
                       .repeated = true}},
      .flags = flags(),
      .examples = {{"opkit gate ops/fused/add_relu --update", "count, and keep the counters"},
                   {"opkit gate ops/fused/add_relu ops/fused/sppf --json",
                    "two ops against their files, for scripts"}},
      .run = run,
  };
}

}  // namespace opkit::cli
