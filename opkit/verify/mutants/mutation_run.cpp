#include "opkit/verify/mutants/mutation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "opkit/base/file.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/verify/mutants/examine.h"
#include "opkit/verify/mutants/grade.h"
#include "opkit/verify/mutants/kept_mutants.h"
#include "opkit/verify/mutants/mutate.h"
#include "opkit/verify/mutants/workshop.h"
#include "opkit/verify/mutants/wrong_result.h"

namespace opkit::verify {
namespace fs = std::filesystem;
namespace {

constexpr const char* kResults = "results";

struct PlannedMutant {
  fs::path file;
  Mutant mutant;
  bool host = false;
  int wrong_result = -1;
};

class MutationRun {
 public:
  MutationRun(const MutationRequest& request, MutationProgress& progress)
      : request_(request),
        progress_(progress),
        workshop_(request.contract, request.cmake_dir, request.shared, request.work) {
    grading_.package = workshop_.package();
    grading_.tier = request.tier;
    grading_.seed = request.seed;
  }

  Result<MutationReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    OPKIT_TRY(const OpContract contract, OpContract::load(request_.contract));
    report_.op = contract.op;
    report_.tier = request_.tier;
    if (is_aicpu(contract))
      return Error("OPK-VERIFY-050",
                   contract.op + " runs on the AICPU: opkit makes no mutants of such ops",
                   "opkit test without --mutants judges it");
    OPKIT_CHECK(workshop_.copy());
    OPKIT_TRY(const std::vector<PlannedMutant> plan, plan_shard(contract));
    OPKIT_CHECK(open_kept(contract));
    for (size_t i = 0; i < plan.size() && !progress_.cancelled(); ++i) {
      OPKIT_TRY(MutantResult result, known_or_judged(plan[i]));
      report_.mutants.push_back(std::move(result));
      count(report_.mutants.back().fate);
      progress_.finished(i + 1, plan.size(), report_.mutants.back());
    }
    OPKIT_CHECK(check_still_builds());
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    report_.seconds = spent.count();
    return std::move(report_);
  }

 private:
  Result<std::vector<PlannedMutant>> plan_shard(const OpContract& contract) {
    OPKIT_TRY(std::vector<PlannedMutant> all, plan_mutants(contract));
    std::vector<PlannedMutant> mine;
    for (size_t i = request_.shard; i < all.size(); i += request_.shards)
      mine.push_back(std::move(all[i]));
    return mine;
  }

  Status open_kept(const OpContract& contract) {
    if (request_.results.empty()) return {};
    std::string all = contract.text;
    for (const char* folder : {"op_kernel", "op_host"}) {
      for (const fs::path& file : workshop_.sources(folder)) {
        OPKIT_TRY(const std::string text, workshop_.text(file));
        all += fmt::format("\n{} {}\n{}", file.string(), text.size(), text);
      }
    }
    all += fmt::format("\n{} {}", name_of(request_.tier), request_.seed);
    OPKIT_TRY(kept_, KeptMutants::open(request_.results, contract.op, all));
    return {};
  }

  // The unchanged op is built and tested only when a mutant is left to judge.
  Result<MutantResult> known_or_judged(const PlannedMutant& planned) {
    const std::string what =
        fmt::format("{}\n{}\n{}\n{}", planned.file.string(), planned.mutant.what,
                    planned.wrong_result, planned.mutant.text);
    if (kept_ && request_.resume) {
      if (auto known = kept_->find(what)) {
        ++report_.resumed;
        return *std::move(known);
      }
    }
    if (!std::exchange(prepared_, true)) OPKIT_CHECK(prepare());
    MutantResult result = judge(planned);
    // Whoever ends the run ends the tests at hand, too.
    if (kept_ && !progress_.cancelled()) kept_->keep(what, result);
    return result;
  }

