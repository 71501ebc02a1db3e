#include "opkit/cli/commands/test_mutants.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/op_project.h"
#include "opkit/build/project/sdk.h"
#include "opkit/cli/options/test_options.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/interruption.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/verify/mutants/mutation_run.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// Options that a run over mutants cannot follow: it tests in child processes, in its own way.
constexpr const char* kForeign[] = {
    "--soc",     "--t",       "--d",      "--attr",      "--data",        "--absent", "--collapse",
    "--count",   "--threads", "--random", "--no-shrink", "--html",        "--junit",  "--vendor",
    "--version", "--opp",     "--column", "--schedules", "--max-failures"};

class MutantProgress : public verify::MutationProgress {
 public:
  MutantProgress(Console& console, const std::string& project)
      : progress_(console, "mutants of " + project) {}
  void step(const std::string& what) override { progress_.step(what); }
  void finished(size_t done, size_t all, const verify::MutantResult& result) override {
    survived_ += result.fate == verify::Fate::kSurvived ? 1 : 0;
    progress_.advance(done, all, fmt::format("{} survived", survived_));
  }
  bool cancelled() override { return Interruption::happened(); }

 private:
  cli::ProgressLine progress_;
  size_t survived_ = 0;
};

Error no_sources(const std::string& what) {
  return Error("OPK-CLI-017", what + ": mutants are made from sources",
               "name the folder that holds op_contract.yaml, op_kernel and op_host, or one of the "
               "contracts of a family's folder");
}

// Returns the contract of a project's folder with one op, or one in such a folder.
Result<fs::path> contract_of(const fs::path& word) {
  const std::vector<fs::path> in_folder = project::contracts_of(word);
  if (in_folder.size() > 1)
    return no_sources(fmt::format("{} is the folder of {} ops", word.string(), in_folder.size()));
  const fs::path contract = in_folder.empty() ? word : in_folder.front();
  const fs::path folder = fs::absolute(contract).parent_path();
  const bool one_of_them =
      std::ranges::count(project::contracts_of(folder), folder / contract.filename());
  if (one_of_them && project::is_opkit_project(folder)) return contract;
  return no_sources(word.string() + " is no op project");
}

// <project>/build/mutants; of one op of a family <project>/build/mutants/<op>.
fs::path usual_work(const fs::path& contract) {
  return project::build_folder(contract.parent_path()) / "mutants" /
         project::package_name(contract);
}

}  // namespace

std::vector<Flag> mutant_flags() {
  return {{.name = "--mutants",
           .value = "",
           .help = "grade the tests: which mistakes in the project's sources do they find?"},
          {.name = "--limit",
           .value = "N",
           .help = "with --mutants: mutants at most, spread evenly [all]",
           .integer = true,
           .least = 1,
           .most = 1000000},
          {.name = "--only",
           .value = "TEXT",
           .help = "with --mutants: those whose description holds the text, as in 'truncated'"},
          {.name = "--min-rate",
           .value = "PERCENT",
           .help = "with --mutants: below this kill rate the exit code is 1 [95]",
           .integer = true,
           .most = 100},
          {.name = "--work",
           .value = "PATH",
           .help = "with --mutants: where to build them [<project>/build/mutants]",
           .complete = Complete::kDirectory}};
}

Status check_mutant_flags(const Arguments& arguments) {
  if (arguments.has("--mutants")) {
    for (const char* flag : kForeign) {
      if (!arguments.has(flag)) continue;
      return Error("OPK-CLI-016", fmt::format("{} does not go with --mutants", flag),
                   "leave out one of them");
    }
    return {};
  }
  for (const char* flag : {"--limit", "--only", "--min-rate", "--work"}) {
    if (arguments.has(flag))
      return Error("OPK-CLI-003", fmt::format("{} is about mutants", flag), "--mutants");
  }
  return {};
}

Outcome run_mutants(const Arguments& arguments, const std::filesystem::path& results,
                    Console& console) {
  verify::MutationRequest request;
  OPKIT_TRY(request.contract, contract_of(arguments.get("op")));
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  request.cmake_dir = sdk.cmake_dir;
  request.shared = sdk.shared;
  const auto work = arguments.find("--work");
  request.work = work ? fs::path(*work) : usual_work(request.contract);
  request.tier = *verify::tier_from_name(arguments.get("--tier"));
  request.seed = static_cast<uint64_t>(arguments.integer("--seed"));
  if (arguments.has("--limit")) request.most = static_cast<size_t>(arguments.integer("--limit"));
  request.only = arguments.get("--only");
  OPKIT_TRY(const TestShard shard, test_shard(arguments));
  request.shard = shard.number;
  request.shards = shard.of;
  request.results = results;
  request.resume = arguments.has("--resume");
  MutantProgress progress(console, arguments.get("op"));
  const Interruption interruption;
  OPKIT_TRY(const verify::MutationReport report, verify::run_mutants(request, progress));
  if (console.json()) {
    console.raw(verify::mutation_json(report));
  } else {
    console.print(verify::mutation_text(report));
  }
  if (Interruption::happened()) return Interruption::exit_code();
  if (request.shards > 1) return kOk;
  constexpr int64_t kUsualRate = 95;
  const int64_t least = arguments.has("--min-rate") ? arguments.integer("--min-rate") : kUsualRate;
  return 100 * report.kill_rate().value_or(-1) >= static_cast<double>(least) ? kOk : kFailed;
}

}  // namespace opkit::cli
