#include "opkit/verify/mutants/mutation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "opkit/base/file.h"
#include "opkit/verify/mutants/child_process.h"
#include "opkit/verify/mutants/mutate.h"
#include "opkit/verify/plugin_executor.h"
#include "opkit/verify/test_run.h"
#include "registry/plugin.h"
#include "registry/registry.h"

namespace opkit::verify {
namespace fs = std::filesystem;
namespace {

constexpr int kBuildSeconds = 300;

struct PlannedMutant {
  fs::path file;  // relative to the project
  Mutant mutant;
};

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The end of a compiler's output says what went wrong.
std::string first_error(const std::string& log) {
  const size_t at = log.find("error:");
  if (at == std::string::npos) return log.substr(0, 200);
  return log.substr(at, std::min(log.find('\n', at), log.size()) - at);
}

// The tests of a package; in a child, because a mutant may do anything.
int test_package(const fs::path& folder, Tier tier, uint64_t seed, std::string& text) {
  const registry::HostFacts host = registry::HostFacts::of_this_process();
  const registry::PackageCheck check = registry::check_package(folder, host);
  if (!check.usable()) return text = check.worst().error.to_string(), 3;
  registry::LoadOptions options;
  options.probe = false;
  const auto plugin = registry::Plugin::load(check.package, host, options);
  if (!plugin.ok()) return text = plugin.error().to_string(), 3;
  const auto contract = OpContract::load(check.package.contract_path());
  if (!contract.ok()) return text = contract.error().to_string(), 3;
  PluginExecutor executor(&plugin->op(), "mutant");
  TestRequest request;
  request.contract = &*contract;
  request.executor = &executor;
  request.tier = tier;
  request.seed = seed;
  request.max_failures = 1;
  request.shrink = false;
  Progress progress;
  const auto report = run_tests(request, progress);
  if (!report.ok()) return text = report.error().to_string(), 3;
  if (report->verdict == Verdict::kPassed) return 0;
  text = report->failures.empty() ? report->reason
                                  : report->failures.front().smallest.reason + " (" +
                                        report->failures.front().smallest.line + ")";
  return 1;
}

class MutationRun {
 public:
  MutationRun(const MutationRequest& request, MutationProgress& progress)
      : request_(request),
        progress_(progress),
        copy_(request.work / "project"),
        build_(request.work / "build") {}

  Result<MutationReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    OPKIT_TRY(const OpContract contract, OpContract::load(request_.project / "op_contract.yaml"));
    report_.op = contract.op;
    OPKIT_CHECK(prepare());
    OPKIT_TRY(const std::vector<PlannedMutant> plan, plan_mutants(contract));
    for (size_t i = 0; i < plan.size(); ++i) {
      report_.mutants.push_back(judge(plan[i]));
      count(report_.mutants.back().fate);
      progress_.finished(i + 1, plan.size(), report_.mutants.back());
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    report_.seconds = spent.count();
    return std::move(report_);
  }