  Status prepare() {
    progress_.step("building the unchanged op");
    OPKIT_CHECK(workshop_.prepare());
    code_ = workshop_.code_digest();
    progress_.step("testing the unchanged op");
    const Graded original = grade(grading_);
    if (!original.passed)
      return Error("OPK-VERIFY-052", "the unchanged op does not pass its own tests: " + original.by,
                   "let opkit test pass first");
    for (size_t i = 0; i < grading_.seconds.size(); ++i)
      grading_.seconds[i] = 20 + static_cast<int>(10 * original.seconds[i]);
    progress_.step("recording what the unchanged op does");
    const fs::path file = request_.work / "original.txt";
    if (!observe_package(grading_, file)) return {};  // no survivor will count as equivalent
    OPKIT_TRY(const std::string text, read_file(file));
    original_ = observed_from(text);
    return {};
  }

  // Mutants that do not compile are left out of the rate: it must be they that are at fault.
  Status check_still_builds() {
    if (report_.stillborn == 0) return {};
    const Status built = workshop_.build_unchanged();
    if (built.ok()) return {};
    return Error("OPK-VERIFY-051",
                 "the unchanged op does not build any longer: " + built.error().message,
                 "leave the SDK and the scratch folder alone while mutants run");
  }

  Result<std::vector<PlannedMutant>> plan_mutants(const OpContract& contract) {
    std::vector<std::string> attrs;
    for (const Attr& attr : contract.attrs) attrs.push_back(attr.name);
    std::vector<PlannedMutant> all;
    for (const SourceKind kind : {SourceKind::kKernel, SourceKind::kHost}) {
      const bool host = kind == SourceKind::kHost;
      for (const fs::path& file : workshop_.sources(host ? "op_host" : "op_kernel")) {
        OPKIT_TRY(const std::string text, workshop_.text(file));
        for (Mutant& mutant : make_mutants(text, kind, attrs)) {
          // A kernel without keys is the same for every key.
          const bool keyed = contract.kernel && !contract.kernel->tiling_keys.empty();
          if (mutant.what == kKeyMutation && !keyed) continue;
          all.push_back({file, std::move(mutant), host});
        }
      }
    }
    if (all.empty())
      return Error("OPK-VERIFY-050",
                   request_.contract.parent_path().string() + " has no sources that can be mutated",
                   "name the op's folder, which holds op_kernel and op_host");
    const std::vector<WrongResult> mistakes = wrong_results(contract);
    for (size_t i = 0; i < mistakes.size(); ++i) {
      Mutant mutant;
      mutant.what = mistakes[i].what;
      all.push_back({kResults, std::move(mutant), false, static_cast<int>(i)});
    }
    const std::vector<std::string> known = some_descriptions(all);
    std::erase_if(all, [&](const PlannedMutant& planned) {
      return planned.mutant.what.find(request_.only) == std::string::npos;
    });
    if (all.empty())
      return Error("OPK-VERIFY-050",
                   fmt::format("no mistake's description holds '{}'", request_.only),
                   fmt::format("name a part of one: {}", fmt::join(known, "; ")));
    if (request_.most == 0 || all.size() <= request_.most) return all;
    std::vector<PlannedMutant> some;
    for (size_t i = 0; i < request_.most; ++i) some.push_back(all[i * all.size() / request_.most]);
    return some;
  }

  static std::vector<std::string> some_descriptions(const std::vector<PlannedMutant>& all) {
    constexpr size_t kSome = 8;
    std::set<std::string> known;
    for (const PlannedMutant& planned : all) known.insert(planned.mutant.what);
    std::vector<std::string> some(known.begin(), known.end());
    some.resize(std::min(some.size(), kSome));
    return some;
  }

  MutantResult judge(const PlannedMutant& planned) {
    const Mutant& mutant = planned.mutant;
    MutantResult result{planned.file.string(), mutant.line,   mutant.what, mutant.before,
                        mutant.after,          Fate::kKilled, {},          {}};
    GradeRequest grading = grading_;
    grading.wrong_result = planned.wrong_result;
    if (!built(planned, result)) return result;
    grading.tier = Tier::kSmoke;
    if (killed(grading, result)) return result;
    examine_survivor(planned, result);
    grading.first = Tier::kCi;
    grading.tier = request_.tier;
    const bool more = grading.first <= grading.tier;
    if (more && result.fate == Fate::kSurvived) killed(grading, result);
    return result;
  }

