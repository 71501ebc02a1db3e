#include "opkit/verify/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/capsule.h"
#include "opkit/verify/conclude.h"
#include "opkit/verify/earlier_calls.h"
#include "opkit/verify/error_inputs.h"
#include "opkit/verify/explain_failure.h"
#include "opkit/verify/golden.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/landmarks.h"
#include "opkit/verify/past_failures.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/proof/checked_dry.h"
#include "opkit/verify/results_store.h"
#include "opkit/verify/spellings.h"
#include "opkit/verify/strategy_problems.h"

namespace opkit::verify {
namespace {

constexpr int kMostUnanswered = 3;  // limits failures of one cause

class Run {
 public:
  Run(const TestRequest& request, Progress& progress)
      : request_(request), contract_(*request.contract), progress_(progress) {}

  Result<TestReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    report_.op = contract_.op;
    report_.version = contract_.version;
    report_.contract_digest = sha256_hex(contract_.text);
    report_.plugin_digest = request_.executor->digest();
    report_.tier = request_.tier;
    report_.column = request_.column;
    if (request_.column) report_.column_name = contract_.column_name(*request_.column);
    OPKIT_CHECK(choose_socs());
    OPKIT_CHECK(open_store());
    if (request_.line.empty()) {
      run_tier();
    } else {
      OPKIT_TRY(Problem problem, parse_line(contract_, request_.line));
      if (problem.soc.empty()) problem.soc = report_.socs.front();
      OPKIT_TRY(const SocMatch match, find_soc(problem.soc));
      problem.soc = match.spec->name;
      if (Status legal = check_legal(contract_, problem); !legal.ok())
        return std::move(legal).error().with("the call that was asked for");
      OPKIT_CHECK(ask_first());
      report_.planned = report_.not_run = 1;
      take(judge_one({std::move(problem), "asked for"}));
      if (!progress_.cancelled()) report_.not_run = 0;
    }
    if (lacking_) return *std::move(lacking_);
    report_.interrupted = progress_.cancelled();
    conclude(contract_, request_.executor->tiling_keys(request_.column), extent(), report_);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    report_.seconds = spent.count();
    return std::move(report_);
  }

 private:
  // Asks first: what the op keeps of that call is then there.
  Status ask_first() {
    if (request_.after.empty()) return {};
    OPKIT_TRY(Problem problem, parse_line(contract_, request_.after));
    if (problem.soc.empty()) problem.soc = report_.socs.front();
    OPKIT_TRY(const SocMatch match, find_soc(problem.soc));
    problem.soc = match.spec->name;
    if (Status legal = check_legal(contract_, problem); !legal.ok())
      return std::move(legal).error().with("the call that comes before");
    ask_for_tiling(contract_, *request_.executor, problem);
    return {};
  }

  // Full names. A short name stands for the vendor's default chip, in the nightly tier for all.
  Status choose_socs() {
    std::vector<std::string> asked = request_.socs.empty() ? contract_.soc : request_.socs;
    if (asked.empty()) asked = soc_names();
    for (const std::string& name : asked) {
      OPKIT_TRY(const SocMatch match, find_soc(name));
      add_soc(match.spec->name);
      if (request_.tier != Tier::kNightly || match.note.empty()) continue;
      for (const std::string& full : soc_names()) {
        OPKIT_TRY(const SocMatch other, find_soc(full));
        if (other.spec->short_name == match.spec->short_name) add_soc(full);
      }
    }
    // The chip that can do most comes first: it is the one that corners run on, and on a single
    // core no two blocks would ever be told apart.
    const auto means = [](const std::string& name) {
      const SocSpec& spec = *find_soc(name)->spec;
      return std::pair(spec.has_bfloat16(), std::max(spec.cores.vector_core, spec.cores.ai_core));
    };
    std::stable_sort(report_.socs.begin(), report_.socs.end(),
                     [&](const auto& a, const auto& b) { return means(a) > means(b); });
    return {};
  }

  void add_soc(const std::string& name) {
    if (std::find(report_.socs.begin(), report_.socs.end(), name) == report_.socs.end())
      report_.socs.push_back(name);
  }

  Status open_store() {
    if (request_.results.empty()) return {};
    OPKIT_TRY(store_, ResultsStore::open(request_.results));
    return {};
  }