 private:
  Status prepare() {
    std::error_code failure;
    fs::create_directories(request_.work, failure);
    fs::remove_all(copy_, failure);
    fs::create_directories(copy_, failure);
    for (const auto& entry : fs::directory_iterator(request_.project, failure)) {
      if (entry.path().filename() == "build" || failure) continue;
      fs::copy(entry.path(), copy_ / entry.path().filename(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
      if (failure) break;
    }
    if (failure)
      return Error("OPK-VERIFY-050",
                   fmt::format("cannot copy {} to {}: {}", request_.project.string(),
                               copy_.string(), failure.message()),
                   "choose a scratch folder that can be written");
    const ChildResult configured = run_program(
        {"cmake", "-S", copy_.string(), "-B", build_.string(), "-DCMAKE_BUILD_TYPE=Release", "-G",
         "Ninja", "-Dopkit_DIR=" + request_.cmake_dir.string()},
        kBuildSeconds);
    const ChildResult built = configured.ok() ? build() : configured;
    if (!built.ok())
      return Error("OPK-VERIFY-051",
                   "the unchanged op does not build: " + first_error(built.output),
                   "build it with opkit build first");
    const ChildResult tested = test();
    if (tested.ok()) return {};
    return Error("OPK-VERIFY-052", "the unchanged op does not pass its own tests: " + tested.output,
                 "let opkit test pass first");
  }

  ChildResult build() { return run_program({"cmake", "--build", build_.string()}, kBuildSeconds); }

  ChildResult test() {
    return run_in_child(
        [&](std::string& text) {
          return test_package(build_ / "package", request_.tier, request_.seed, text);
        },
        request_.timeout_seconds);
  }

  Result<std::vector<PlannedMutant>> plan_mutants(const OpContract& contract) {
    std::vector<std::string> attrs;
    for (const Attr& attr : contract.attrs) attrs.push_back(attr.name);
    std::vector<PlannedMutant> all;
    for (const SourceKind kind : {SourceKind::kKernel, SourceKind::kHost}) {
      const char* folder = kind == SourceKind::kKernel ? "op_kernel" : "op_host";
      for (const fs::path& file : sources_in(copy_ / folder)) {
        OPKIT_TRY(const std::string text, read_file(file));
        for (Mutant& mutant : make_mutants(text, kind, attrs)) {
          // A kernel without keys is the same for every key.
          const bool keyed = contract.kernel && !contract.kernel->tiling_keys.empty();
          if (mutant.what == kKeyMutation && !keyed) continue;
          all.push_back({fs::path(folder) / file.filename(), std::move(mutant)});
        }
      }
    }
    if (all.empty())
      return Error("OPK-VERIFY-050",
                   request_.project.string() + " has no sources that can be mutated",
                   "name the op's folder, which holds op_kernel and op_host");
    if (request_.most == 0 || all.size() <= request_.most) return all;
    std::vector<PlannedMutant> some;
    for (size_t i = 0; i < request_.most; ++i) some.push_back(all[i * all.size() / request_.most]);
    return some;
  }

  MutantResult judge(const PlannedMutant& planned) {
    const Mutant& mutant = planned.mutant;
    MutantResult result{planned.file.string(), mutant.line,   mutant.what, mutant.before,
                        mutant.after,          Fate::kKilled, ""};
    const fs::path file = copy_ / planned.file;
    const auto original = read_file(request_.project / planned.file);
    if (!original.ok() || !write_file(file, mutant.text).ok()) {
      result.fate = Fate::kStillborn;
      result.by = "cannot write " + file.string();
      return result;
    }
    const ChildResult built = build();
    if (!built.ok()) {
      result.fate = Fate::kStillborn;
      result.by = first_error(built.output);
    } else {
      decide(test(), result);
    }
    const Status restored = write_file(file, *original);
    if (!restored.ok()) result.by += "; " + restored.error().message;
    return result;
  }

  static void decide(const ChildResult& tested, MutantResult& result) {
    result.fate = tested.ok() ? Fate::kSurvived : Fate::kKilled;
    result.by = tested.output;
    if (tested.timed_out) result.by = "it did not end";
    if (tested.signal != 0 && !tested.timed_out)
      result.by = fmt::format("it crashed: {}", strsignal(tested.signal));
  }

  void count(Fate fate) {
    if (fate == Fate::kKilled) ++report_.killed;
    if (fate == Fate::kSurvived) ++report_.survived;
    if (fate == Fate::kStillborn) ++report_.stillborn;
  }

  const MutationRequest& request_;
  MutationProgress& progress_;
  fs::path copy_, build_;
  MutationReport report_;
};

}  // namespace

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::kKilled: return "killed";
    case Fate::kSurvived: return "survived";
    case Fate::kStillborn: return "stillborn";
  }
  return {};
}

double MutationReport::kill_rate() const {
  const int64_t counted = killed + survived;
  return counted == 0 ? 1 : static_cast<double>(killed) / static_cast<double>(counted);
}

Result<MutationReport> run_mutants(const MutationRequest& request, MutationProgress& progress) {
  return MutationRun(request, progress).run();
}

std::string mutation_text(const MutationReport& report) {
  std::string text =
      fmt::format("{}: {} of {} mutants killed ({:.1f} %), {} did not compile, {:.0f} s\n",
                  report.op, report.killed, report.killed + report.survived,
                  100 * report.kill_rate(), report.stillborn, report.seconds);
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.fate != Fate::kSurvived) continue;
    text += fmt::format("  survivor {}:{}: {}\n    - {}\n    + {}\n", mutant.file, mutant.line,
                        mutant.what, mutant.before, mutant.after);
  }
  return text;
}

std::string mutation_json(const MutationReport& report) {
  nlohmann::ordered_json json{{"op", report.op},
                              {"killed", report.killed},
                              {"survived", report.survived},
                              {"stillborn", report.stillborn},
                              {"kill_rate", report.kill_rate()},
                              {"seconds", report.seconds}};
  json["mutants"] = nlohmann::ordered_json::array();
  for (const MutantResult& mutant : report.mutants)
    json["mutants"].push_back({{"file", mutant.file},
                               {"line", mutant.line},
                               {"what", mutant.what},
                               {"before", mutant.before},
                               {"after", mutant.after},
                               {"fate", name_of(mutant.fate)},
                               {"by", mutant.by}});
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace opkit::verify