  static bool killed(const GradeRequest& grading, MutantResult& result) {
    const Graded graded = grade(grading);
    if (graded.passed) return false;
    result.fate = Fate::kKilled;
    result.tier = name_of(graded.tier);
    result.by = graded.by;
    return true;
  }

  // False when there is nothing to test.
  bool built(const PlannedMutant& planned, MutantResult& result) {
    const bool source = planned.wrong_result < 0;
    const Status built = source ? workshop_.build_with(planned.file, planned.mutant.text)
                                : workshop_.build_unchanged();
    if (built.ok()) {
      if (!source || code_.empty() || workshop_.code_digest() != code_) return true;
      result.fate = Fate::kEquivalent;
      result.by = "the compiler makes the same code of it";
      return false;
    }
    result.fate = Fate::kStillborn;
    const std::string& message = built.error().message;
    result.by = message.substr(0, message.find('\n'));
    return false;
  }

  void examine_survivor(const PlannedMutant& planned, MutantResult& result) {
    result.fate = Fate::kSurvived;
    result.by = "nobody looked closer";
    if (planned.wrong_result >= 0 || original_.empty()) return;
    const fs::path file = request_.work / "mutant.txt";
    const bool observed = observe_package(grading_, file, original_);
    const auto text = observed ? read_file(file) : Result<std::string>(std::string());
    if (!observed || !text.ok()) {
      result.by = "it crashes or hangs on problems that are larger than the tier's";
      return;
    }
    const MutantDifference difference = compare(original_, observed_from(*text));
    const std::string range =
        fmt::format("{} problems, {} chips", difference.problems, difference.chips);
    if (!difference.first.empty()) {
      result.by = fmt::format("no problem of the tier shows it, but {} does: {}", difference.first,
                              difference.how);
    } else if (difference.same_instructions) {
      result.fate = Fate::kEquivalent;
      result.by = fmt::format("every core executes the same instructions ({})", range);
    } else if (difference.same_results) {
      result.fate = Fate::kEquivalent;
      result.by = fmt::format("every instruction writes the same bits ({})", range);
    } else if (planned.mutant.adds && difference.each_once) {
      result.fate = Fate::kEquivalent;
      result.by =
          fmt::format("it does more than it must: the same bits, each written once ({})", range);
    } else if (planned.host && difference.each_once) {
      result.fate = Fate::kEquivalent;
      result.by =
          fmt::format("it cuts the work differently: the same bits, each written once ({})", range);
    } else {
      result.by = fmt::format("the same bits by other instructions ({})", range);
    }
  }

  void count(Fate fate) {
    if (fate == Fate::kKilled) ++report_.killed;
    if (fate == Fate::kSurvived) ++report_.survived;
    if (fate == Fate::kEquivalent) ++report_.equivalent;
    if (fate == Fate::kStillborn) ++report_.stillborn;
  }

  const MutationRequest& request_;
  MutationProgress& progress_;
  MutantWorkshop workshop_;
  GradeRequest grading_;
  std::optional<KeptMutants> kept_;
  bool prepared_ = false;
  std::string code_;  // digest of the unchanged plugin's code
  std::vector<Observed> original_;
  MutationReport report_;
};

}  // namespace

std::optional<double> MutationReport::kill_rate() const {
  const int64_t counted = killed + survived;
  if (counted == 0) return std::nullopt;
  return static_cast<double>(killed) / static_cast<double>(counted);
}

Result<MutationReport> run_mutants(const MutationRequest& request, MutationProgress& progress) {
  if (request.shards == 0 || request.shard >= request.shards)
    return Error("OPK-VERIFY-012",
                 fmt::format("shard {} of {} does not exist", request.shard, request.shards),
                 "count shards from 0");
  return MutationRun(request, progress).run();
}

}  // namespace opkit::verify