  void run_tier() {
    PastFailures known;
    if (store_) known = past_failures(contract_, request_.socs, *store_);
    for (std::string& note : known.notes) report_.notes.push_back(std::move(note));
    std::vector<PlannedProblem> plan = std::move(known.problems);
    std::erase_if(plan, [this](const PlannedProblem& one) { return is_left_out(one.problem); });
    const size_t past = plan.size();  // is alike in every shard
    for (PlannedProblem& planned : make_plan(
             {&contract_, report_.socs, request_.tier, request_.seed,
              landmarks(contract_, *request_.executor, report_.socs.front(), request_.seed,
                        request_.column, [this](const Problem& problem) { asked_.add(problem); }),
              request_.random_problems, request_.column}))
      plan.push_back(std::move(planned));
    std::vector<const PlannedProblem*> mine;
    for (size_t i = 0; i < plan.size(); ++i) {
      if (i < past || (i - past) % request_.shards == request_.shard) mine.push_back(&plan[i]);
    }
    progress_.planned(mine.size());
    report_.planned = report_.not_run = mine.size();
    for (const PlannedProblem* planned : mine) {
      if (stopped()) break;
      take(judge_one(*planned));
      --report_.not_run;
    }
    if (request_.shard != 0 || progress_.cancelled() || unanswering() || lacking_) return;
    judge_golden_files();
    for (ProblemResult& result : judge_spellings(contract_, plan)) take(std::move(result));
    prove_tiling(plan);
    if (request_.singles != nullptr && !stopped())
      report_.unfused = compare_unfused(contract_, *request_.executor, *request_.singles, plan);
    for (ProblemResult& result :
         judge_error_inputs(contract_, *request_.executor, report_.socs.front(), request_.seed,
                            request_.column.value_or(0)))
      take(std::move(result));
  }

  bool is_left_out(const Problem& problem) const {
    return request_.column && problem.column != *request_.column;
  }

  void judge_golden_files() {
    for (const std::string& file : contract_.golden) {
      ProblemResult result =
          judge_golden(contract_, *request_.executor, report_.socs.front(), request_.folder / file);
      if (!is_left_out(result.problem)) take(std::move(result));
    }
  }

  void prove_tiling(const std::vector<PlannedProblem>& plan) {
    if (is_aicpu(contract_)) {
      report_.notes.push_back(
          "it runs on the AICPU: results, inputs and repeated runs are judged; the Checked mode, "
          "other schedules and tilings have nothing to watch there");
      return;
    }
    ProofRequest proof{
        &contract_, request_.executor, report_.socs, &plan, request_.tier, request_.seed, {}, {},
        {}};
    proof.failed = [&](ProblemResult result) { take(std::move(result)); };
    proof.stopped = [&] { return stopped(); };
    proof.column = request_.column;
    proof.asked = [&](const Problem& problem) { asked_.add(problem); };
    report_.tiling = prove_tilings(proof);
    StrategyRequest strategies{&contract_, request_.executor, &report_.tiling, request_.tier,
                               {},         proof.asked,       proof.stopped};
    for (const ProblemResult& result : report_.results) {
      if (result.ran) strategies.reached.insert(result.tiling_key);
      strategies.known.insert(to_line(contract_, result.problem));
    }
    for (const PlannedProblem& one : plan)  // takes the problems of all shards
      strategies.known.insert(to_line(contract_, one.problem));
    for (const PlannedProblem& planned : problems_of_strategies(strategies)) {
      if (stopped()) return;
      take(judge_one(planned));
    }
  }

  bool stopped() {
    const size_t most = request_.stop_at_failure ? 1 : 4 * request_.max_failures;
    return progress_.cancelled() || failed_ >= most || unanswering() || lacking_;
  }

  // Each problem more would take the limit again, and tell nothing new.
  bool unanswering() const {
    return std::any_of(unanswered_.begin(), unanswered_.end(),
                       [](const auto& cause) { return cause.second >= kMostUnanswered; });
  }

  // Counts problems without an answer by what was running: "the kernel", "the tiling function".
  void count_unanswered(const ProblemResult& result) {
    if (!has_cause(result.code, Cause::kTooSlow)) return;
    std::string who = result.reason.substr(0, result.reason.find(" gave no answer"));
    who.erase(0, who.rfind(": ") == std::string::npos ? 0 : who.rfind(": ") + 2);
    if (++unanswered_[who] != kMostUnanswered) return;
    report_.notes.push_back(fmt::format(
        "the run ended here: {} problems got no answer in time ({})", kMostUnanswered, who));
  }

  ProblemResult judge_one(const PlannedProblem& planned) {
    if (store_ && request_.resume) {
      const std::string line = to_line(contract_, planned.problem);
      if (auto known = store_->judged(report_.contract_digest, report_.plugin_digest, line)) {
        known->problem = planned.problem;
        known->origin = planned.origin;
        ++report_.resumed;
        return std::move(*known);
      }
    }
    ProblemResult result = judge(contract_, *request_.executor, planned.problem,
                                 {large_work(), request_.schedules, &watched_});
    result.origin = planned.origin;
    if (store_ && !has_cause(result.code, Cause::kHostLacks))
      store_->record(contract_.op, report_.contract_digest, report_.plugin_digest, result);
    return result;
  }

  LargeWork large_work() {
    return {[this](const std::string& stage) { progress_.working(stage); },
            [this](int64_t done, int64_t parts) { progress_.compared(done, parts); },
            [this] { return progress_.cancelled(); }};
  }

  // Notes that nothing is known of a plugin that the machine did not let run.
  void note_lack(const ProblemResult& result) {
    const size_t behind_code = result.code.size() + 2;
    const bool led = result.reason.starts_with(result.code + ": ");
    lacking_ = Error(result.code, led ? result.reason.substr(behind_code) : result.reason,
                     "give the machine what it lacks, and test again");
    lacking_->trail.push_back(result.line);
  }

  void take(ProblemResult result) {
    if (result.verdict == Verdict::kFailed && has_cause(result.code, Cause::kHostLacks))
      return note_lack(result);
    progress_.finished(report_.results.size(), result);
    if (result.verdict == Verdict::kFailed) {
      ++failed_;
      count_unanswered(result);
      if (report_.failures.size() < request_.max_failures && is_new(result)) explain(result);
    }
    asked_.add(result.problem);
    report_.results.push_back(std::move(result));
  }

  // Failures with the same smallest problem are told once.
  bool is_new(const ProblemResult& result) const {
    const auto same_kind = [&](const Failure& failure) {
      return failure.found.code == result.code &&
             failure.found.problem.column == result.problem.column;
    };
    return std::count_if(report_.failures.begin(), report_.failures.end(), same_kind) < 2;
  }

  // Tells whether there was no answer in time, not for the first time: each smaller problem would
  // take the limit again.
  bool is_slow_again(const ProblemResult& found) const {
    const auto is_slow = [](const Failure& known) {
      return has_cause(known.found.code, Cause::kTooSlow);
    };
    return has_cause(found.code, Cause::kTooSlow) &&
           std::any_of(report_.failures.begin(), report_.failures.end(), is_slow);
  }

  void explain(const ProblemResult& found) {
    Failure failure{found, found, 0, {}, {}, {}};
    if (request_.shrink && is_of_a_problem(found) && !is_slow_again(found) &&
        !progress_.cancelled()) {
      progress_.shrinking(found);
      failure = explain_failure(
          contract_, *request_.executor, found, asked_.all(),
          [this] { return progress_.cancelled(); }, request_.schedules);
      if (failure.after.empty()) failure.after = request_.after;
      // A tiling is proved in every run, with shapes that are too large to be run.
      if (store_ && !is_of_tiling(found))
        store_->record(contract_.op, report_.contract_digest, report_.plugin_digest,
                       failure.smallest);
    }
    for (const Failure& known : report_.failures) {
      if (known.smallest.line == failure.smallest.line) return;
    }
    if (is_of_a_problem(found)) {
      failure.trace = trace_of(contract_, *request_.executor, failure.smallest);
      failure.inputs = input_parts(contract_, failure.smallest);
      if (!has_cause(failure.smallest.code, Cause::kTooSlow))
        failure.tiling = shown_tiling(contract_, *request_.executor, failure.smallest.problem);
      keep_capsule(failure);
    }
    report_.failures.push_back(std::move(failure));
  }

  void keep_capsule(Failure& failure) {
    if (request_.results.empty() || !failure.after.empty()) return;  // it replays one call
    const std::string name = fmt::format("{}-{}.capsule.json", contract_.op,
                                         sha256_hex(failure.smallest.line).substr(0, 12));
    const std::filesystem::path file = request_.results / name;
    const std::string text =
        to_json(make_capsule(contract_, report_.plugin_digest, failure.smallest,
                             is_of_tiling(failure.found), failure.trace));
    if (write_file(file, text).ok()) failure.capsule = file;
  }

  Extent extent() const {
    if (!request_.line.empty()) return Extent::kLine;
    return request_.shards > 1 || report_.interrupted ? Extent::kShard : Extent::kTier;
  }

  const TestRequest& request_;
  const OpContract& contract_;
  Progress& progress_;
  TestReport report_;
  std::optional<ResultsStore> store_;
  AskedCalls asked_;
  WatchedLaunches watched_{most_checked_dry(request_.tier)};
  size_t failed_ = 0;
  std::optional<Error> lacking_;           // what ended the run
  std::map<std::string, int> unanswered_;  // problems, by cause
};

}  // namespace

Result<TestReport> run_tests(const TestRequest& request, Progress& progress) {
  if (request.shards == 0 || request.shard >= request.shards)
    return Error("OPK-VERIFY-012",
                 fmt::format("shard {} of {} does not exist", request.shard, request.shards),
                 "count shards from 0");
  return Run(request, progress).run();
}

}  // namespace opkit::verify
